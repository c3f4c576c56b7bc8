//! A server for tests, and a client that can send anything, even messages that no browser sends.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tetrolab::arena::Arena;
use tetrolab::context::CancelToken;
use tetrolab_web::{ServeOptions, Server, ServerLimits};

/// A server that ends with the test.
pub(crate) struct Lab {
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
    folder: Arc<TempDir>,
    cancel: CancelToken,
    thread: Option<JoinHandle<()>>,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

impl Lab {
    pub(crate) fn new() -> Lab {
        Lab::with(ServerLimits::default(), None)
    }

    pub(crate) fn with(limits: ServerLimits, host: Option<&str>) -> Lab {
        Lab::at(Arc::new(TempDir::new().unwrap()), limits, host)
    }

    /// Another server on the same folder of runs, as after a restart.
    pub(crate) fn restarted(mut self) -> Lab {
        self.stop();
        Lab::at(Arc::clone(&self.folder), ServerLimits::default(), None)
    }

    fn at(folder: Arc<TempDir>, limits: ServerLimits, host: Option<&str>) -> Lab {
        let cancel = CancelToken::new();
        let server = Server::bind(ServeOptions {
            host: host.map(str::to_owned),
            port: 0,
            lab: folder.path().join("runs"),
            assets: None,
            arena: Arena::new(1).unwrap(),
            stage_command: |_| None,
            cancel: cancel.clone(),
            limits,
        });
        let server = server.unwrap();
        let url = server.url().to_owned();
        let address = url.trim_start_matches("http://");
        let (address, query) = address.split_once('/').unwrap();
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        let token = query.strip_prefix("?token=").map(str::to_owned);
        let thread = std::thread::spawn(move || server.run().unwrap());
        Lab {
            port,
            token,
            folder,
            cancel,
            thread: Some(thread),
        }
    }

    fn stop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// The parent of the test's folder of runs, whether or not that exists.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// All files that the server has written.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        fn add(folder: &Path, files: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    add(&path, files);
                }
                files.push(path);
            }
        }
        let mut files = Vec::new();
        add(self.folder(), &mut files);
        files
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request with these headers and nothing else.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // A server that refuses a large body may close the connection before everything is sent.
        let _ = stream.write_all(body);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.to_owned()
        };
        Answer {
            status: status.unwrap_or_else(|| panic!("no answer: {text}")),
            head: head.to_lowercase(),
            body,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.raw("GET", path, &[("Host", &self.host())], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [
            ("Host", &*self.host()),
            ("Content-Type", "application/json"),
        ];
        self.raw("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Opens a WebSocket.
    pub(crate) fn socket(&self, headers: &[(&str, &str)]) -> Result<Socket, Answer> {
        Socket::open(self, headers)
    }

    /// Opens a WebSocket and starts a session.
    pub(crate) fn session(&self, start: &Value) -> (Socket, Value) {
        let mut socket = self.socket(&[]).unwrap();
        let state = socket.ask(&serde_json::json!({ "start": start }));
        (socket, state)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.stop();
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole += rest.get(..size).unwrap_or(rest);
        body = rest.get(size + 2..).unwrap_or("");
    }
    whole
}

/// A WebSocket.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: BufReader<TcpStream>,
}

impl Socket {
    fn open(lab: &Lab, headers: &[(&str, &str)]) -> Result<Socket, Answer> {
        let mut stream = TcpStream::connect(lab.host()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut head = "GET /api/session HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            .to_owned();
        let host = lab.host();
        let usual = [("Host", host.as_str())];
        let has_host = headers.iter().any(|header| header.0 == "Host");
        for (name, value) in usual.iter().filter(|_| !has_host).chain(headers) {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        let mut stream = BufReader::new(stream);
        let mut answer = String::new();
        while !answer.ends_with("\r\n\r\n") {
            if stream.read_line(&mut answer).unwrap() == 0 {
                break;
            }
        }
        let status = answer
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0);
        if status == 101 {
            return Ok(Socket { stream });
        }
        let mut body = String::new();
        let length = answer.to_lowercase();
        let length = length
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: u64 = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let _ = stream.take(length).read_to_string(&mut body);
        Err(Answer {
            status,
            head: answer,
            body,
        })
    }

    pub(crate) fn send(&mut self, text: &str) {
        let _ = self.try_send(text);
    }

    pub(crate) fn try_send(&mut self, text: &str) -> std::io::Result<()> {
        let bytes = text.as_bytes();
        let mut frame = vec![0x81];
        match bytes.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        let mask = [1, 2, 3, 4];
        frame.extend(mask);
        frame.extend(
            bytes
                .iter()
                .enumerate()
                .map(|(at, byte)| byte ^ mask[at % 4]),
        );
        self.stream.get_mut().write_all(&frame)
    }

    /// The next text; `None` once the server has closed the connection.
    pub(crate) fn receive(&mut self) -> Option<String> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head).ok()?;
        let length = match head[1] & 0x7f {
            126 => {
                let mut bytes = [0; 2];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from_be_bytes(bytes)
            }
            length => u64::from(length),
        };
        let mut bytes = vec![0; length as usize];
        self.stream.read_exact(&mut bytes).ok()?;
        match head[0] & 0x0f {
            1 => String::from_utf8(bytes).ok(),
            8 => None,
            _ => self.receive(),
        }
    }

    pub(crate) fn ask(&mut self, message: &Value) -> Value {
        self.send(&message.to_string());
        let answer = self.receive().expect("an answer");
        serde_json::from_str(&answer).unwrap()
    }

    /// Sends one action and returns the answer.
    pub(crate) fn act(&mut self, action: &Value) -> Value {
        self.ask(&serde_json::json!({ "do": [action] }))
    }
}

/// Waits until a condition holds.
pub(crate) fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "waited too long for {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
