use super::*;

/// The keys in some bytes, such as `ctrl+c` or `release left`.
fn keys(parser: &mut KeyParser, bytes: &[u8]) -> Vec<String> {
    parser.feed(bytes);
    let shown = |event: InputEvent| match event {
        InputEvent::KeyboardProtocol => "protocol".to_owned(),
        InputEvent::Key(key) => {
            let kind = match key.kind {
                KeyEventKind::Press => "",
                KeyEventKind::Repeat => "repeat ",
                KeyEventKind::Release => "release ",
            };
            let modifiers = match key.modifiers {
                KeyModifiers::NONE => String::new(),
                modifiers => format!("{modifiers}+"),
            };
            format!("{kind}{modifiers}{}", key.code).to_lowercase()
        }
    };
    parser.take().into_iter().map(shown).collect()
}

#[test]
fn keys_of_terminals_are_read_whole_and_byte_by_byte() {
    for (bytes, expected) in [
        (&b"a Z"[..], &["a", "space", "z"][..]),
        (
            b"\r\t\x7f\x03\x1a\0",
            &[
                "enter",
                "tab",
                "backspace",
                "control+c",
                "control+z",
                "control+space",
            ],
        ),
        (
            b"\x1b[A\x1b[B\x1b[C\x1b[D",
            &["up", "down", "right", "left"],
        ),
        (b"\x1bOA\x1bOD\x1bOP\x1b[[B", &["up", "left", "f1", "f2"]),
        (
            b"\x1b[H\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b[3~\x1b[15~",
            &["home", "home", "end", "page up", "page down", "del", "f5"],
        ),
        (b"\x1b[1;5C\x1b[Z", &["control+right", "back tab"]),
        (b"\x1ba\x1b\x1b[A", &["alt+a", "esc", "up"]),
        ("é€𝄞".as_bytes(), &["é", "€", "𝄞"]),
        (
            b"\x1b[99;5u\x1b[1;1:3D\x1b[97;1:2u\x1b[57417u\x1b[65u",
            &["control+c", "release left", "repeat a", "left", "a"],
        ),
        (b"\x1b[?1u\x1b[?62;22c", &["protocol"]),
        // A paste is read as keys; mouse, focus and unknown sequences are not keys.
        (b"\x1b[200~q\x1b[201~\x1b[<0;1;1M\x1b[I\x1b[999~", &["q"]),
    ] {
        assert_eq!(keys(&mut KeyParser::default(), bytes), expected);
        let mut parser = KeyParser::default();
        let single = bytes.iter().flat_map(|byte| keys(&mut parser, &[*byte]));
        assert_eq!(single.collect::<Vec<_>>(), expected, "byte by byte");
        assert!(!parser.is_waiting());
    }
}

#[test]
fn unfinished_sequences_swallow_no_control_c_and_are_dropped() {
    let starts: [&[u8]; 8] = [
        b"\x1b",
        b"\x1b[",
        b"\x1bO",
        b"\x1b[200",
        b"\xf0",
        b"\xf0\x9d",
        b"\x1b[[",
        b"\x1b[1;5",
    ];
    for start in starts {
        let mut parser = KeyParser::default();
        assert_eq!(keys(&mut parser, start), [""; 0]);
        assert!(parser.is_waiting());
        let found = keys(&mut parser, b"\x03");
        assert_eq!(
            found.last().map(String::as_str),
            Some("control+c"),
            "{start:?}"
        );
        keys(&mut parser, start);
        parser.give_up();
        assert!(!parser.is_waiting());
        let expected: &[&str] = if start == b"\x1b" {
            &["esc", "q"]
        } else {
            &["q"]
        };
        assert_eq!(keys(&mut parser, b"q"), expected, "{start:?}");
    }
}

#[test]
fn no_bytes_make_it_panic_or_keep_much() {
    let mut parser = KeyParser::default();
    let mut state = 1u32;
    for _ in 0..100_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Includes many brackets, digits and escapes.
        let byte = match state >> 28 {
            0..4 => ESCAPE,
            4..7 => b'[',
            7..10 => b'0' + (state >> 16) as u8 % 12,
            _ => (state >> 16) as u8,
        };
        parser.feed(&[byte]);
        assert!(parser.waiting.len() <= LONGEST);
    }
    assert!(parser.take().len() > 1000);
    parser.feed(b"\x1b[");
    parser.feed(&[b'1'; 10_000]);
    parser.feed(b"Aq");
    let last = parser.take().pop();
    let expected = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    assert_eq!(last, Some(InputEvent::Key(expected)));
}
