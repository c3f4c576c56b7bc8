//! The checks of every request: its host, its origin, and the token.
//!
//! A page on the internet can make a browser send requests to this machine. A name that resolves to
//! a loopback address (DNS rebinding) is detected by the `Host` header, a form or a WebSocket of
//! another site by `Origin`, and a script tag by `Sec-Fetch-Site`. Programs other than browsers do
//! not send the last two.

use crate::app::App;
use crate::error::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::IpAddr;
use std::sync::Arc;

/// The cookie that contains the token.
const COOKIE: &str = "tetrolab-token";

/// The policy of all pages: nothing is loaded from elsewhere, and pages contain no inline scripts.
/// Plots set their widths in attributes.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The policy of reports, which contain their style sheet and script.
pub(crate) const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; sandbox allow-scripts allow-popups";

/// Decides which requests are accepted.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    port: u16,
    /// Names besides those of loopback, as in the `Host` header, in lower case.
    names: Vec<String>,
    /// Whether any address may be used, because the server listens on all of them.
    any_address: bool,
    token: Option<String>,
}

impl Guard {
    /// The guard of a server on a port; `host` is the address it was started with, if any.
    pub(crate) fn new(port: u16, host: Option<(&str, IpAddr)>, token: Option<String>) -> Guard {
        let bracketed = |ip: IpAddr| match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let names = host.map(|(name, ip)| vec![name.to_ascii_lowercase(), bracketed(ip)]);
        Guard {
            port,
            names: names.unwrap_or_default(),
            any_address: host.is_some_and(|(_, ip)| ip.is_unspecified()),
            token,
        }
    }

    /// Whether a `Host` header, or the part of an `Origin` after the scheme, refers to this server.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let port = format!(":{}", self.port);
        // Browsers omit the default port of the scheme.
        let name = match host.strip_suffix(&port) {
            Some(name) => name,
            None if self.port == 80 => &host,
            None => return false,
        };
        let is_address = || {
            let inner = name
                .strip_prefix('[')
                .and_then(|name| name.strip_suffix(']'));
            inner.unwrap_or(name).parse::<IpAddr>().is_ok()
        };
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
            || self.names.iter().any(|own| own == name)
            || (self.any_address && is_address())
    }

    fn check(&self, method: &Method, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        self.check_host(headers)?;
        self.check_origin(method, headers)?;
        self.check_token(headers, uri)
    }

    fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (host, other) = (hosts.next(), hosts.next());
        let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
        if other.is_none() && self.is_own(host) {
            return Ok(());
        }
        let sentence = format!(
            "this server does not answer requests for the host '{}'; use the address that it printed",
            host.escape_debug()
        );
        Err(Refusal::new(StatusCode::FORBIDDEN, sentence))
    }

    fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let foreign = |from: &str| {
            let sentence = format!(
                "requests from other sites are refused; this one comes from '{}'",
                from.escape_debug()
            );
            Err(Refusal::new(StatusCode::FORBIDDEN, sentence))
        };
        if let Some(origin) = text(header::ORIGIN) {
            let host = origin.strip_prefix("http://").unwrap_or_default();
            if !self.is_own(host) {
                return foreign(origin);
            }
        }
        let site = text(HeaderName::from_static("sec-fetch-site")).unwrap_or("none");
        let mode = text(HeaderName::from_static("sec-fetch-mode")).unwrap_or_default();
        // Another site may only link here.
        let is_link = *method == Method::GET && mode == "navigate";
        match site {
            "same-origin" | "none" => Ok(()),
            _ if is_link => Ok(()),
            site => foreign(site),
        }
    }

    fn check_token(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let bearer = headers.get(header::AUTHORIZATION);
        let bearer = bearer.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|value| value.split(';'));
        let cookie = cookies.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
        let given = [bearer, cookie, token_of(uri)];
        if given
            .into_iter()
            .flatten()
            .any(|given| is_same(given, token))
        {
            return Ok(());
        }
        let sentence =
            "a token is needed: open the address that the server printed, which contains it";
        Err(Refusal::new(StatusCode::UNAUTHORIZED, sentence))
    }
}

/// The token in the query of an address.
fn token_of(uri: &Uri) -> Option<&str> {
    let mut pairs = uri.query()?.split('&');
    pairs.find_map(|pair| pair.strip_prefix("token="))
}

/// Compares in constant time.
fn is_same(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).map(|(a, b)| a ^ b);
    one.len() == other.len() && differences.fold(0, |all, bits| all | bits) == 0
}

/// Lets a request pass, or refuses it; adds the headers that all answers have.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let checked = app
        .guard
        .check(request.method(), request.headers(), request.uri());
    let enters = token_of(request.uri()).is_some() && request.method() == Method::GET;
    let mut response = match (checked, &app.guard.token) {
        (Err(refusal), _) => refusal.into_response(),
        (Ok(()), Some(token)) if enters && !request.uri().path().starts_with("/api/") => {
            enter(request.uri().path(), token)
        }
        (Ok(()), _) => next.run(request).await,
    };
    let headers = response.headers_mut();
    let policy = headers.entry(header::CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let cache = headers.entry(header::CACHE_CONTROL);
    cache.or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Moves the token from the address into a cookie, so that it does not appear in the history or in
/// links.
fn enter(path: &str, token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
    let headers = [
        // One slash, because two would refer to another host.
        (
            header::LOCATION,
            format!("/{}", path.trim_start_matches(['/', '\\'])),
        ),
        (header::SET_COOKIE, cookie),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
