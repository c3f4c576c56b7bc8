//! Many sessions and studies at the same time, and messages that no page would send.

use crate::client::{Lab, Socket, wait_for};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tetrolab_web::ServerLimits;

const SESSIONS: usize = 100;
/// The time between two frames of a page.
const FRAME: Duration = Duration::from_millis(16);

fn watched(seed: u64) -> Value {
    json!({ "ruleset": "simplified-10x20", "players": ["bcts"], "person": false, "seed": seed })
}

/// Starts four studies that outlast every test.
fn start_studies(lab: &Lab) {
    for seed in 0..4 {
        let request = json!({
            "players": ["bcts", "dellacherie"], "ruleset": "simplified-10x20",
            "games": 1000, "seed": seed
        });
        let started = lab.post("/api/evaluations", &request);
        assert_eq!(started.status, 200, "{}", started.body);
    }
    let request =
        json!({ "players": ["bcts"], "ruleset": "simplified-10x20", "games": 9, "seed": 9 });
    let fifth = lab.post("/api/evaluations", &request);
    assert_eq!(fifth.status, 429, "{}", fifth.body);
    assert!(fifth.error().contains("4 studies are running"));
}

/// Opens as many sessions as the server allows, and checks that the next one gets a clear message.
fn open_sessions(lab: &Lab) -> Vec<Socket> {
    let open = |seed: u64| {
        let (socket, state) = lab.session(&watched(seed));
        assert!(state["boards"].is_array(), "{state}");
        socket
    };
    let sockets = (0..SESSIONS as u64).map(open).collect();
    let mut late = lab.socket(&[]).unwrap();
    let answer = late.receive().unwrap();
    assert!(answer.contains("all 100 sessions"), "{answer}");
    assert_eq!(late.receive(), None, "and the connection is closed");
    sockets
}

/// Sends this many frames in every session; returns the sorted times to the answers.
fn play(sockets: Vec<Socket>, frames: u32) -> Vec<Duration> {
    let page = move |mut socket: Socket| {
        let mut took = Vec::new();
        let mut next = Instant::now();
        for _ in 0..frames {
            let began = Instant::now();
            let state = socket.act(&json!({ "action": "time", "milliseconds": 16 }));
            took.push(began.elapsed());
            assert!(state["boards"].is_array(), "{state}");
            next += FRAME;
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        took
    };
    let threads: Vec<_> = sockets
        .into_iter()
        .map(|socket| std::thread::spawn(move || page(socket)))
        .collect();
    let answers = threads.into_iter().flat_map(|one| one.join().unwrap());
    let mut took: Vec<Duration> = answers.collect();
    took.sort();
    took
}

/// The memory of this process in MB, if the system reports it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

#[test]
fn a_hundred_sessions_and_four_studies_are_answered() {
    let lab = Lab::new();
    start_studies(&lab);
    let took = play(open_sessions(&lab), 3);
    assert_eq!(took.len(), 3 * SESSIONS);
}

/// On a quiet machine: `cargo test --release -p tetrolab-web -- --ignored --nocapture within_50_ms`.
#[test]
#[ignore = "measures: needs a quiet machine and a release build"]
fn a_hundred_sessions_and_four_studies_are_answered_within_50_ms() {
    let lab = Lab::new();
    start_studies(&lab);
    let before = memory();
    let took = play(open_sessions(&lab), 600);
    let part = |of: f64| took[((took.len() - 1) as f64 * of) as usize];
    println!(
        "{} answers: median {:?}, 99 % within {:?}, longest {:?}; memory {before:?} to {:?} MB",
        took.len(),
        part(0.5),
        part(0.99),
        part(1.0),
        memory()
    );
    assert!(part(0.99) <= Duration::from_millis(50));
}

/// Random numbers for messages (xorshift).
struct Dice(u64);

impl Dice {
    /// A random position between two characters of a text.
    fn boundary(&mut self, text: &str) -> usize {
        let mut place = self.roll(text.len() + 1);
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    fn number(&mut self) -> Value {
        let numbers = [
            json!(0),
            json!(1),
            json!(7),
            json!(-1),
            json!(250),
            json!(u64::MAX),
            json!(1e300),
            json!(0.5),
            json!(null),
            json!("9"),
        ];
        self.pick(&numbers).clone()
    }

    fn text(&mut self) -> Value {
        let texts = [
            "",
            "bcts",
            "full",
            "2",
            "1/0",
            "-3",
            "I",
            "Q",
            "l",
            "D",
            "press",
            "release",
            "you",
            "rules",
            "adversary",
            "../x",
            "\u{0}",
            "🦀",
            "[[[[",
        ];
        json!(self.pick(&texts))
    }

    fn action(&mut self) -> Value {
        let names = [
            "key",
            "time",
            "pause",
            "speed",
            "bot",
            "go-to",
            "edit",
            "deal",
            "piece",
            "step",
            "undo",
            "redo",
            "restart",
            "new-game",
            "hint",
            "analyse",
            "take-over",
            "fly",
        ];
        let name = *self.pick(&names);
        let rows: Vec<Value> = (0..self.roll(5))
            .map(|_| json!(["#.########", "##########", "..........", "x", ""][self.roll(5)]))
            .collect();
        match name {
            "key" => json!({ "action": name, "input": self.text(), "stroke": self.text() }),
            "time" => json!({ "action": name, "milliseconds": self.number() }),
            "pause" => json!({ "action": name, "on": self.roll(2) == 0 }),
            "speed" => json!({ "action": name, "factor": self.text() }),
            "bot" => json!({ "action": name, "plays": self.roll(2) == 0 }),
            "go-to" => json!({ "action": name, "pieces": self.number() }),
            "edit" => json!({ "action": name, "rows": rows }),
            "deal" => json!({ "action": name, "by": self.text() }),
            "piece" => json!({ "action": name, "piece": self.text() }),
            _ => json!({ "action": name }),
        }
    }

    fn start(&mut self) -> Value {
        let rulesets = [
            "simplified-10x20",
            "simplified-4x4",
            "guideline",
            "nothing",
            "simplified-99x99",
            "",
        ];
        let players = [
            "bcts",
            "dellacherie",
            "random",
            "dt-10",
            "nobody",
            "greedy(linear(bcts))",
            "greedy(",
            "runs/x",
        ];
        let players: Vec<Value> = (0..self.roll(6))
            .map(|_| json!(self.pick(&players)))
            .collect();
        let mut start = json!({ "ruleset": self.pick(&rulesets), "players": players, "person": self.roll(2) == 0, "seed": self.number() });
        if self.roll(8) == 0 {
            start["record"] = self.text();
        }
        if self.roll(8) == 0 {
            start["keys"] =
                json!({ "delay": self.number(), "every": self.number(), "down": self.number() });
        }
        json!({ "start": start })
    }

    /// A random message: usually well-formed with unusual values, sometimes damaged.
    fn message(&mut self) -> String {
        let message = match self.roll(20) {
            0 => self.start(),
            1 => json!({ "records": true }),
            2 => json!({ "do": self.number() }),
            3 => json!({ "do": [{ "action": "step" }], "more": 1 }),
            _ => json!({ "do": (0..self.roll(4)).map(|_| self.action()).collect::<Vec<_>>() }),
        };
        let mut text = message.to_string();
        match self.roll(12) {
            0 => text.truncate(self.boundary(&text)),
            1 => text.insert(
                self.boundary(&text),
                *self.pick(&['{', '"', '\\', '\u{7f}', '9']),
            ),
            2 => text = "[".repeat(self.roll(3000)),
            _ => {}
        }
        text
    }
}

/// Sends random messages from four sessions, evenly spread over this time, while a fifth keeps
/// playing.
fn send_random_messages(count: u64, time: Duration) {
    let lab = Lab::with(ServerLimits::default(), None);
    let (mut steady, _) = lab.session(&watched(5));
    let (sent, ended) = (AtomicU64::new(0), AtomicBool::new(false));
    let began = Instant::now();
    let send = |seed: u64| {
        let mut dice = Dice(seed);
        let mut socket = lab.socket(&[]).unwrap();
        loop {
            let number = sent.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let due = time.mul_f64(number as f64 / count as f64);
            std::thread::sleep(due.saturating_sub(began.elapsed()));
            socket.send(&dice.message());
            let answer = socket.receive().expect("every message is answered");
            let answer: Value = serde_json::from_str(&answer).unwrap();
            assert!(answer.is_object(), "{answer}");
        }
    };
    let steps = std::thread::scope(|scope| {
        let senders = [11, 22, 33, 44].map(|seed| scope.spawn(move || send(seed)));
        let playing = scope.spawn(|| {
            let mut steps = 0;
            while !ended.load(Ordering::Relaxed) {
                let state = steady.act(&json!({ "action": "step" }));
                steps += 1;
                assert_eq!(state["boards"][0]["pieces"], steps, "{state}");
            }
            steps
        });
        let sent = senders.map(|sender| sender.join().is_ok());
        ended.store(true, Ordering::Relaxed);
        assert_eq!(sent, [true; 4], "a message was not answered");
        playing.join().unwrap()
    });
    println!(
        "{count} messages in {:?}; another session placed {steps} pieces; memory {:?} MB",
        began.elapsed(),
        memory()
    );
    assert!(steps > 0);
    let alone = lab
        .session(&watched(5))
        .0
        .ask(&json!({ "do": vec![json!({ "action": "step" }); 20] }));
    assert_eq!(alone["boards"][0]["pieces"], 20, "the server goes on");
    assert!(lab.files().is_empty(), "nothing was written");
    wait_for("a place", || lab.socket(&[]).ok());
}

#[test]
fn random_messages_crash_nothing_and_disturb_nobody() {
    send_random_messages(20_000, Duration::ZERO);
}

/// `cargo test --release -p tetrolab-web -- --ignored --nocapture a_million`
#[test]
#[ignore = "takes ten minutes"]
fn a_million_random_messages_crash_nothing() {
    send_random_messages(1_000_000, Duration::from_secs(600));
}

#[test]
fn a_request_whose_head_never_ends_is_closed() {
    use std::io::{Read, Write};
    let limits = ServerLimits {
        head: Duration::from_millis(300),
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", lab.port)).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        .unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert_eq!(lab.get("/").status, 200);
}

#[test]
fn more_connections_than_the_limit_wait_for_their_turn() {
    let limits = ServerLimits {
        connections: 2,
        head: Duration::from_millis(500),
        ..ServerLimits::default()
    };
    let lab = Lab::with(limits, None);
    // Two silent connections occupy the places until they time out.
    let _silent = [0, 1].map(|_| std::net::TcpStream::connect(("127.0.0.1", lab.port)).unwrap());
    assert_eq!(lab.get("/").status, 200);
}
