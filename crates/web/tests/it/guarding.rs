//! Requests that the server refuses, one test each; a refused request writes nothing.

use crate::client::Lab;
use serde_json::json;
use tetrolab_web::ServerLimits;

#[test]
fn a_page_of_the_server_is_served_with_a_policy_and_no_cookies() {
    let lab = Lab::new();
    let answer = lab.get("/");
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .head
            .contains("content-security-policy: default-src 'none'"),
        "{}",
        answer.head
    );
    assert!(answer.head.contains("x-content-type-options: nosniff"));
    assert!(!answer.head.contains("set-cookie") && lab.token.is_none());
    assert!(answer.body.contains("<title>Watch and play"));
    assert_eq!(lab.get("/style.css").status, 200);
    assert!(lab.files().is_empty());
}

#[test]
fn a_foreign_host_is_refused() {
    let lab = Lab::new();
    let port = lab.port;
    for host in [
        "evil.example",
        "127.0.0.1:1",
        "localhost",
        &format!("evil.example:{port}"),
        "",
    ] {
        let answer = lab.raw("GET", "/api/catalog", &[("Host", host)], b"");
        assert_eq!(answer.status, 403, "{host}");
        assert!(
            answer
                .error()
                .contains("does not answer requests for the host"),
            "{}",
            answer.body
        );
    }
    for host in [
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        format!("[::1]:{port}"),
    ] {
        assert_eq!(
            lab.raw("GET", "/api/catalog", &[("Host", &host)], b"")
                .status,
            200,
            "{host}"
        );
    }
    let two = [("Host", &*lab.host()), ("Host", "evil.example")];
    assert!([400, 403].contains(&lab.raw("GET", "/", &two, b"").status));
}

#[test]
fn a_post_of_another_site_is_refused() {
    let lab = Lab::new();
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
    ] {
        let headers = [
            ("Host", &*lab.host()),
            ("Origin", origin),
            ("Content-Type", "application/json"),
        ];
        let answer = lab.raw(
            "POST",
            "/api/evaluations",
            &headers,
            br#"{"players":["bcts"]}"#,
        );
        assert_eq!(answer.status, 403, "{origin}: {}", answer.body);
        assert!(answer.error().contains("other sites"), "{}", answer.body);
    }
    let headers = [
        ("Host", &*lab.host()),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "no-cors"),
    ];
    assert_eq!(lab.raw("GET", "/api/catalog", &headers, b"").status, 403);
    let link = [
        ("Host", &*lab.host()),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
    ];
    assert_eq!(lab.raw("GET", "/", &link, b"").status, 200);
    assert!(lab.files().is_empty());
}

#[test]
fn a_socket_of_another_site_is_refused() {
    let lab = Lab::new();
    let refused = lab
        .socket(&[("Origin", "http://evil.example")])
        .unwrap_err();
    assert_eq!(refused.status, 403, "{}", refused.body);
    let refused = lab.socket(&[("Host", "evil.example")]).unwrap_err();
    assert_eq!(refused.status, 403);
    let own = format!("http://{}", lab.host());
    assert!(lab.socket(&[("Origin", &own)]).is_ok());
}

#[test]
fn another_address_needs_the_token() {
    let lab = Lab::with(ServerLimits::default(), Some("0.0.0.0"));
    let token = lab.token.clone().expect("a token in the address");
    assert_eq!(token.len(), 32);
    let host = lab.host();
    for headers in [
        vec![("Host", &*host)],
        vec![("Host", &host), ("Cookie", "tetrolab-token=0")],
        vec![
            ("Host", &host),
            ("Authorization", "Bearer 12345678123456781234567812345678"),
        ],
    ] {
        for path in ["/", "/api/catalog", "/style.css"] {
            let answer = lab.raw("GET", path, &headers, b"");
            assert_eq!(answer.status, 401, "{path}");
            assert!(answer.error().contains("token"), "{}", answer.body);
        }
    }
    assert_eq!(lab.socket(&[]).unwrap_err().status, 401);
    let enter = lab.get(&format!("/?token={token}"));
    assert_eq!(enter.status, 303);
    assert!(
        enter.head.contains("httponly; samesite=strict"),
        "{}",
        enter.head
    );
    let cookie = format!("other=1; tetrolab-token={token}");
    let headers = [("Host", &*host), ("Cookie", &cookie)];
    assert_eq!(lab.raw("GET", "/api/catalog", &headers, b"").status, 200);
    assert!(lab.socket(&[("Cookie", &cookie)]).is_ok());
    let bearer = format!("Bearer {token}");
    let headers = [("Host", "evil.example"), ("Authorization", &bearer)];
    assert_eq!(lab.raw("GET", "/api/catalog", &headers, b"").status, 403);
}

#[test]
fn a_large_body_is_refused() {
    let lab = Lab::new();
    let body = json!({ "players": ["x".repeat(100_000)] });
    let answer = lab.post("/api/evaluations", &body);
    assert_eq!(answer.status, 413, "{}", answer.body);
    assert!(
        answer.error().contains("at most 65536 bytes"),
        "{}",
        answer.body
    );
    assert!(lab.files().is_empty());
}

#[test]
fn a_body_that_is_no_json_is_refused() {
    let lab = Lab::new();
    let headers = [("Host", &*lab.host()), ("Content-Type", "text/plain")];
    let answer = lab.raw("POST", "/api/evaluations", &headers, b"{}");
    assert_eq!(answer.status, 415, "{}", answer.body);
    let headers = [("Host", &*lab.host()), ("Content-Type", "application/json")];
    for body in ["", "{", "[]", "{\"players\": 3}", "{\"surprise\": 1}"] {
        let answer = lab.raw("POST", "/api/evaluations", &headers, body.as_bytes());
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert!(answer.error().starts_with("body: "), "{}", answer.body);
    }
    assert!(lab.files().is_empty());
}

#[test]
fn unknown_addresses_and_methods_are_reported() {
    let lab = Lab::new();
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/js/../index.html",
        "/api/nothing",
        "/%2e%2e/x",
    ] {
        assert_eq!(lab.get(path).status, 404, "{path}");
    }
    assert_eq!(lab.post("/api/catalog", &json!({})).status, 405);
}
