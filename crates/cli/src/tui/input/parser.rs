//! Turns the bytes of a terminal into keys: plain characters, the escape sequences of xterm and the
//! Linux console, and the keyboard protocol of kitty.

use super::InputEvent;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

const ESCAPE: u8 = 0x1b;
/// Longer sequences are not keys; their bytes are dropped up to the final one.
const LONGEST: usize = 64;

/// Bytes that do not yet form a key, and the keys so far.
#[derive(Default)]
pub(super) struct KeyParser {
    waiting: Vec<u8>,
    events: Vec<InputEvent>,
}

impl KeyParser {
    /// Adds bytes as they arrive, in parts of any size.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte));
    }

    /// Whether a sequence is unfinished.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Handles a sequence whose remaining bytes did not arrive: a lone escape is the escape key,
    /// anything else is dropped.
    pub(super) fn give_up(&mut self) {
        if self.waiting == [ESCAPE] {
            self.key(KeyCode::Esc, KeyModifiers::NONE);
        }
        self.waiting.clear();
    }

    /// Takes the keys since the last call.
    pub(super) fn take(&mut self) -> Vec<InputEvent> {
        std::mem::take(&mut self.events)
    }

    fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let key = KeyEvent::new(code, modifiers);
        self.events.push(InputEvent::Key(key));
    }

    fn add(&mut self, byte: u8) {
        // A control character, such as Ctrl-C, ends every unfinished sequence.
        if byte < 0x20 && self.is_waiting() {
            self.give_up();
        }
        match self.waiting[..] {
            [] => self.begin(byte),
            [ESCAPE] => self.after_escape(byte),
            [ESCAPE, b'O'] => {
                self.waiting.clear();
                // The enter key of the keypad.
                let code = match byte {
                    b'M' => Some(KeyCode::Enter),
                    _ => letter_key(byte),
                };
                if let Some(code) = code {
                    self.key(code, KeyModifiers::NONE);
                }
            }
            [ESCAPE, ..] => self.in_sequence(byte),
            _ => self.in_character(byte),
        }
    }

    fn begin(&mut self, byte: u8) {
        match byte {
            ESCAPE | 0xc2..=0xf4 => self.waiting.push(byte),
            0x80.. => (),
            _ => {
                let (code, modifiers) = plain_key(byte);
                self.key(code, modifiers);
            }
        }
    }

    fn after_escape(&mut self, byte: u8) {
        match byte {
            b'[' | b'O' => self.waiting.push(byte),
            0x80.. => {
                self.give_up();
                self.begin(byte);
            }
            _ => {
                self.waiting.clear();
                let (code, modifiers) = plain_key(byte);
                self.key(code, modifiers | KeyModifiers::ALT);
            }
        }
    }

    /// Bytes after `ESC [`: parameters, then a final byte that gives the kind.
    fn in_sequence(&mut self, byte: u8) {
        let is_console_key = self.waiting.ends_with(b"[[");
        let is_last = match byte {
            // The function keys of the Linux console have a second bracket.
            b'[' => self.waiting.len() > 2,
            _ => (0x40..0x7f).contains(&byte),
        };
        if is_last {
            let sequence = std::mem::take(&mut self.waiting);
            if is_console_key {
                if let b'A'..=b'E' = byte {
                    self.key(KeyCode::F(byte - b'A' + 1), KeyModifiers::NONE);
                }
            } else if sequence.len() < LONGEST {
                let parameters = String::from_utf8_lossy(&sequence[2..]);
                self.events.extend(event(&parameters, byte));
            }
        } else if byte >= 0x7f {
            self.waiting.clear();
            self.begin(byte);
        } else if self.waiting.len() < LONGEST {
            self.waiting.push(byte);
        }
    }

    /// Handles a byte of a multi-byte character.
    fn in_character(&mut self, byte: u8) {
        if !(0x80..0xc0).contains(&byte) {
            self.waiting.clear();
            self.begin(byte);
            return;
        }
        self.waiting.push(byte);
        let length = match self.waiting[0] {
            ..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        if self.waiting.len() == length {
            let bytes = std::mem::take(&mut self.waiting);
            let text = String::from_utf8(bytes).unwrap_or_default();
            if let Some(letter) = text.chars().next() {
                self.key(KeyCode::Char(letter), KeyModifiers::NONE);
            }
        }
    }
}

/// The key of a single byte.
fn plain_key(byte: u8) -> (KeyCode, KeyModifiers) {
    let control = |letter: u8| (KeyCode::Char(char::from(letter)), KeyModifiers::CONTROL);
    match byte {
        b'\r' => (KeyCode::Enter, KeyModifiers::NONE),
        b'\t' => (KeyCode::Tab, KeyModifiers::NONE),
        0x7f => (KeyCode::Backspace, KeyModifiers::NONE),
        0 => control(b' '),
        0x01..=0x1a => control(byte - 1 + b'a'),
        0x1b => (KeyCode::Esc, KeyModifiers::NONE),
        0x1c..0x20 => control(byte - 0x1c + b'4'),
        _ => (KeyCode::Char(char::from(byte)), KeyModifiers::NONE),
    }
}

/// The meaning of a sequence `ESC [ parameters last`, if known.
fn event(parameters: &str, last: u8) -> Option<InputEvent> {
    if parameters.starts_with('?') {
        return (last == b'u').then_some(InputEvent::KeyboardProtocol);
    }
    let mut parts = parameters.split(';');
    let first = parts.next().and_then(|part| part.split(':').next());
    let number = first.and_then(|first| first.parse::<u32>().ok());
    let mut second = parts.next().unwrap_or_default().split(':');
    let mut field = || second.next().and_then(|text| text.parse::<u16>().ok());
    let modifiers = modifiers(field().unwrap_or(1));
    let kind = match field() {
        Some(2) => KeyEventKind::Repeat,
        Some(3) => KeyEventKind::Release,
        _ => KeyEventKind::Press,
    };
    let code = match last {
        b'~' => numbered_key(number?)?,
        b'u' => coded_key(number?, modifiers)?,
        b'Z' => KeyCode::BackTab,
        _ => letter_key(last)?,
    };
    let key = KeyEvent::new_with_kind(code, modifiers, kind);
    Some(InputEvent::Key(key))
}

/// The modifiers of a parameter: one more than the sum of their bits.
fn modifiers(parameter: u16) -> KeyModifiers {
    let bits = parameter.saturating_sub(1);
    let known = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
        (8, KeyModifiers::SUPER),
    ];
    let set = known.into_iter().filter(|(bit, _)| bits & bit != 0);
    set.fold(KeyModifiers::NONE, |all, (_, one)| all | one)
}

/// The key of `ESC O letter` and `ESC [ letter`.
fn letter_key(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        _ => return None,
    })
}

/// The key of `ESC [ number ~`.
fn numbered_key(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23 | 24 => KeyCode::F(number as u8 - 12),
        _ => return None,
    })
}

/// The key of `ESC [ code u`, in the keyboard protocol of kitty.
fn coded_key(code: u32, modifiers: KeyModifiers) -> Option<KeyCode> {
    // The digits, signs and arrows of the keypad.
    const SIGNS: &[u8] = b"0123456789./*-+\r=,";
    const KEYS: [KeyCode; 10] = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::Insert,
        KeyCode::Delete,
    ];
    Some(match code {
        9 if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        127 => KeyCode::Backspace,
        57399..=57416 => KeyCode::Char(char::from(SIGNS[code as usize - 57399])),
        57417..=57426 => KEYS[code as usize - 57417],
        // Modifiers, and other keys in the private range.
        57344..=63743 => return None,
        _ => {
            let letter = char::from_u32(code)?;
            if modifiers.contains(KeyModifiers::SHIFT) {
                KeyCode::Char(letter.to_ascii_uppercase())
            } else {
                KeyCode::Char(letter)
            }
        }
    })
}

#[cfg(test)]
mod tests;
