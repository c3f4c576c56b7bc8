use super::*;
use crate::arena::Arena;
use crate::library::find_ruleset;

fn known(pieces: u64) -> Vec<TableKnowledge> {
    let inquiry = Inquiry {
        pieces,
        seed: 5,
        ..Inquiry::default()
    };
    ask(&inquiry, &context()).unwrap().tables
}

fn context() -> Context {
    Context::new(&Arena::new(1).unwrap())
}

#[test]
fn the_table_with_the_largest_contribution_is_first_and_holes_are_bad() {
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
    // With so few boards, most have separate entries, so there is little to report.
    assert!(
        named("differences(columns=auto,most=1,shared=place)")
            .best
            .len()
            <= 2
    );
}

#[test]
fn shares_are_those_of_boards_and_no_entry_is_listed_twice() {
    for table in known(300) {
        let entries: Vec<&EntryKnowledge> = table.best.iter().chain(&table.worst).collect();
        for (index, entry) in entries.iter().enumerate() {
            assert!(entry.share >= 0.1 && entry.share <= 1.0, "{entry:?}");
            assert!(
                entries[..index]
                    .iter()
                    .all(|other| other.entry != entry.entry)
            );
        }
        if table.table.starts_with("tops(columns=1") {
            // On a flat board, several columns have the same entry.
            assert!(entries.iter().any(|entry| entry.share > 0.3), "{table:?}");
        }
    }
}

#[test]
fn an_entry_of_a_table_that_counts_rows_adds_its_own_weight() {
    let ruleset = find_ruleset("simplified-10x10").unwrap();
    let player = find_able_player(context().library(), "wary-10", &ruleset).unwrap();
    let tables = player.evaluator().unwrap().as_tables().unwrap();
    let (_, range) = tables
        .set()
        .iter()
        .find(|(spec, _)| spec.to_string() == "rows(by=missing)")
        .unwrap();
    let known = known(600);
    let rows = known
        .iter()
        .find(|table| table.table == "rows(by=missing)")
        .unwrap();
    let best = &rows.best[0];
    let entry = range
        .clone()
        .find(|entry| tables.set().describe(*entry) == best.entry)
        .unwrap();
    assert_eq!(best.adds, weight(tables, entry as u32));
}

#[test]
fn a_stopped_survey_describes_the_entries_seen_so_far() {
    let inquiry = Inquiry {
        pieces: u64::MAX,
        ..Inquiry::default()
    };
    let soon = std::time::Instant::now() + std::time::Duration::from_millis(300);
    let known = ask(&inquiry, &context().until(Some(soon))).unwrap();
    assert!(known.boards > 0 && !known.tables.is_empty());
}

#[test]
fn a_player_without_tables_has_no_entries() {
    let inquiry = Inquiry {
        player: "bcts".to_owned(),
        ..Inquiry::default()
    };
    assert_eq!(
        ask(&inquiry, &context()).unwrap_err().to_string(),
        "bcts has no lookup tables"
    );
}
