//! Particle swarm: particles fly, drawn back to the best place of their own and to the best of the swarm.
//!
//! v' = w v + φ1 r1 (own best - x) + φ2 r2 (swarm best - x), x' = x + v' \[1, formula 11\]. In \[2\] r1 and r2 are drawn for every
//! coordinate; the thesis writes one number each for the whole particle (`draws=particle`), and so moves within the plane of
//! three directions. Particles start at rest. A best place keeps the fitness that it had when it was found.
//!
//! 1. "TetrisBot", master's thesis (thesis), chapter 5.3.2.
//! 2. J. Kennedy and R. Eberhart, "Particle swarm optimization", ICNN 1995; the inertia is of Y. Shi and R. Eberhart, CEC 1998.
//! 3. L. Langenhoven, W. van Heerden and A. Engelbrecht, "Swarm Tetris", CEC 2010, from where \[4\] has its constants.
//! 4. O. Wang et al., "PSO Tetris AI", report, NUS 2018.

use super::sampling::Sampler;
use super::start::{FirstPoints, RANGE, START};
use super::vectors::{Rated, assert_one_each, spread};
use super::{
    Diagnostics, Kind, Learner, LearningMethod, NETWORK_PROTOCOL, Optimizer, Preset, Protocol,
    Setting, Settings,
};

/// A factor of the formula.
const FACTOR: Kind = Kind::Number {
    least: 0.0,
    most: 4.0,
};

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "pso",
    definition: "a swarm of particles, each drawn to the best place of its own and to that of the swarm",
    source: "Kennedy and Eberhart 1995; thesis",
    settings: &[
        Setting {
            id: "population",
            help: "how many particles there are",
            default: Some("30"),
            kind: Kind::POPULATION,
        },
        Setting {
            id: "inertia",
            help: "what is left of a particle's velocity (w)",
            default: Some("0.72"),
            kind: FACTOR,
        },
        Setting {
            id: "own",
            help: "how strongly its own best place draws a particle (phi 1)",
            default: Some("1.42"),
            kind: FACTOR,
        },
        Setting {
            id: "swarm",
            help: "how strongly the best place of the swarm does (phi 2)",
            default: Some("1.42"),
            kind: FACTOR,
        },
        Setting {
            id: "draws",
            help: "whether the two random numbers are drawn for every coordinate or once for the particle",
            default: Some("coordinate"),
            kind: Kind::Word(&["coordinate", "particle"]),
        },
        Setting {
            id: "speed",
            help: "the largest velocity in a coordinate",
            default: Some("1000000"),
            kind: Kind::LENGTH,
        },
        Setting {
            id: "walls",
            help: "whether the particles stay within the range of the start box",
            default: Some("false"),
            kind: Kind::Flag,
        },
        START,
        RANGE,
    ],
    make: LearningMethod::optimiser(&[THESIS, NUS, NETWORK], |settings, dimension, seed| {
        Box::new(Swarm::new(settings, dimension, seed))
    }),
};

/// The settings of the row of the thesis' table with the best mean in the test games.
const THESIS: Preset = Preset {
    id: "thesis-pso",
    learner: "pso",
    definition: "w 0.7 and both factors 1, the best row of the thesis; swarm, start, features and games are not stated: ours",
    source: "thesis, 5.3.2",
    settings: &[
        ("inertia", "0.7"),
        ("own", "1"),
        ("swarm", "1"),
        ("draws", "particle"),
    ],
    protocol: Protocol {
        features: Some("thesis-7"),
        ruleset: Some("thesis"),
        objective: Some("line-points"),
        ..Protocol::OPEN
    },
};

const NUS: Preset = Preset {
    id: "pso-nus",
    learner: "pso",
    definition: "30 particles within +/-3, velocity at most 0.5; the paper's fitness adds bonuses for low boards, ours is lines",
    source: "Wang et al. 2018 (NUS)",
    settings: &[
        ("inertia", "0.72"),
        ("own", "1.42"),
        ("swarm", "1.42"),
        ("speed", "0.5"),
        ("walls", "true"),
        ("range", "3"),
    ],
    protocol: Protocol {
        features: Some("pso-nus"),
        ruleset: Some("simplified-10x20"),
        games: Some(5),
        generations: Some(100),
        objective: Some("lines"),
        ..Protocol::OPEN
    },
};

const NETWORK: Preset = Preset {
    id: "network-swarm",
    learner: "pso",
    definition: "the parameters of a feed-forward network, with w 0.72 and both factors 1.42; the paper's network, features, swarm and \
          games are not known: the thesis' network and six features, the rest is ours",
    source: "Langenhoven, van Heerden and Engelbrecht 2010",
    settings: &[("inertia", "0.72"), ("own", "1.42"), ("swarm", "1.42")],
    protocol: NETWORK_PROTOCOL,
};

struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    best: Rated,
}

/// The numbers of the formula.
struct Flight {
    inertia: f64,
    own: f64,
    swarm: f64,
    draw_per_coordinate: bool,
    speed: f64,
    /// How far from the origin a coordinate can be.
    wall: f64,
}

struct Swarm {
    flight: Flight,
    sampler: Sampler,
    particles: Vec<Particle>,
    best: Rated,
    /// Whether the particles have been told of where they are: then they move on.
    told: bool,
}

impl Swarm {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> Swarm {
        let start = FirstPoints::new(settings, dimension);
        let mut sampler = Sampler::new(seed);
        let positions = start.draw(&mut sampler, settings.count("population"));
        Swarm {
            flight: Flight::new(settings),
            sampler,
            particles: positions.into_iter().map(Particle::at_rest).collect(),
            best: Rated::unknown(start.middle()),
            told: false,
        }
    }

    fn positions(&self) -> impl Iterator<Item = &Vec<f64>> + Clone {
        self.particles.iter().map(|particle| &particle.position)
    }
}

impl Particle {
    fn at_rest(position: Vec<f64>) -> Particle {
        Particle {
            velocity: vec![0.0; position.len()],
            best: Rated::unknown(position.clone()),
            position,
        }
    }
}

impl Flight {
    fn new(settings: &Settings) -> Flight {
        let has_walls = settings.flag("walls");
        Flight {
            inertia: settings.number("inertia"),
            own: settings.number("own"),
            swarm: settings.number("swarm"),
            draw_per_coordinate: settings.word("draws") == "coordinate",
            speed: settings.number("speed"),
            wall: if has_walls {
                settings.number(RANGE.id)
            } else {
                FARTHEST
            },
        }
    }

    /// Formula 11 of the thesis, for one particle.
    fn step(&self, particle: &mut Particle, swarm_best: &[f64], sampler: &mut Sampler) {
        let mut draws = (sampler.unit(), sampler.unit());
        for (i, x) in particle.position.iter_mut().enumerate() {
            if i > 0 && self.draw_per_coordinate {
                draws = (sampler.unit(), sampler.unit());
            }
            let to_own = self.own * draws.0 * (particle.best.vector[i] - *x);
            let to_swarm = self.swarm * draws.1 * (swarm_best[i] - *x);
            let velocity = self.inertia * particle.velocity[i] + to_own + to_swarm;
            particle.velocity[i] = velocity.clamp(-self.speed, self.speed);
            *x = (*x + particle.velocity[i]).clamp(-self.wall, self.wall);
        }
    }
}

/// The limit for a swarm whose factors let it fly apart.
const FARTHEST: f64 = 1e12;

impl Optimizer for Swarm {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        if std::mem::take(&mut self.told) {
            for particle in &mut self.particles {
                self.flight
                    .step(particle, &self.best.vector, &mut self.sampler);
            }
        }
        self.positions().cloned().collect()
    }

    fn tell(&mut self, fitness: &[f64]) {
        assert_one_each(self.particles.len(), fitness);
        self.told = true;
        for (particle, &fitness) in self.particles.iter_mut().zip(fitness) {
            particle.best.improve(&particle.position, fitness);
            self.best.improve(&particle.position, fitness);
        }
    }

    fn solution(&self) -> Vec<f64> {
        self.best.vector.clone()
    }

    fn diagnostics(&self) -> Diagnostics {
        Diagnostics {
            spread: spread(self.positions()),
            ..Diagnostics::default()
        }
    }

    fn stopped(&self) -> Option<String> {
        let is_still = spread(self.positions()) < 1e-12;
        is_still.then(|| "the swarm has come together".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::find_learner;

    fn flight(draw_per_coordinate: bool) -> Flight {
        Flight {
            inertia: 0.5,
            own: 1.0,
            swarm: 2.0,
            draw_per_coordinate,
            speed: 10.0,
            wall: 100.0,
        }
    }

    fn particle() -> Particle {
        Particle {
            position: vec![0.0, 0.0],
            velocity: vec![4.0, -4.0],
            best: Rated::unknown(vec![1.0, 1.0]),
        }
    }

    #[test]
    fn a_particle_moves_by_the_formula() {
        let mut twin = Sampler::new(1);
        let (r1, r2) = (twin.unit(), twin.unit());
        let mut particle = particle();
        flight(false).step(&mut particle, &[-1.0, 3.0], &mut Sampler::new(1));
        let expected = [2.0 + r1 - 2.0 * r2, -2.0 + r1 + 6.0 * r2];
        for i in 0..2 {
            assert!((particle.velocity[i] - expected[i]).abs() < 1e-12);
            assert_eq!(particle.position[i], particle.velocity[i]);
        }
    }

    #[test]
    fn velocity_and_place_stay_within_their_limits() {
        let mut particle = particle();
        let flight = Flight {
            speed: 0.5,
            wall: 0.25,
            ..flight(true)
        };
        flight.step(&mut particle, &[900.0, -900.0], &mut Sampler::new(1));
        assert_eq!(particle.velocity, [0.5, -0.5]);
        assert_eq!(particle.position, [0.25, -0.25]);
    }

    #[test]
    fn the_swarm_remembers_the_best_place() {
        let chosen = find_learner("pso(population=3)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        let first = optimizer.ask();
        optimizer.tell(&[1.0, 5.0, 2.0]);
        assert_ne!(optimizer.ask(), first);
        optimizer.tell(&[0.0, 0.0, 4.0]);
        assert_eq!(optimizer.solution(), first[1]);
    }
}
