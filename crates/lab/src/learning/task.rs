//! A plan with every name resolved.

use super::objective::{FitnessUnit, Objective, find_objective};
use super::template::Template;
use super::{Learning, LearningError, TooMuchMemory};
use crate::arena::check_player;
use crate::context::Event;
use crate::learners::vectors::centre;
use crate::learners::{Chosen, LearnerError, LearningRun, Solution, TrainingSetup, find_learner};
use crate::library::{FullRules, Parts, find_ruleset};
#[cfg(feature = "store")]
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
    pub(super) learner: Chosen,
    dimension: usize,
}

/// The streams of random numbers in a run, each with separate seeds.
#[derive(Clone, Copy)]
enum Stream {
    Optimizer = 0x006F_7074,
    Games = 0x6761_6D65,
    Training = 0x7072_6163,
    Tests = 0x7465_7374,
}

impl Task {
    /// Finds every part of a plan.
    ///
    /// # Errors
    /// If a name is unknown, a setting is invalid, or parts do not fit together.
    pub fn new(plan: Learning) -> Result<Task, LearningError> {
        Task::with_parts(plan, Parts::default())
    }

    /// Finds every part of a plan; the evaluator and the player may come from the caller.
    ///
    /// # Errors
    /// If a name is unknown, a setting is invalid, or parts do not fit together.
    pub(crate) fn with_parts(mut plan: Learning, parts: Parts) -> Result<Task, LearningError> {
        check_numbers(&plan)?;
        let ruleset = find_ruleset(&plan.ruleset)?;
        plan.rules = Some(FullRules::unnamed(&ruleset));
        let objective = find_objective(&plan.objective)?;
        let mut learner = find_learner(&plan.learner)?;
        if plan.start.is_some() {
            learner = learner.near_a_start()?;
            plan.learner = learner.spec().to_string();
        }
        check_supported(&learner, &plan, &ruleset)?;
        let mut task = Task {
            objective,
            template: Template::new(&mut plan, parts, &ruleset, learner.learner)?,
            learner,
            ruleset,
            plan,
            dimension: 0,
        };
        task.check()?;
        Ok(task)
    }

    /// Finds problems that would otherwise only appear when the first candidate plays.
    fn check(&mut self) -> Result<(), LearningError> {
        self.check_normalised()?;
        self.objective.check(&self.ruleset, &self.plan)?;
        let example = match self.template.dimension() {
            Some(dimension) => Solution::Numbers(vec![0.5; dimension]),
            None => self.run(0)?.solution(),
        };
        self.dimension = example.len();
        if self.dimension == 0 {
            let learner = self.learner.learner.id;
            return Err(LearnerError::NoWeights { learner }.into());
        }
        let player = self.template.player(&example, &self.ruleset)?;
        check_player((&self.plan.player, &*player), &self.ruleset)?;
        Ok(())
    }

    /// Checks that a learner of directions searches weights around 0, where only the direction
    /// matters; other evaluators and starts also need lengths.
    fn check_normalised(&self) -> Result<(), LearningError> {
        if !self.learner.normalises() {
            return Ok(());
        }
        let learner = self.learner.learner.id;
        let scales = format!("{learner} with normalise=true scales its vectors to unit length");
        if let Some(start) = &self.plan.start {
            return LearningError::refused(format!(
                "{scales}, so it cannot start at the weights of {start}; use normalise=false"
            ));
        }
        if self.template.only_direction_counts() {
            return Ok(());
        }
        LearningError::refused(format!(
            "{scales}, which would change the decisions of the {} evaluator; use normalise=false",
            self.plan.evaluator
        ))
    }

    /// Checks that the estimated memory of a run is within this number of bytes.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_memory(&self, threads: usize, limit: u64) -> Result<(), LearningError> {
        let mut parts = self.learner.memory(&self.setup(0)?)?;
        parts.extend(self.objective.memory(threads));
        Ok(TooMuchMemory::check(
            self.learner.learner.id,
            &parts,
            limit,
        )?)
    }

    /// Number of values learned.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether a generation compares candidates instead of evaluating one model.
    pub fn compares_candidates(&self) -> bool {
        !self.learner.learner.make.trains_model()
    }

    /// Whether the learned player has a model, which is stored in a separate file.
    #[cfg(feature = "store")]
    pub(crate) fn has_model(&self) -> bool {
        self.template.has_model()
    }

    /// The unit of the fitness.
    pub fn unit(&self) -> FitnessUnit {
        self.objective.unit()
    }

    /// Whether candidates play whole games.
    pub fn plays_games(&self) -> bool {
        self.objective.plays_games()
    }

    /// The event that reports the start of the task.
    pub(crate) fn began(&self, folder: String, finished_before: bool) -> Event {
        Event::LearningBegan {
            folder,
            learning: Box::new(self.plan.clone()),
            dimension: self.dimension(),
            unit: self.unit(),
            plays_games: self.plays_games(),
            compares_candidates: self.compares_candidates(),
            finished_before,
        }
    }

    /// One of the independent runs in its initial state.
    pub(super) fn run(&self, run: u64) -> Result<Box<dyn LearningRun>, LearningError> {
        Ok(self.learner.run(&self.setup(run)?)?)
    }

    /// The input of a run.
    fn setup(&self, run: u64) -> Result<TrainingSetup<'_>, LearningError> {
        Ok(TrainingSetup {
            ruleset: &self.ruleset,
            observation: self
                .template
                .observation(&self.plan.features, &self.ruleset)?,
            dimension: self.template.dimension().unwrap_or(0),
            seed: self.first_seed(Stream::Training, run),
            optimizer_seed: self.seed(Stream::Optimizer, run),
        })
    }

    /// The seed of the training games of a generation, the same for all its candidates.
    pub(super) fn games_seed(&self, run: u64, generation: u64) -> u64 {
        game_seed(self.seed(Stream::Games, run), self.numbered(generation))
    }

    /// The seed of the evaluation games of a generation.
    pub(super) fn tests_seed(&self, run: u64, generation: u64) -> u64 {
        game_seed(
            self.first_seed(Stream::Tests, run),
            self.numbered(generation),
        )
    }

    /// The number that selects the games of a generation.
    fn numbered(&self, generation: u64) -> u64 {
        if self.plan.fixed_games { 0 } else { generation }
    }

    fn seed(&self, stream: Stream, run: u64) -> u64 {
        game_seed(game_seed(self.plan.seed, stream as u64), run)
    }

    /// The stream's own seed for the first run, or a derived one for the others.
    fn first_seed(&self, stream: Stream, run: u64) -> u64 {
        match run {
            0 => game_seed(self.plan.seed, stream as u64),
            _ => self.seed(stream, run),
        }
    }

    /// The text of the player file of the solutions of all runs. A model is stored in a file of
    /// this name next to it, or in the text.
    pub(crate) fn player_text(
        &self,
        name: &str,
        solutions: &[Solution],
        provenance: &str,
        model_file: Option<&str>,
    ) -> String {
        let solution = self.solution(solutions);
        self.template
            .file(&self.plan, name, &solution, provenance, model_file)
    }

    /// The model of the solutions, if they have one.
    #[cfg(feature = "store")]
    pub(crate) fn model(&self, solutions: &[Solution]) -> Option<Model> {
        self.template.model(&self.solution(solutions))
    }

    /// The solution of all runs. Several solutions are averaged, as Boumaza (2009) does with the
    /// mean vectors of his runs. Weights are scaled to unit length first, which changes no
    /// decision, so that all runs count the same.
    fn solution(&self, solutions: &[Solution]) -> Solution {
        if let [only] = solutions {
            return only.clone();
        }
        let numbers = solutions.iter().map(Solution::stored_numbers);
        let mut numbers: Vec<Vec<f64>> = numbers.map(<[f64]>::to_vec).collect();
        if self.template.only_direction_counts() {
            let numbers = numbers.iter_mut();
            numbers.for_each(|numbers| self.template.scale_to_unit_length(numbers));
        }
        Solution::Numbers(centre(numbers.iter()))
    }
}

/// Refuses settings that require a method that searches the parameters of an evaluator.
fn check_supported(
    learner: &Chosen,
    plan: &Learning,
    ruleset: &Ruleset,
) -> Result<(), LearningError> {
    let known = learner.learner.make.evaluators;
    let is_known = known.iter().any(|row| row.0 == plan.evaluator);
    let problem = match () {
        () if !learner.learner.make.trains_model() => return Ok(()),
        () if plan.layers.is_some() || plan.activation.is_some() => {
            return LearningError::refused(
                "the layers of a reinforcement learner are among its settings, as in q-network(units=32,layers=3)",
            );
        }
        () if plan.start.is_some() => {
            "cannot start from an existing player; leave start out".to_owned()
        }
        () if !is_known => {
            let known: Vec<&str> = known.iter().map(|row| row.0).collect();
            let asked = &plan.evaluator;
            format!(
                "supports only the evaluator {}, got {asked}",
                one_of(&known)
            )
        }
        () if plan.runs != 1 => {
            "supports one run only, because the results of several cannot be averaged".to_owned()
        }
        () if ruleset.stepped().is_some() => "supports only games with straight drops".to_owned(),
        () => return Ok(()),
    };
    LearningError::refused(format!("{} {problem}", learner.learner.id))
}

/// Names as alternatives: `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}

fn check_numbers(plan: &Learning) -> Result<(), LearningError> {
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
        let text = "this run would never end: it needs a number of generations or another limit";
        return LearningError::refused(text);
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
