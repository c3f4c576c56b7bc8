//! Events that a study reports while it runs.

use super::StudyId;
use crate::bench::Verified;
use crate::learning::{Generation, Learning, objective::FitnessUnit};
use crate::number::{finite, fitness};
use crate::stats::sequential::InterimAnalysis;
use crate::study::{Method, Note};
use serde::{Deserialize, Serialize};

/// An event, with the study that reports it and the time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyEvent {
    /// The study.
    pub study: StudyId,
    /// Seconds since the start of the study.
    pub elapsed: f64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An event of a study, for progress bars, logs and web pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// The study is still running; reported if there is nothing else to report.
    Working,
    /// A pilot run of a player begins; it shows how long games are, and which levels the stack
    /// passes.
    PilotBegan {
        /// The player.
        player: String,
    },
    /// The pilot run is over.
    PilotEnded {
        /// The player.
        player: String,
        /// The method that will be used to estimate the player's mean; `None` in a comparison,
        /// which chooses one for both players.
        method: Option<Method>,
    },
    /// Games begin.
    GamesBegan {
        /// Number of games of all players together.
        games: u64,
        /// The cap on the pieces of a game.
        max_pieces: Option<u64>,
    },
    /// Games take long: the expectation from a player's pilot run, reported together with the
    /// games.
    Expected {
        /// The player.
        player: String,
        /// The games that the player plays.
        games: u64,
        /// The expected number of pieces per game; `None` if games may never end.
        pieces: Option<f64>,
    },
    /// Progress of the games; reported a few dozen times per second by the threads that play.
    Games {
        /// Games that have ended or were truncated.
        done: u64,
        /// Games to play.
        total: u64,
        /// Pieces placed so far.
        pieces: u64,
    },
    /// The games have ended.
    GamesEnded,
    /// The repetitions of splitting begin.
    RepetitionsBegan {
        /// The player.
        player: String,
    },
    /// A repetition is done; reported by the thread that did it.
    Repetition {
        /// The player.
        player: String,
        /// Repetitions that are done.
        repetitions: u64,
        /// The half width of the interval relative to the mean; `None` before the second
        /// repetition.
        precision: Option<f64>,
        /// Pieces played.
        pieces: u64,
        /// Progress towards the target, from 0 to 1.
        part: f64,
    },
    /// The repetitions have ended.
    RepetitionsEnded {
        /// The player.
        player: String,
    },
    /// The games or repetitions before an interim analysis of a comparison begin.
    #[serde(rename = "look-began")]
    AnalysisBegan {
        /// The number of the interim analysis, starting at 0.
        #[serde(rename = "look")]
        number: usize,
    },
    /// An interim analysis of a comparison.
    #[serde(rename = "look-ended")]
    AnalysisEnded {
        /// The number of the interim analysis, starting at 0.
        #[serde(rename = "look")]
        number: usize,
        /// The result of the interim analysis; `None` if there was not enough data.
        found: Option<InterimAnalysis>,
    },
    /// The kernel was compared with the general path.
    Verified(Verified),
    /// A learning run begins or continues.
    LearningBegan {
        /// The folder of the run.
        folder: String,
        /// The description of the run, with the complete rules.
        learning: Box<Learning>,
        /// Number of learned numbers.
        dimension: usize,
        /// The unit of the fitness.
        unit: FitnessUnit,
        /// Whether candidates play whole games.
        plays_games: bool,
        /// Whether a generation compares candidates instead of evaluating one model.
        compares_candidates: bool,
        /// Whether the run was already finished; then it is only shown again.
        finished_before: bool,
    },
    /// Progress of the current generation; reported if there is nothing else to report.
    Training {
        /// The number of the generation, from 0.
        generation: u64,
        /// Pieces placed in training, or candidates evaluated.
        done: u64,
        /// The number at the end of the generation; 0 for a method that reports games instead.
        total: u64,
    },
    /// A generation was made and stored.
    Generation(GenerationSummary),
    /// One of the independent runs has ended.
    RunEnded {
        /// The last generation of the run.
        last: GenerationSummary,
        /// Why the run ended.
        reason: String,
        /// Seconds taken by the generations of the run.
        seconds: f64,
    },
    /// A stage of an experiment begins.
    StageBegan {
        /// The name of the stage.
        stage: String,
        /// The number of the stage, starting at 1.
        number: usize,
        /// Number of stages.
        of: usize,
        /// Estimated seconds for this stage and the following ones, if similar stages have been
        /// done.
        to_go: Option<f64>,
    },
    /// A stage of an experiment is done, or was interrupted.
    StageEnded {
        /// The name of the stage.
        stage: String,
        /// Whether the result was already stored.
        was_kept: bool,
    },
    /// A remark for readers of the result.
    Noted {
        /// The player.
        player: String,
        /// The text.
        note: Note,
    },
}

/// A generation without its candidates, which are in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationSummary {
    /// The index of the run within the plan.
    pub run: u64,
    /// The number of the generation, starting at 0.
    pub number: u64,
    /// The highest fitness.
    #[serde(serialize_with = "finite", deserialize_with = "fitness")]
    pub best: f64,
    /// The mean fitness.
    #[serde(serialize_with = "finite", deserialize_with = "fitness")]
    pub mean: f64,
    /// The step size, for methods that have one.
    pub sigma: Option<f64>,
    /// The spread of the candidates.
    #[serde(serialize_with = "finite", deserialize_with = "fitness")]
    pub spread: f64,
    /// The values of the best candidate; `None` if there are more than [`Self::MOST_NUMBERS`], or
    /// if it is a model in a separate file.
    pub numbers: Vec<f64>,
    /// Number of games played.
    pub games: u64,
    /// Number of pieces placed.
    pub pieces: u64,
    /// Number of truncated games; `None` if the generation was read from the store.
    pub cut_off: Option<u64>,
    /// Duration in wall-clock time.
    pub seconds: f64,
    /// Whether the generation was read from the store.
    pub from_store: bool,
}

impl GenerationSummary {
    /// The maximum number of values of a candidate that are reported.
    pub const MOST_NUMBERS: usize = 100;

    pub(crate) fn of(generation: &Generation) -> GenerationSummary {
        let best = generation.best();
        let rated = generation.candidates.iter().zip(&generation.fitness);
        let numbers = rated.filter(|rated| *rated.1 == best).map(|rated| rated.0);
        let numbers = numbers
            .take(1)
            .filter(|best| best.len() <= Self::MOST_NUMBERS);
        GenerationSummary {
            run: generation.run,
            number: generation.number,
            best,
            mean: generation.mean(),
            sigma: generation.diagnostics.sigma,
            spread: generation.diagnostics.spread,
            numbers: numbers.flatten().copied().collect(),
            games: generation.games,
            pieces: generation.pieces,
            cut_off: generation.cut_off,
            seconds: generation.seconds,
            from_store: generation.from_store,
        }
    }
}

#[cfg(all(test, feature = "store"))]
mod tests {
    use super::*;
    use crate::learners::Diagnostics;

    #[test]
    fn events_read_back_as_they_were_written_and_are_small() {
        let generation = Generation {
            run: 0,
            number: 3,
            candidates: vec![vec![1.5; 20]; 100],
            fitness: vec![f64::NEG_INFINITY; 100],
            solution: vec![1.0; 20],
            diagnostics: Diagnostics::default(),
            games: 7,
            pieces: 9,
            cut_off: None,
            seconds: 0.5,
            from_store: false,
        };
        let repetition = Event::Repetition {
            player: "bcts".to_owned(),
            repetitions: 1,
            precision: None,
            pieces: u64::MAX,
            part: 0.25,
        };
        let began = Event::LearningBegan {
            folder: "runs/mine".to_owned(),
            learning: Box::default(),
            dimension: 8,
            unit: FitnessUnit::mean("lines"),
            plays_games: true,
            compares_candidates: true,
            finished_before: false,
        };
        let summary = Event::Generation(GenerationSummary::of(&generation));
        for event in [
            Event::Working,
            Event::GamesEnded,
            repetition,
            began,
            summary,
        ] {
            let event = StudyEvent {
                study: StudyId(4),
                elapsed: 1.5,
                event,
            };
            let text = serde_json::to_string(&event).unwrap();
            assert!(
                text.starts_with(r#"{"study":4,"elapsed":1.5,"event":""#),
                "{text}"
            );
            assert!(text.len() < 1000, "{text}");
            assert_eq!(serde_json::from_str::<StudyEvent>(&text).unwrap(), event);
        }
    }
}
