use super::*;
use ratatui::style::{Color, Modifier, Style};

/// The content of the picture between its frame and its end.
fn body(screen: &Buffer) -> String {
    let picture = svg(screen, "");
    let start = picture.find("<g shape").unwrap();
    picture[start..].to_owned()
}

/// The elements with text.
fn texts(screen: &Buffer) -> Vec<String> {
    let body = body(screen);
    let lines = body.lines().filter(|line| line.starts_with("<text"));
    lines.map(ToOwned::to_owned).collect()
}

#[test]
fn a_small_screen_is_drawn_as_expected() {
    let mut screen = Buffer::with_lines(["┌╮ Hi", "██ yo"]);
    let yellow = Style::new().fg(Color::Rgb(250, 200, 0)).bg(Color::Black);
    screen.set_string(0, 1, "██", yellow);
    let bold = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
    screen.set_string(3, 1, "yo", bold);
    let expected = r##"<svg xmlns="http://www.w3.org/2000/svg" width="56" height="48" viewBox="-8 -8 56 48" role="img">
<title>A &lt;small&gt; screen</title>
<rect x="-8" y="-8" width="56" height="48" rx="8" fill="#14181f"/>
<g shape-rendering="crispEdges">
<path fill="#000000" d="M0 16h16v16h-16z"/>
<path fill="#d8dee9" d="M4 8h1v8h-1zM4 8h5v1h-5zM12 12h1v4h-1z"/>
<path fill="#fac800" d="M0 16h16v16h-16z"/>
</g>
<path fill="#d8dee9" d="M13 12A4 4 0 0 0 9 8V9A3 3 0 0 1 12 12z"/>
<g fill="#d8dee9" font-family="ui-monospace,'Cascadia Mono','DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="13.3">
<text x="24" y="13" textLength="16">Hi</text>
<text x="24" y="29" textLength="16" fill="#cd0000" font-weight="bold">yo</text>
</g>
</svg>
"##;
    assert_eq!(svg(&screen, "A <small> screen"), expected);
}

#[test]
fn signs_of_xml_are_escaped_and_control_characters_left_out() {
    let mut screen = Buffer::with_lines([r#"<&">"#]);
    assert_eq!(
        texts(&screen),
        [r#"<text x="0" y="13" textLength="32">&lt;&amp;&quot;&gt;</text>"#]
    );
    screen[(1, 0)].set_symbol("\u{1b}");
    assert!(texts(&screen)[0].contains("&lt; &quot;&gt;"));
    assert!(svg(&screen, "a\u{0}b").contains("<title>a b</title>"));
}

#[test]
fn a_text_continues_after_one_blank_but_not_after_two() {
    let screen = Buffer::with_lines(["ab cd  e "]);
    let expected = [
        r#"<text x="0" y="13" textLength="40">ab cd</text>"#,
        r#"<text x="56" y="13">e</text>"#,
    ];
    assert_eq!(texts(&screen), expected);
}

#[test]
fn letters_that_a_font_may_lack_stand_alone() {
    let screen = Buffer::with_lines(["aσéb"]);
    let expected = [
        r#"<text x="0" y="13">a</text>"#,
        r#"<text x="8" y="13">σ</text>"#,
        r#"<text x="16" y="13" textLength="16">éb</text>"#,
    ];
    assert_eq!(texts(&screen), expected);
}

#[test]
fn areas_of_one_colour_are_one_rectangle() {
    let mut screen = Buffer::with_lines(["      "; 4]);
    let inner = ratatui::layout::Rect::new(1, 1, 4, 2);
    screen.set_style(inner, Style::new().bg(Color::Rgb(1, 2, 3)));
    let expected = "<path fill=\"#010203\" d=\"M8 16h32v32h-32z\"/>";
    assert!(body(&screen).contains(expected));
}

#[test]
fn the_lines_of_a_box_are_four() {
    let screen = Buffer::with_lines(["┌──┐", "│  │", "└──┘"]);
    assert_eq!(
        body(&screen).matches("v").count(),
        4 + "</svg>".matches("v").count()
    );
}

#[test]
fn shades_and_underlined_text_have_their_colours() {
    let mut screen = Buffer::with_lines(["▒ "]);
    let white = Style::new().fg(Color::White).bg(Color::Black);
    screen.set_string(0, 0, "▒", white);
    let underlined = Style::new().add_modifier(Modifier::UNDERLINED);
    screen.set_style(ratatui::layout::Rect::new(1, 0, 1, 1), underlined);
    let body = body(&screen);
    assert!(body.contains("<path fill=\"#808080\" d=\"M0 0h8v16h-8z\"/>"));
    assert!(body.contains("<path fill=\"#d8dee9\" d=\"M8 14h8v1h-8z\"/>"));
}

#[test]
fn a_picture_is_saved_under_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("screen.svg");
    let screen = Buffer::with_lines(["Hello"]);
    save_svg(&path, &screen, "x").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), svg(&screen, "x"));
    let problem = save_svg(&folder.path().join("none/a.svg"), &screen, "x");
    let problem = format!("{:#}", problem.unwrap_err());
    assert!(problem.ends_with("a.svg: there is no such folder"));
}
