//! A player of your own, outside the library: `cargo run --release -p tetrolab --example
//! own_player`.

use tetrolab::arena::{Arena, GameSeries};
use tetrolab::context::Context;
use tetrolab::core::game::GameView;
use tetrolab::core::outcomes::{DecisionContext, Outcomes};
use tetrolab::core::placement::Placement;
use tetrolab::core::players::Player;
use tetrolab::library::{find_player, find_ruleset};
use tetrolab::stats::Estimate;

/// Avoids holes; among boards with equally many holes, it prefers the lowest stack.
#[derive(Clone, Default)]
struct Tidy {
    outcomes: Outcomes,
}

impl Player for Tidy {
    fn choose(&mut self, view: &GameView<'_>) -> Placement {
        self.outcomes.generate(&DecisionContext::from(view));
        let cost = |index: &usize| {
            let step = self.outcomes.transition(*index);
            let columns = step.after.columns().iter().zip(step.after.heights());
            let holes = columns.map(|(cells, height)| height - cells.count_ones() as usize);
            (
                step.game_over,
                holes.sum::<usize>(),
                step.after.max_height(),
            )
        };
        let best = (0..self.outcomes.len()).min_by_key(cost);
        self.outcomes
            .placement(best.expect("every piece has a placement"))
    }

    fn boxed(&self) -> Box<dyn Player> {
        Box::new(self.clone())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ruleset = find_ruleset("simplified-10x10")?;
    let (random, tidy) = (find_player("random", &ruleset)?, Tidy::default());
    let arena = Arena::new(0)?; // one thread per core
    let series = GameSeries::new(&ruleset, 1);
    let arms: [(&str, &dyn Player); 2] = [("random", &*random), ("tidy", &tidy)];
    for played in Context::new(&arena).play_all(&arms, &series, 0..100)? {
        let lines = Estimate::of(&played.lines()).ok_or("no games")?;
        // All games ended, so there is a mean and an upper end.
        let (mean, low) = (lines.mean.unwrap_or_default(), lines.ci95.lo);
        let high = lines.ci95.hi.unwrap_or(f64::INFINITY);
        println!("{}: {mean:.1} lines ({low:.1} to {high:.1})", played.name);
    }
    Ok(())
}
