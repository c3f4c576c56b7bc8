use super::*;
use crate::draw::plot::{DotPlot, DotRow, PlotAxis, PlotDot, PlotTitle};

/// Errors in the tags of a page: the innermost open element must be closed first.
fn tags_are_wrong(html: &str) -> Option<String> {
    const VOID: [&str; 4] = ["meta", "link", "input", "!doctype"];
    let (mut open, mut rest): (Vec<String>, &str) = (Vec::new(), html);
    while let Some((text, after)) = rest.split_once('<') {
        if text.contains('>') {
            return Some(text.to_owned());
        }
        let Some((tag, after)) = after.split_once('>') else {
            return Some(format!("<{after} has no end"));
        };
        rest = after;
        let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("<{tag}>"));
        }
        match tag.strip_prefix('/') {
            Some(name) if open.last().is_some_and(|last| last == name) => drop(open.pop()),
            Some(_) => return Some(format!("<{tag}> closes another")),
            None if tag.ends_with('/') || VOID.contains(&name) => {}
            None if name == "script" || name == "style" => {
                let end = format!("</{name}>");
                match rest.split_once(&*end) {
                    Some((_, after)) => rest = after,
                    None => return Some(format!("<{name}> stays open")),
                }
            }
            None => open.push(name.to_owned()),
        }
    }
    open.pop().map(|name| format!("<{name}> stays open"))
}

const RECORD: &str = r#"{"player":"<b>&","ruleset":"simplified-6x8","rules":RULES,"seed":1,"lines":0,"pieces":2,"finished":false,"complete":true,"placements":"PLACEMENTS"}"#;

/// A game of two pieces, played for this test.
fn record() -> String {
    use tetrolab_core::game::Game;
    use tetrolab_core::record::{GameRecord, ShortPlacement};
    let ruleset = crate::library::find_ruleset("simplified-6x8").unwrap();
    let mut player = crate::library::find_player("bcts", &ruleset).unwrap();
    let mut game = Game::on_board(&ruleset, ruleset.empty_board(), 7, None);
    let mut placements = Vec::new();
    for _ in 0..2 {
        let placement = player.decide(&game.view());
        placements.push(ShortPlacement::from(placement));
        game.apply(placement);
    }
    let record = GameRecord {
        player: "<b>&</script>".to_owned(),
        rules: ruleset.parts(),
        files: std::collections::BTreeMap::new(),
        seed: 7,
        start: None,
        placements,
        inputs: None,
        complete: true,
        lines: game.lines(),
        pieces: 2,
        finished: false,
    };
    crate::formats::games::to_json(&record).to_string()
}

fn plot() -> Plot {
    Plot::Dots(DotPlot {
        title: PlotTitle::new("<plot>", "\"quoted\""),
        x: PlotAxis::new("lines"),
        rows: vec![DotRow {
            name: "a<b".to_owned(),
            dots: vec![PlotDot {
                mean: 3.0,
                interval: Some([2.0, 4.0]),
            }],
            references: Vec::new(),
            ..DotRow::default()
        }],
    })
}

fn page() -> Page {
    let table = PageTable {
        caption: "Published & measured".to_owned(),
        columns: vec![PageColumn::text("player"), PageColumn::number("lines")],
        rows: vec![vec![
            PageCell::new("`x<y>`"),
            PageCell::new("5")
                .detail("4 to 6")
                .command("tetrolab eval 'a\"b' && echo <x>")
                .badge(BadgeClass::Lower, "fewer games"),
        ]],
    };
    let blocks = vec![
        Block::Text("Some `code` & <text>.".to_owned()),
        Block::Plot {
            caption: "A plot".to_owned(),
            plot: plot(),
            command: Some("tetrolab list".to_owned()),
        },
        Block::Table(table),
        Block::Board {
            caption: "A board".to_owned(),
            rows: vec!["..T.".to_owned(), "##.#".to_owned()],
        },
        Block::Replay {
            caption: "A game".to_owned(),
            record: record(),
        },
    ];
    Page {
        title: "Title <&\"> of a page".to_owned(),
        question: "Is `a` > b?".to_owned(),
        sections: vec![
            Section {
                heading: "First <section>".to_owned(),
                blocks,
            },
            Section {
                heading: "Second".to_owned(),
                blocks: vec![Block::Replay {
                    caption: "Broken".to_owned(),
                    record: RECORD.to_owned(),
                }],
            },
        ],
        provenance: vec![
            Provenance::new("ruleset", "simplified-6x8"),
            Provenance::command("again", "tetrolab eval bcts"),
        ],
    }
}

#[test]
fn every_tag_is_closed_and_names_are_escaped() {
    let html = page().html();
    assert_eq!(tags_are_wrong(&html), None);
    assert!(html.contains("<h1>Title &lt;&amp;&quot;&gt; of a page</h1>"));
    assert!(html.contains("<code>x&lt;y&gt;</code>"));
    assert!(html.contains("tetrolab eval 'a&quot;b' &amp;&amp; echo &lt;x&gt;</code>"));
    assert!(!html.contains("<b>") && !html.contains("&</script>"));
    assert!(html.len() < 2_000_000);
}

#[test]
fn a_page_has_landmarks_headings_captions_and_scopes() {
    let html = page().html();
    for part in [
        "<html lang=\"en\">",
        "<main id=\"main\">",
        "<nav aria-label=\"Sections\">",
        "<h2 id=\"s1\">First &lt;section&gt;</h2>",
        "<caption><span>Published &amp; measured</span></caption>",
        "<th scope=\"col\" class=\"number\">lines</th>",
        "<th scope=\"row\"><code>",
        "role=\"img\">\n<title>&lt;plot&gt;</title>\n<desc>",
        "class=\"badge lower\"><span aria-hidden=\"true\">↓</span> lower</span>",
        "<div class=\"text-and-plot\">",
        "<details><summary>command</summary>",
        "default-src 'none'",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.matches("<style>").count(), 1, "one style sheet");
    assert!(!html.contains("http://") && !html.contains("https://"));
}

#[test]
fn a_game_is_data_for_the_script_and_a_broken_one_is_reported() {
    let html = page().html();
    let (_, data) = html
        .split_once("<script type=\"application/json\">")
        .unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!((&data["width"], &data["height"]), (&6.into(), &8.into()));
    let moves: Vec<&str> = data["moves"].as_str().unwrap().split(' ').collect();
    assert!(
        moves.len() == 2 && moves.iter().all(|one| one.len() == 9),
        "{moves:?}"
    );
    assert_eq!(data["end"], "the game was truncated here");
    assert!(html.contains("Broken (this record cannot be replayed: "));
    assert_eq!(
        html.matches("data-cell").count(),
        48 + 1,
        "6 x 8, and the script"
    );
}

#[test]
fn an_index_links_to_its_pages() {
    let entry = IndexEntry {
        file: "a b&\".html".to_owned(),
        title: "<A>".to_owned(),
        summary: "what & why".to_owned(),
    };
    let html = index_html("Reports", &[entry]);
    assert_eq!(tags_are_wrong(&html), None);
    assert!(html.contains("<a href=\"./a%20b%26%22.html\">&lt;A&gt;</a>"));
}

#[test]
fn a_lonely_backquote_stays() {
    let prose = markup::prose;
    assert_eq!(prose("a `b` c"), "a <code>b</code> c");
    assert_eq!(prose("a `b"), "a `b");
    assert_eq!(prose("`a` and `b"), "<code>a</code> and `b");
}

#[test]
fn pages_are_data_that_can_be_stored() {
    let text = serde_json::to_string(&page()).unwrap();
    assert_eq!(serde_json::from_str::<Page>(&text).unwrap(), page());
}
