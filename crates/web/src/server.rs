//! The server itself: its address, its main loop and its shutdown.

use crate::app::{App, StageCommand, router};
use crate::assets::Assets;
use crate::error::ServeError;
use crate::guard::Guard;
use crate::limits::ServerLimits;
use crate::pages;
use crate::studies::Studies;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrolab::arena::Arena;
use tetrolab::context::CancelToken;
use tokio::sync::Semaphore;

/// How often the server checks whether it should end.
const LOOK: Duration = Duration::from_millis(50);
/// How long work that was cancelled may take to end.
const GRACE: Duration = Duration::from_millis(1000);
/// How long studies that were cancelled may take to write their results.
const STUDY_GRACE: Duration = Duration::from_secs(5);

/// The options of a server.
pub struct ServeOptions {
    /// A name or an address to listen on; `None` for loopback. With any other address, the server
    /// requires a token.
    pub host: Option<String>,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The folder of runs; nothing is written elsewhere.
    pub lab: PathBuf,
    /// Serve the pages from this folder instead of the embedded ones.
    pub assets: Option<PathBuf>,
    /// The threads on which studies run.
    pub arena: Arena,
    /// The command of a stage of an experiment.
    pub stage_command: StageCommand,
    /// Ends the server.
    pub cancel: CancelToken,
    /// The limits of the server.
    pub limits: ServerLimits,
}

/// A server that is listening but not answering yet.
pub struct Server {
    listener: TcpListener,
    url: String,
    app: Arc<App>,
}

impl Server {
    /// Starts listening.
    ///
    /// # Errors
    /// If the address cannot be used, or the folder of assets does not exist.
    pub fn bind(options: ServeOptions) -> Result<Server, ServeError> {
        let assets = match options.assets {
            Some(folder) if !folder.join("index.html").is_file() => {
                return Err(ServeError::NoAssets(folder.display().to_string()));
            }
            Some(folder) => Assets::Folder(folder),
            None => Assets::Embedded,
        };
        let ip = options
            .host
            .as_deref()
            .map(|host| resolve(host, options.port));
        let ip = ip.transpose()?.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let address = SocketAddr::new(ip, options.port);
        let wrong = |error| ServeError::Listen {
            address: address.to_string(),
            error,
        };
        let listener = TcpListener::bind(address).map_err(wrong)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let is_open = !ip.is_loopback();
        let token = is_open.then(new_token).transpose()?;
        let host = options.host.as_deref();
        let url = url(&SocketAddr::new(openable(ip), port), token.as_deref());
        let app = App {
            guard: Guard::new(port, host.map(|host| (host, ip)), token),
            assets,
            sessions: Arc::new(Semaphore::new(options.limits.sessions)),
            studies: Studies::new(),
            readers: Arc::new(Semaphore::new(options.limits.readers)),
            limits: options.limits,
            arena: options.arena,
            lab: options.lab,
            stage_command: options.stage_command,
            cancel: options.cancel,
        };
        let app = Arc::new(app);
        Ok(Server { listener, url, app })
    }

    /// The address to open, with the token if one is needed.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers requests until the token is cancelled.
    ///
    /// # Errors
    /// If the system has no threads or sockets left.
    pub fn run(self) -> Result<(), ServeError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime
            .worker_threads(2)
            .max_blocking_threads(self.app.limits.sessions + 32)
            .enable_all();
        let runtime = runtime.build()?;
        let (app, cancel) = (Arc::clone(&self.app), self.app.cancel.clone());
        let _ = std::thread::Builder::new().spawn(pages::catalog);
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let limits = self.app.limits;
            let serving = accept_all(listener, router(self.app), limits);
            let ended = async {
                while !cancel.is_cancelled() {
                    tokio::time::sleep(LOOK).await;
                }
            };
            // Does not wait for open connections: a page keeps its socket while it is open.
            futures_util::future::select(Box::pin(serving), Box::pin(ended)).await;
            Ok::<(), std::io::Error>(())
        });
        runtime.shutdown_timeout(GRACE);
        let began = Instant::now();
        while app.studies.any_running() && began.elapsed() < STUDY_GRACE {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(served?)
    }
}

/// Serves connections, up to the maximum number at the same time.
async fn accept_all(listener: tokio::net::TcpListener, router: Router, limits: ServerLimits) {
    let free = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // The system has no sockets left; some will be closed.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut connection = http1::Builder::new();
        let connection = connection
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::spawn(async move {
            // A session outlives the connection: after the upgrade, it counts as a session.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// The first address of a host.
fn resolve(host: &str, port: u16) -> Result<IpAddr, ServeError> {
    let wrong = |problem: String| ServeError::Host {
        host: host.to_owned(),
        problem,
    };
    let mut found = (host, port)
        .to_socket_addrs()
        .map_err(|error| wrong(error.to_string()))?;
    let first = found
        .next()
        .ok_or_else(|| wrong("the host has no address".to_owned()))?;
    Ok(first.ip())
}

/// An address that a browser can open. If the server listens on all addresses, this is the address
/// by which other machines reach this one, or loopback. Nothing is sent to determine it.
fn openable(ip: IpAddr) -> IpAddr {
    if !ip.is_unspecified() {
        return ip;
    }
    // Addresses reserved for documentation; they show which interface would be used.
    let (any, elsewhere, loopback) = match ip {
        IpAddr::V4(_) => ("0.0.0.0:0", "192.0.2.1:9", IpAddr::V4(Ipv4Addr::LOCALHOST)),
        IpAddr::V6(_) => ("[::]:0", "[2001:db8::1]:9", IpAddr::V6(Ipv6Addr::LOCALHOST)),
    };
    let own = UdpSocket::bind(any).and_then(|socket| {
        socket.connect(elsewhere)?;
        socket.local_addr()
    });
    let own = own.ok().map(|address| address.ip());
    own.filter(|ip| !ip.is_unspecified()).unwrap_or(loopback)
}

/// The address to open.
fn url(address: &SocketAddr, token: Option<&str>) -> String {
    let token = token
        .map(|token| format!("?token={token}"))
        .unwrap_or_default();
    format!("http://{address}/{token}")
}

/// A token that cannot be guessed: 128 random bits from the system.
fn new_token() -> Result<String, ServeError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
