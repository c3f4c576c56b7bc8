use super::*;
use crate::library::find_ruleset;

fn known(pieces: u64) -> Vec<TableKnowledge> {
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    let inquiry = Inquiry {
        player: "wary-10",
        ruleset: &ruleset,
        pieces,
        seed: 5,
        told: 2,
    };
    ask(&inquiry).unwrap()
}

#[test]
fn the_table_that_tells_most_comes_first_and_holes_are_bad() {
    let known = known(600);
    assert!(known.is_sorted_by(|a, b| a.spread >= b.spread));
    let named = |name: &str| known.iter().find(|table| table.table == name).unwrap();
    let holes = named("cross(first=rows-left,second=holes)");
    assert!(holes.shown < holes.entries && holes.shown > 4, "{holes:?}");
    let adds = |entries: &[EntryKnowledge]| -> Vec<f64> {
        entries.iter().map(|entry| entry.adds).collect()
    };
    let (best, worst) = (adds(&holes.best), adds(&holes.worst));
    assert!(best[0] >= best[1] && best[1] > worst[1] && worst[1] >= worst[0]);
    assert!(best[0] > 0.0 && worst[0] < 0.0, "{holes:?}");
    assert!(holes.best[0].entry.ends_with("holes 0"), "{holes:?}");
    // Most boards of so few show an entry of their own: there is little to tell.
    assert!(
        named("differences(columns=auto,most=1,shared=place)")
            .best
            .len()
            <= 2
    );
}

#[test]
fn shares_are_those_of_boards() {
    let known = known(300);
    let all: f64 = known
        .iter()
        .find(|table| table.table.starts_with("fits(with=rows-left"))
        .map(|table| {
            table
                .best
                .iter()
                .chain(&table.worst)
                .map(|entry| entry.share)
                .sum()
        })
        .unwrap();
    // A board shows one of these.
    assert!(all > 0.0 && all <= 1.0, "{all}");
}

#[test]
fn a_player_without_tables_knows_nothing() {
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    let inquiry = Inquiry {
        player: "bcts",
        ruleset: &ruleset,
        pieces: 10,
        seed: 1,
        told: 1,
    };
    assert_eq!(
        ask(&inquiry).unwrap_err().to_string(),
        "bcts has no look-up tables"
    );
}
