//! A plan with every name resolved.

use super::objective::{FitnessUnit, Objective, find_objective};
use super::template::Template;
use super::{Learning, LearningError, TooMuchMemory};
use crate::arena::check_player;
use crate::learners::vectors::centre;
use crate::learners::{Chosen, LearnerError, Optimizer, find_learner};
use crate::library::{Parts, find_ruleset};
use tetrolab_core::evaluators::Model;
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// A plan that can be carried out.
pub struct Task {
    /// The plan.
    pub plan: Learning,
    pub(super) ruleset: Ruleset,
    pub(super) objective: Box<dyn Objective>,
    pub(super) template: Template,
    learner: Chosen,
}

/// The streams of random numbers of a run; each has its own seeds.
#[derive(Clone, Copy)]
enum Stream {
    Optimizer = 0x006F_7074,
    Games = 0x6761_6D65,
}

impl Task {
    /// Finds every part of a plan.
    ///
    /// # Errors
    /// When a name is unknown, a setting makes no sense, or parts do not fit together.
    pub fn new(plan: Learning) -> Result<Task, LearningError> {
        Task::with_parts(plan, Parts::default())
    }

    /// Finds every part of a plan whose evaluator or player may be one's own.
    ///
    /// # Errors
    /// When a name is unknown, a setting makes no sense, or parts do not fit together.
    pub fn with_parts(mut plan: Learning, parts: Parts) -> Result<Task, LearningError> {
        check_numbers(&plan)?;
        let ruleset = find_ruleset(&plan.ruleset)?;
        plan.rules = Some(rules(&ruleset));
        let objective = find_objective(&plan.objective)?;
        let mut learner = find_learner(&plan.learner)?;
        if plan.start.is_some() {
            learner = learner.near_a_start()?;
            plan.learner = learner.spec().to_string();
        }
        let task = Task {
            objective,
            template: Template::new(&mut plan, parts, &ruleset, learner.learner)?,
            learner,
            ruleset,
            plan,
        };
        task.check()?;
        Ok(task)
    }

    /// Finds what would only be found when the first candidate plays.
    fn check(&self) -> Result<(), LearningError> {
        if self.dimension() == 0 {
            let learner = self.learner.learner.id;
            return Err(LearnerError::NoWeights { learner }.into());
        }
        self.check_normalised()?;
        self.objective.check(&self.ruleset, &self.plan)?;
        let player = self
            .template
            .player(&vec![0.5; self.dimension()], &self.ruleset)?;
        check_player((&self.plan.player, &*player), &self.ruleset)?;
        Ok(())
    }

    /// A learner of directions learns weights around 0 of which only the direction counts: other forms, and other places, need
    /// lengths too.
    fn check_normalised(&self) -> Result<(), LearningError> {
        if !self.learner.normalises() {
            return Ok(());
        }
        let learner = self.learner.learner.id;
        if let Some(start) = self.plan.start.clone() {
            return Err(LearningError::StartIsLeft { learner, start });
        }
        let evaluator = self.plan.evaluator.clone();
        match self.template.only_direction_counts() {
            true => Ok(()),
            false => Err(LearningError::LengthMatters { learner, evaluator }),
        }
    }

    /// Checks that the run fits into this many bytes of memory; an estimate.
    ///
    /// # Errors
    /// When it does not.
    pub fn check_memory(&self, threads: usize, limit: u64) -> Result<(), LearningError> {
        let mut parts = self.learner.memory(self.dimension());
        parts.extend(self.objective.memory(threads));
        Ok(TooMuchMemory::check(
            self.learner.learner.id,
            &parts,
            limit,
        )?)
    }

    /// How many numbers are learned.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.template.dimension()
    }

    /// Whether the learned player has a model, which has a file of its own.
    pub(crate) fn has_model(&self) -> bool {
        self.template.has_model()
    }

    /// What the fitness of a candidate is.
    #[must_use]
    pub fn unit(&self) -> FitnessUnit {
        self.objective.unit()
    }

    /// Whether candidates play whole games.
    #[must_use]
    pub fn plays_games(&self) -> bool {
        self.objective.plays_games()
    }

    /// The optimiser of a run, at its start.
    pub(super) fn optimizer(&self, run: u64) -> Result<Box<dyn Optimizer>, LearningError> {
        let seed = self.seed(Stream::Optimizer, run);
        Ok(self.learner.optimizer(self.template.dimension(), seed)?)
    }

    /// The seed of the games of a generation: the same for all its candidates.
    pub(super) fn games_seed(&self, run: u64, generation: u64) -> u64 {
        let generation = if self.plan.fixed_games { 0 } else { generation };
        game_seed(self.seed(Stream::Games, run), generation)
    }

    fn seed(&self, stream: Stream, run: u64) -> u64 {
        game_seed(game_seed(self.plan.seed, stream as u64), run)
    }

    /// The player file of the solutions of all runs; the text of one with a model holds it.
    #[must_use]
    pub fn player_file(&self, name: &str, solutions: &[Vec<f64>], provenance: &str) -> String {
        self.player_text(name, solutions, provenance, None)
    }

    /// The same, with the model, if there is one, in a file of this name beside it.
    pub(crate) fn player_text(
        &self,
        name: &str,
        solutions: &[Vec<f64>],
        provenance: &str,
        model_file: Option<&str>,
    ) -> String {
        let solution = self.solution(solutions);
        self.template
            .file(&self.plan, name, &solution, provenance, model_file)
    }

    /// The model of the solutions, if they are its numbers.
    pub(crate) fn model(&self, solutions: &[Vec<f64>]) -> Option<Model> {
        self.template.model(&self.solution(solutions))
    }

    /// What all runs have found. Several solutions are averaged, as Boumaza (2009) does with the mean vectors of his runs; weights are scaled to
    /// unit length first, which changes no decision, so that all runs count alike.
    fn solution(&self, solutions: &[Vec<f64>]) -> Vec<f64> {
        if let [only] = solutions {
            return only.clone();
        }
        let mut solutions = solutions.to_vec();
        if self.template.only_direction_counts() {
            let solutions = solutions.iter_mut();
            solutions.for_each(|solution| self.template.scale_to_unit_length(solution));
        }
        centre(solutions.iter())
    }
}

/// Everything about a game but its name.
pub(super) fn rules(ruleset: &Ruleset) -> String {
    let Ruleset {
        width,
        height,
        rules,
        preview,
        randomizer_spec,
        ..
    } = ruleset;
    let end = rules.as_ref().end_name();
    let rules = format!("{width}x{height} {end} preview={preview} {randomizer_spec}");
    match ruleset.stepped() {
        Some(_) => format!("{rules} {}", ruleset.moves_spec),
        None => rules,
    }
}

pub(super) fn check_numbers(plan: &Learning) -> Result<(), LearningError> {
    let budget = &plan.budget;
    let counts = [
        ("games", Some(plan.games)),
        ("max_pieces", plan.max_pieces),
        ("budget.generations", budget.generations),
        ("budget.games", budget.games),
        ("budget.pieces", budget.pieces),
        ("runs", Some(plan.runs)),
    ];
    if let Some((field, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
        return Err(LearningError::Zero(field));
    }
    if budget.is_endless() {
        return Err(LearningError::Endless);
    }
    if let Some(time) = budget
        .seconds
        .filter(|time| !(*time > 0.0 && time.is_finite()))
    {
        return Err(LearningError::Time(time));
    }
    if let Some(fitness) = budget.fitness.filter(|fitness| !fitness.is_finite()) {
        return Err(LearningError::Fitness(fitness));
    }
    Ok(())
}
