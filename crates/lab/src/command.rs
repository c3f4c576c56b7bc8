//! Command lines that repeat a result.

/// A word for a shell.
#[must_use]
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(quote("simplified-10x20"), "simplified-10x20");
        assert_eq!(quote("greedy(bcts)"), "'greedy(bcts)'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
