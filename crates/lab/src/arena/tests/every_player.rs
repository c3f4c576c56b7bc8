//! Every kind of player under every ruleset that shows enough pieces.

use super::*;
use crate::core::players::PLAYERS;
use crate::core::ruleset::RULESETS;

/// Examples of all kinds; those with a budget of nodes are repeated with a small one.
fn specs() -> Vec<String> {
    let mut specs = Vec::new();
    for entry in PLAYERS {
        let example = entry.example();
        if entry.options().any(|setting| setting.id == "nodes") {
            let open = example.strip_suffix(')').unwrap();
            specs.push(format!("{open},nodes=700)"));
        }
        specs.push(example);
    }
    specs
}

/// Whether forecasts are slow, as those of TGM3's randomizer.
fn has_slow_forecasts(ruleset: &str) -> bool {
    matches!(ruleset, "thesis" | "thesis-stepped" | "tgm3")
}

#[test]
fn every_player_repeats_its_games_on_any_number_of_threads_or_is_refused() {
    let mut refused = 0;
    for entry in RULESETS {
        let limits = Limits {
            max_pieces: Some(if has_slow_forecasts(entry.id) { 3 } else { 10 }),
            ..Limits::default()
        };
        let rules = rules(&format!("{}-6x10", entry.id));
        for spec in specs() {
            let player = find_player(&spec, &rules).unwrap();
            let play =
                |context: Context| play_limited(&context, &*player, (&rules, 8, limits), 0..3);
            if player.needs_preview() > rules.preview {
                let error = play(Context::on_threads(1)).unwrap_err();
                assert!(matches!(error, ArenaError::Preview { .. }), "{error}");
                refused += 1;
                continue;
            }
            let expected = play(Context::on_threads(1)).unwrap().games;
            assert_eq!(expected.len(), 3);
            let mut contexts = vec![Context::without_kernels(3)];
            if player.kernel(&rules).is_some() {
                contexts.push(Context::on_threads(2));
            }
            for arena in contexts {
                let played = play(arena).unwrap();
                assert_eq!(played.games, expected, "{spec} {}", rules.name);
            }
        }
    }
    assert!(refused > 0);
}
