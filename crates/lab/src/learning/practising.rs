//! Runs of learners that play: periods instead of generations, a checkpoint after each.
//!
//! In the store a period is a generation of one candidate: its fitness is what the model was worth in test games on fresh seeds, its games and
//! pieces are those of training. First the period's row is added, then the checkpoint replaces the one before.
//!
//! # Resuming
//!
//! Store and checkpoint may disagree, after a power cut or where a run was copied while it went on:
//!
//! - The store has more periods than the checkpoint, or there is no checkpoint: they are played again,
//!   and what comes of them is compared with their rows.
//! - The checkpoint has more periods than the store: it holds the rows of all its periods, and those
//!   that are missing are added to the store.
//! - Both have a period, but not the same one: the run is refused.

mod resuming;

use super::driver::{Driven, Spent, TIME_IS_UP, enough, tell, time_left};
use super::folder::RunFolder;
use super::generation::Generation;
use super::objective::{FitnessUnit, Judgement, Objective, Trial, find_objective};
use super::store::StoredEnding;
use super::task::{check_numbers, rules};
use super::template::outline;
use super::{Learning, LearningError, Store, TooMuchMemory};
use crate::arena::{Arena, GameSeries, Limits, check_player};
use crate::library::{FileError, Parts, PlayerFile, find_ruleset};
use crate::practice::{Apprentice, ChosenPractice, Eyes, Lesson, find_practice};
use crate::study::{Event, EventObserver};
use resuming::PeriodRow;
use std::time::Instant;
use tetrolab_core::evaluators::{Model, ModelKind};
use tetrolab_core::lookup::{BoardSize, TableSet};
use tetrolab_core::rng::game_seed;
use tetrolab_core::ruleset::Ruleset;

/// A plan of a learner that plays, with every name resolved.
pub(crate) struct PracticeTask {
    pub(crate) plan: Learning,
    ruleset: Ruleset,
    objective: Box<dyn Objective>,
    outline: PlayerFile,
    chosen: ChosenPractice,
    dimension: usize,
}

/// Seeds of training and of tests have streams of their own.
const TRAINING: u64 = 0x7072_6163;
const TESTS: u64 = 0x7465_7374;

impl PracticeTask {
    /// Finds every part of a plan, if its learner is one that plays.
    pub(crate) fn find(plan: &Learning) -> Result<Option<PracticeTask>, LearningError> {
        let Some(chosen) = find_practice(&plan.learner)? else {
            return Ok(None);
        };
        let mut plan = plan.clone();
        check_numbers(&plan)?;
        let ruleset = find_ruleset(&plan.ruleset)?;
        plan.rules = Some(rules(&ruleset));
        let objective = find_objective(&plan.objective)?;
        let outline = outline(&plan, &Parts::default())?;
        let mut task = PracticeTask {
            plan,
            ruleset,
            objective,
            outline,
            chosen,
            dimension: 0,
        };
        task.check()?;
        task.dimension = task.apprentice()?.model().numbers().len();
        Ok(Some(task))
    }

    fn check(&self) -> Result<(), LearningError> {
        let known = self.chosen.practice.make.evaluators;
        let problem = match () {
            () if !known.iter().any(|row| row.0 == self.outline.form.id) => {
                let known: Vec<&str> = known.iter().map(|row| row.0).collect();
                let asked = self.outline.form.id;
                format!("learns the evaluator {}, not {asked}", known.join(" or "))
            }
            () if self.plan.start.is_some() => {
                "begins with numbers of its own and takes no start".to_owned()
            }
            () if self.plan.runs != 1 => {
                "makes one run: what several have learned cannot be averaged".to_owned()
            }
            () if self.ruleset.stepped().is_some() => {
                "plays games of straight drops only".to_owned()
            }
            () => {
                let player = self.player(self.apprentice()?.model())?;
                check_player((&self.plan.player, &*player), &self.ruleset)?;
                return self.objective.check(&self.ruleset, &self.plan);
            }
        };
        let learner = self.chosen.practice.id;
        Err(LearningError::Practice { learner, problem })
    }

    /// The learner at its beginning.
    fn apprentice(&self) -> Result<Box<dyn Apprentice>, LearningError> {
        let lesson = Lesson {
            ruleset: &self.ruleset,
            eyes: self.eyes()?,
            seed: game_seed(self.plan.seed, TRAINING),
        };
        Ok(self.chosen.apprentice(&lesson)?)
    }

    /// What the evaluator of the plan sees of a board.
    fn eyes(&self) -> Result<Eyes, LearningError> {
        let (width, height) = (self.ruleset.width, self.ruleset.height);
        let form = &self.outline.form.make;
        Ok(match form.model() {
            Some(ModelKind::Tables) => {
                let size = BoardSize { width, height };
                Eyes::Tables(TableSet::find(&self.plan.features, size)?)
            }
            _ if form.has_features() => Eyes::Features(self.outline.feature_set_on(width)),
            _ => Eyes::Board,
        })
    }

    /// The player with this model.
    fn player(&self, model: Model) -> Result<Box<dyn tetrolab_core::players::Player>, FileError> {
        self.outline.with_model(model, None).player(&self.ruleset)
    }

    /// How many parameters are learned.
    pub(crate) fn dimension(&self) -> usize {
        self.dimension
    }

    /// Checks that the run fits into this many bytes of memory; an estimate.
    pub(crate) fn check_memory(&self, threads: usize, limit: u64) -> Result<(), LearningError> {
        let mut parts = self.apprentice()?.memory();
        parts.extend(self.objective.memory(threads));
        let learner = self.chosen.practice.id;
        Ok(TooMuchMemory::check(learner, &parts, limit)?)
    }

    /// What the fitness of a test is.
    pub(crate) fn unit(&self) -> FitnessUnit {
        self.objective.unit()
    }

    /// Whether tests are whole games.
    pub(crate) fn plays_games(&self) -> bool {
        self.objective.plays_games()
    }

    /// The text of the learned player's file, whose model stands in a file of this name beside it.
    pub(crate) fn player_text(
        &self,
        run: &str,
        model: &Model,
        file: &str,
        provenance: &str,
    ) -> String {
        let mut player = self
            .outline
            .with_model(model.clone(), Some(file.to_owned()));
        player.name = run.to_owned();
        player.title = format!(
            "learned with {} on {}",
            self.chosen.practice.id, self.plan.ruleset
        );
        player.source = format!("tetrolab {}", env!("CARGO_PKG_VERSION"));
        player.provenance = Some(provenance.to_owned());
        player.text()
    }

    /// Carries out the task, or the rest of it; and the model that was learned, unless it was stopped.
    pub(crate) fn drive(
        &self,
        arena: &Arena,
        store: &mut Store,
        run: &RunFolder,
        observer: &EventObserver<'_>,
    ) -> Result<(Driven, Option<Model>), LearningError> {
        let mut practising = Practising {
            task: self,
            arena,
            store,
            run,
            observer,
            apprentice: self.apprentice()?,
            done: Vec::new(),
            last: None,
            best: None,
        };
        practising.run()
    }
}

/// A run in progress.
struct Practising<'a> {
    task: &'a PracticeTask,
    arena: &'a Arena,
    store: &'a mut Store,
    run: &'a RunFolder,
    observer: &'a EventObserver<'a>,
    apprentice: Box<dyn Apprentice>,
    /// What came of the periods that are done.
    done: Vec<PeriodRow>,
    /// The model after the last of them: that of the apprentice is of no use after it was stopped.
    last: Option<Model>,
    /// The best test so far, and its model.
    best: Option<(f64, Model)>,
}

impl Practising<'_> {
    fn run(&mut self) -> Result<(Driven, Option<Model>), LearningError> {
        let stored = self.store.generations(&self.run.id, 0)?;
        let stored: Vec<PeriodRow> = stored.iter().map(PeriodRow::of_store).collect();
        let ending = self.store.ending(&self.run.id, 0)?;
        self.restore(stored.len())?;
        self.bring_in_line(&stored)?;
        let (mut driven, mut spent) = (Driven::default(), Spent::default());
        for period in 0.. {
            let known = stored.get(period as usize).copied();
            let done = self.done.get(period as usize).copied();
            let limited = spent.generations > 0 && ending.is_none();
            let arena = self.arena.until(self.deadline(&spent).filter(|_| limited));
            let generation = match done {
                Some(done) => Some(done.generation(period, true)),
                None => self.period(period, known, &arena)?,
            };
            let stop = match generation {
                Some(generation) => {
                    (self.observer)(&Event::Generation(&generation));
                    spent.add(&generation);
                    driven.add(&generation);
                    let stop = enough(&self.task.plan, &generation, &spent, spent.seconds, None);
                    driven.last = Some(generation);
                    let ended = ending.as_ref();
                    let ended = ended.filter(|ending| spent.generations >= ending.generations);
                    stop.or_else(|| ended.map(|ending| ending.reason.clone()))
                }
                None if arena.is_expired() => Some(TIME_IS_UP.to_owned()),
                None => {
                    driven.interrupted = true;
                    return Ok((driven, None));
                }
            };
            if let (Some(stop), Some(last)) = (stop, &driven.last) {
                (self.observer)(&Event::RunEnded {
                    last,
                    reason: &stop,
                    seconds: spent.seconds,
                });
                driven.stops.push(stop);
                break;
            }
        }
        self.finish(&driven, &spent, ending.is_some())?;
        let model = match (self.keeps_best(), &self.best) {
            (true, Some((_, best))) => Some(best.clone()),
            _ => self.last.clone(),
        };
        Ok((driven, model))
    }

    /// Notes how the run ended.
    fn finish(
        &mut self,
        driven: &Driven,
        spent: &Spent,
        is_noted: bool,
    ) -> Result<(), LearningError> {
        if !is_noted {
            let ending = StoredEnding {
                generations: spent.generations,
                reason: driven.stops.join("; "),
            };
            self.store.end(&self.run.id, 0, &ending)?;
        }
        Ok(self.store.finish(&self.run.id, &driven.stops)?)
    }

    /// When the time of the run is up, if it is limited.
    fn deadline(&self, spent: &Spent) -> Option<Instant> {
        let left = time_left(&self.task.plan, 0, spent.seconds)?;
        Instant::now().checked_add(left)
    }

    fn keeps_best(&self) -> bool {
        self.task.chosen.settings.word("keep") == "best"
    }

    /// Plays one period, tests the model, and keeps both; nothing if it was stopped.
    fn period(
        &mut self,
        period: u64,
        known: Option<PeriodRow>,
        arena: &Arena,
    ) -> Result<Option<Generation>, LearningError> {
        let began = Instant::now();
        let practised = self.apprentice.practise(arena, period);
        let practised = practised.map_err(|diverged| LearningError::Diverged {
            diverged,
            last: self.last_good(period),
        })?;
        let Some(practised) = practised else {
            return Ok(None);
        };
        let model = self.apprentice.model();
        let Some(tested) = self.test(period, model.clone(), arena)? else {
            return Ok(None);
        };
        let fitness = tested.fitness[0];
        let row = PeriodRow {
            fitness: fitness.to_bits(),
            games: practised.games,
            pieces: practised.pieces,
            seconds: began.elapsed().as_secs_f64().to_bits(),
        };
        let row = match known {
            None => {
                let added = row.generation(period, false);
                self.store.add(&self.run.id, &added, &|| false)?;
                row
            }
            Some(known) if known.is_same(row) => known,
            Some(_) => return Err(LearningError::OtherPeriod(period + 1)),
        };
        if self.best.as_ref().is_none_or(|best| fitness > best.0) {
            self.best = Some((fitness, model.clone()));
        }
        self.last = Some(model);
        self.done.push(row);
        self.keep()?;
        Ok(Some(row.generation(period, known.is_some())))
    }

    /// What the model is worth on games that nothing has learned from: each period has its own.
    fn test(
        &self,
        period: u64,
        model: Model,
        arena: &Arena,
    ) -> Result<Option<Judgement>, LearningError> {
        let plan = &self.task.plan;
        let number = if plan.fixed_games { 0 } else { period };
        let seed = game_seed(game_seed(plan.seed, TESTS), number);
        let observer = self.observer;
        let trial = Trial {
            arena,
            series: GameSeries::new(&self.task.ruleset, seed).limits(Limits {
                max_pieces: plan.max_pieces,
                record_placements: None,
            }),
            games: plan.games,
            observer: &|progress| tell(observer, &progress),
        };
        self.task
            .objective
            .judge(&trial, &[self.task.player(model)?])
    }

    fn last_good(&self, period: u64) -> String {
        match period {
            0 => "there is no checkpoint before it".to_owned(),
            _ => format!(
                "the checkpoint of period {period} is {}",
                self.run.checkpoint().display()
            ),
        }
    }
}
