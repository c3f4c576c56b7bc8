//! The limits of a server: everything that a request can make it store or do is bounded.

use std::time::Duration;

/// The limits of a server. Tests set smaller ones.
#[derive(Clone, Copy, Debug)]
pub struct ServerLimits {
    /// Connections at the same time; others wait until one ends.
    pub connections: usize,
    /// How long a client may take to send the head of its first or next request.
    pub head: Duration,
    /// Sessions at the same time.
    pub sessions: usize,
    /// Studies at the same time: evaluations, learning runs and experiments.
    pub studies: usize,
    /// Ended studies that can still be queried.
    pub ended_studies: usize,
    /// Pages that read the events of studies at the same time.
    pub readers: usize,
    /// Bytes of the body of a request.
    pub body: usize,
    /// Bytes of a message to a session; a record must fit.
    pub message: usize,
    /// Boards of a session.
    pub boards: usize,
    /// Players of an evaluation.
    pub players: usize,
    /// Games of each player in an evaluation.
    pub games: u64,
    /// How long a session may work on one message.
    pub decision: Duration,
    /// How long a client may take to read an answer.
    pub reading: Duration,
    /// How long a session may be idle.
    pub idle: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 512,
            head: Duration::from_secs(30),
            sessions: 100,
            studies: 4,
            ended_studies: 50,
            readers: 64,
            body: 64 * 1024,
            message: 8 * 1024 * 1024,
            boards: 4,
            players: 12,
            games: 1_000_000,
            decision: Duration::from_secs(30),
            reading: Duration::from_secs(5),
            idle: Duration::from_secs(30 * 60),
        }
    }
}
