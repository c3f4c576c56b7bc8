//! Lookup tables that learn online with eligibility traces.

use super::td_settings::TdSettings;
use super::value_function::{Averaged, TraceStep, ValueFunction, numbers_of};
use crate::library::safetensors::Tensors;
use std::collections::VecDeque;
use tetrolab_core::evaluators::{Model, TableSum, sum};
use tetrolab_core::lookup::{BoardMeasurements, TableSet};
use tetrolab_core::outcomes::{MAX_OUTCOMES, Outcomes};

/// The part of a trace that has decayed to less than this is dropped.
const NEGLIGIBLE: f32 = 0.01;
/// The maximum length of a trace, however slowly it decays: all its boards are updated at every
/// placement.
const MOST_BOARDS: usize = 1000;
/// The maximum visit count: up to here a 32-bit float, in which checkpoints store it, is exact.
const MOST_VISITS: u32 = 1 << 24;

/// Tables with their learning state.
pub(super) struct ValueTables {
    set: TableSet,
    /// The initial value of every board; a player does not need it.
    first: f32,
    weights: Vec<f32>,
    averaged: Averaged,
    /// Number of updates of each entry.
    visits: Vec<u32>,
    /// See the setting `visits`.
    patience: f32,
    /// The entries of the boards in the trace, latest first.
    trace: VecDeque<Vec<u32>>,
    held: Option<Vec<u32>>,
    measurements: BoardMeasurements,
    values: [f32; MAX_OUTCOMES],
    shown: Vec<Vec<u32>>,
}

impl ValueTables {
    /// Untrained tables.
    pub(super) fn new(set: TableSet, settings: &TdSettings) -> ValueTables {
        let count = set.entries();
        ValueTables {
            first: settings.first,
            weights: vec![0.0; count],
            averaged: Averaged::new(count),
            visits: vec![0; count],
            patience: settings.visits,
            trace: VecDeque::new(),
            held: None,
            measurements: BoardMeasurements::default(),
            values: [0.0; MAX_OUTCOMES],
            shown: vec![Vec::new(); MAX_OUTCOMES],
            set,
        }
    }
}

impl ValueFunction for ValueTables {
    fn look(&mut self, outcomes: &mut Outcomes) {
        for index in 0..outcomes.len() {
            let (board, shown) = (outcomes.board_after(index), &mut self.shown[index]);
            self.set.look_up(&board, &mut self.measurements, shown);
            self.values[index] = self.first + sum(&self.weights, &self.shown[index]);
        }
    }

    fn value(&self, placement: usize) -> f32 {
        self.values[placement]
    }

    fn hold(&mut self, placement: usize) {
        let held = self.held.get_or_insert_default();
        std::mem::swap(held, &mut self.shown[placement]);
    }

    fn held(&mut self) -> Option<f32> {
        let held = self.held.as_ref()?;
        Some(self.first + sum(&self.weights, held))
    }

    fn learn(&mut self, error: f32, step: TraceStep) {
        let Some(held) = &self.held else {
            return;
        };
        for entry in held {
            let visits = &mut self.visits[*entry as usize];
            *visits = (*visits + 1).min(MOST_VISITS);
        }
        self.trace.push_front(held.clone());
        let (mut left, mut boards) = (1.0, 0);
        while left >= NEGLIGIBLE && boards < self.trace.len().min(MOST_BOARDS) {
            let shown = &self.trace[boards];
            // All entries of a board together move by the rate.
            let by = step.rate * error * left / shown.len().max(1) as f32;
            for entry in shown {
                let entry = *entry as usize;
                let visits = self.visits[entry] as f32;
                self.weights[entry] += by * (self.patience / (self.patience + visits)).sqrt();
            }
            boards += 1;
            left *= step.decay;
        }
        self.trace.truncate(boards);
    }

    fn let_go(&mut self) {
        self.held = None;
        self.trace.clear();
    }

    fn average(&mut self, share: f32) {
        self.averaged.follow(&self.weights, share);
    }

    fn model(&self, sign: f32) -> Model {
        let weights = self.averaged.or(&self.weights).iter();
        let weights = weights.map(|weight| sign * weight).collect();
        let tables = TableSum::new(self.set.clone(), weights);
        Model::Tables(tables.expect("what is not finite has been found before"))
    }

    fn is_finite(&self) -> bool {
        self.weights.iter().all(|weight| weight.is_finite())
    }

    fn save(&self, tensors: &mut Tensors) {
        let visits = self.visits.iter().map(|visits| *visits as f32).collect();
        let count = self.weights.len();
        tensors.add("weights", &[count], self.weights.clone());
        tensors.add("visits", &[count], visits);
        self.averaged.save(tensors);
    }

    fn restore(&mut self, tensors: &Tensors) -> Option<()> {
        let count = self.weights.len();
        self.weights = numbers_of(tensors, "weights", count)?;
        let visits = numbers_of(tensors, "visits", count)?;
        self.visits = visits.iter().map(|visits| *visits as u32).collect();
        self.averaged.restore(tensors)
    }
}
