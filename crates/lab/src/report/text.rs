//! Texts for terminals: control characters escaped, long lines wrapped.

use std::borrow::Cow;

/// Whether a terminal interprets a character instead of displaying it: a control character, or one
/// that changes the direction of writing.
fn is_command(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with all characters escaped that a terminal would interpret: names from files may
/// contain such characters. Line breaks are kept.
pub fn harmless(text: &str) -> Cow<'_, str> {
    escaped(text, "\n", |letter| letter.escape_default().to_string())
}

/// [`harmless`] for names, on one line.
pub fn harmless_name(text: &str) -> Cow<'_, str> {
    escaped(text, "", |letter| letter.escape_default().to_string())
}

/// [`harmless`] for JSON, where such characters occur only in strings, which may contain escapes.
pub fn harmless_json(text: &str) -> Cow<'_, str> {
    escaped(text, "\n", |letter| format!("\\u{:04x}", u32::from(letter)))
}

fn escaped<'a>(text: &'a str, allowed: &str, escape: fn(char) -> String) -> Cow<'a, str> {
    let is_wrong = |letter: char| is_command(letter) && !allowed.contains(letter);
    if !text.contains(is_wrong) {
        return Cow::Borrowed(text);
    }
    let letters = text.chars().map(|letter| {
        if is_wrong(letter) {
            escape(letter)
        } else {
            letter.into()
        }
    });
    Cow::Owned(letters.collect())
}

/// Wraps a text at `width` characters. Lines are broken after a blank or, in settings, a comma;
/// longer words are split.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut used) = (vec![String::new()], 0);
    for word in text.split_inclusive([' ', ',']) {
        let letters = word.trim_end().chars().count();
        let begins_a_line = used > 0 && used + letters > width;
        for (index, letter) in word.chars().enumerate() {
            if (index == 0 && begins_a_line) || (used >= width && letter != ' ') {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("there is a line").push(letter);
            used += 1;
        }
    }
    let trimmed = lines.iter().map(|line| line.trim_end().to_owned());
    trimmed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn control_characters_are_escaped() {
        let text = "a\x1b[31mb\u{9b}2J\u{7f}\n\tc\u{202e}";
        assert_eq!(
            harmless(text),
            "a\\u{1b}[31mb\\u{9b}2J\\u{7f}\n\\tc\\u{202e}"
        );
        assert!(!harmless_name(text).contains('\n'));
        assert!(matches!(harmless("Ş · 5 %\n"), Cow::Borrowed(_)));
        let json = serde_json::to_string(&Value::from(text)).unwrap();
        let shown = harmless_json(&json);
        assert!(!shown.chars().any(is_command), "{shown}");
        let back: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(back, Value::from(text));
    }

    #[test]
    fn long_texts_are_wrapped_at_blanks_and_after_commas() {
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("exactly 10", 10), ["exactly 10"]);
        assert_eq!(wrap("a few words here", 8), ["a few", "words", "here"]);
        assert_eq!(wrap("[ga(size=5,step=1)]", 12), ["[ga(size=5,", "step=1)]"]);
        assert_eq!(wrap("Şimşekşimşek a", 6), ["Şimşek", "şimşek", "a"]);
    }
}
