//! Particle swarm: particles move towards their own best position and that of the swarm.
//!
//! v' = w v + φ1 r1 (own best - x) + φ2 r2 (swarm best - x), x' = x + v' \[1, formula 11\]. In
//! \[2\], r1 and r2 are drawn for every coordinate; in the thesis, each is one number for the whole
//! particle (`draws=particle`), so that a particle moves within the span of three vectors.
//! Particles start at rest. A best position keeps the fitness measured when it was found.
//!
//! 1. "TetrisBot", master's thesis (thesis), chapter 5.3.2.
//! 2. J. Kennedy and R. Eberhart, "Particle swarm optimization", ICNN 1995; the inertia is of Y.
//!    Shi and R. Eberhart, CEC 1998.
//! 3. L. Langenhoven, W. van Heerden and A. Engelbrecht, "Swarm Tetris", CEC 2010, the source of
//!    the constants in \[4\].
//! 4. O. Wang et al., "PSO Tetris AI", report, NUS 2018.

use super::sampling::Sampler;
use super::start::{FirstPoints, RANGE, START};
use super::vectors::{Rated, assert_one_each, spread};
use super::{
    Kind, Learner, LearningMethod, NETWORK_PROTOCOL, Optimizer, Preset, Protocol, Settings,
};
use crate::settings::settings;

pub(in crate::learners) const LEARNER: Learner = Learner {
    id: "pso",
    definition: "a swarm of particles, each attracted to its own best position and to that of the swarm",
    source: "Kennedy and Eberhart 1995; thesis",
    settings: PsoSettings::SETTINGS,
    make: LearningMethod::optimiser(&[THESIS, NUS, NETWORK], |settings, dimension, seed| {
        Box::new(Swarm::new(settings, dimension, seed))
    }),
};

settings! {
    struct PsoSettings {
        /// number of particles
        population: usize = "30" in Kind::POPULATION;
        /// share of a particle's velocity that is kept (w)
        inertia: f64 = "0.72" in Kind::number(0.0, 4.0);
        /// attraction of a particle to its own best position (phi 1)
        own: f64 = "1.42" in Kind::number(0.0, 4.0);
        /// attraction of a particle to the swarm's best position (phi 2)
        swarm: f64 = "1.42" in Kind::number(0.0, 4.0);
        /// whether the two random numbers are drawn per coordinate or per particle
        draws: String = "coordinate" in Kind::Word(&["coordinate", "particle"]);
        /// the largest velocity in a coordinate
        speed: f64 = "1000000" in Kind::LENGTH;
        /// whether the particles stay within the range of the start box
        walls: bool = "false" in Kind::Flag;
        start: String = START;
        range: f64 = RANGE;
    }
}

/// The settings in the row of the thesis' table with the best mean in the test games.
const THESIS: Preset = Preset {
    id: "thesis-pso",
    definition: "w 0.7 and both factors 1, the best row of the thesis; swarm, start, features and games are not stated; they are ours",
    source: "thesis, 5.3.2",
    settings: "inertia=0.7,own=1,swarm=1,draws=particle",
    protocol: Protocol {
        features: Some("thesis-7"),
        ruleset: Some("thesis"),
        objective: Some("line-points"),
        ..Protocol::OPEN
    },
};

const NUS: Preset = Preset {
    id: "pso-nus",
    definition: "30 particles within +/-3, velocity at most 0.5; the paper's fitness adds bonuses for low boards, ours is lines",
    source: "Wang et al. 2018 (NUS)",
    settings: "inertia=0.72,own=1.42,swarm=1.42,speed=0.5,walls=true,range=3",
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
    definition: "the parameters of a feed-forward network, with w 0.72 and both factors 1.42; the paper's network, features, swarm and games are unknown, so the thesis' network and six features are used, and the rest is ours",
    source: "Langenhoven, van Heerden and Engelbrecht 2010",
    settings: "inertia=0.72,own=1.42,swarm=1.42",
    protocol: NETWORK_PROTOCOL,
};

struct Particle {
    position: Vec<f64>,
    velocity: Vec<f64>,
    best: Rated,
}

struct Swarm {
    settings: PsoSettings,
    sampler: Sampler,
    particles: Vec<Particle>,
    best: Rated,
    /// Whether the particles have received their fitness and will move.
    told: bool,
}

impl Swarm {
    fn new(settings: &Settings, dimension: usize, seed: u64) -> Swarm {
        let start = FirstPoints::new(settings, dimension);
        let mut sampler = Sampler::new(seed);
        let own = PsoSettings::read(settings);
        let positions = start.draw(&mut sampler, own.population);
        Swarm {
            settings: own,
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

impl PsoSettings {
    /// The maximum absolute value of a coordinate.
    fn wall(&self) -> f64 {
        if self.walls { self.range } else { FARTHEST }
    }

    /// Formula 11 of the thesis, for one particle.
    fn step(&self, particle: &mut Particle, swarm_best: &[f64], sampler: &mut Sampler) {
        let (per_coordinate, wall) = (self.draws == "coordinate", self.wall());
        let mut draws = (sampler.unit(), sampler.unit());
        for (i, x) in particle.position.iter_mut().enumerate() {
            if i > 0 && per_coordinate {
                draws = (sampler.unit(), sampler.unit());
            }
            let to_own = self.own * draws.0 * (particle.best.vector[i] - *x);
            let to_swarm = self.swarm * draws.1 * (swarm_best[i] - *x);
            let velocity = self.inertia * particle.velocity[i] + to_own + to_swarm;
            particle.velocity[i] = velocity.clamp(-self.speed, self.speed);
            *x = (*x + particle.velocity[i]).clamp(-wall, wall);
        }
    }
}

/// The limit for a swarm that diverges because of its factors.
const FARTHEST: f64 = 1e12;

impl Optimizer for Swarm {
    fn ask(&mut self) -> Vec<Vec<f64>> {
        if std::mem::take(&mut self.told) {
            for particle in &mut self.particles {
                self.settings
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

    fn spread(&self) -> f64 {
        spread(self.positions())
    }

    fn stopped(&self) -> Option<String> {
        let is_still = spread(self.positions()) < 1e-12;
        is_still.then(|| "the swarm has converged".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learners::find_learner;

    fn flight(draws: &str) -> PsoSettings {
        let spec = format!("pso(inertia=0.5,own=1,swarm=2,draws={draws},speed=10,walls=true)");
        let settings = PsoSettings::read(&find_learner(&spec).unwrap().settings);
        PsoSettings {
            range: 100.0,
            ..settings
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
        flight("particle").step(&mut particle, &[-1.0, 3.0], &mut Sampler::new(1));
        let expected = [2.0 + r1 - 2.0 * r2, -2.0 + r1 + 6.0 * r2];
        for i in 0..2 {
            assert!((particle.velocity[i] - expected[i]).abs() < 1e-12);
            assert_eq!(particle.position[i], particle.velocity[i]);
        }
    }

    #[test]
    fn velocity_and_position_stay_within_their_limits() {
        let mut particle = particle();
        let flight = PsoSettings {
            speed: 0.5,
            range: 0.25,
            ..flight("coordinate")
        };
        flight.step(&mut particle, &[900.0, -900.0], &mut Sampler::new(1));
        assert_eq!(particle.velocity, [0.5, -0.5]);
        assert_eq!(particle.position, [0.25, -0.25]);
    }

    #[test]
    fn the_swarm_remembers_the_best_position() {
        let chosen = find_learner("pso(population=3)").unwrap();
        let mut optimizer = chosen.optimizer(2, 1).unwrap();
        let first = optimizer.ask();
        optimizer.tell(&[1.0, 5.0, 2.0]);
        assert_ne!(optimizer.ask(), first);
        optimizer.tell(&[0.0, 0.0, 4.0]);
        assert_eq!(optimizer.solution(), first[1]);
    }
}
