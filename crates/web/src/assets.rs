//! The pages, style sheet and scripts: embedded into the program, or read from a folder during
//! development. No other file can be requested.

use crate::app::App;
use crate::error::Refusal;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use tetrolab::report::page::style_sheet;

macro_rules! embedded {
    ($($path:literal => $file:literal),* $(,)?) => {
        &[$(Asset { path: $path, file: $file, text: include_str!(concat!("../assets/", $file)) }),*]
    };
}

/// A file of the pages.
struct Asset {
    /// The path in an address.
    path: &'static str,
    file: &'static str,
    text: &'static str,
}

/// Every file. To add one: write it, add its line here.
const ASSETS: &[Asset] = embedded![
    "/" => "index.html",
    "/compare" => "compare.html",
    "/learn" => "learn.html",
    "/experiments" => "experiments.html",
    "/features" => "features.html",
    "/style.css" => "style.css",
    "/js/board.js" => "board.js",
    "/js/compare.js" => "compare.js",
    "/js/experiments.js" => "experiments.js",
    "/js/features.js" => "features.js",
    "/js/keys.js" => "keys.js",
    "/js/learn.js" => "learn.js",
    "/js/link.js" => "link.js",
    "/js/page.js" => "page.js",
    "/js/session.js" => "session.js",
    "/js/transport.js" => "transport.js",
    "/js/view.js" => "view.js",
    "/js/watch.js" => "watch.js",
];

/// Where the files are.
#[derive(Clone, Debug)]
pub(crate) enum Assets {
    /// In the program.
    Embedded,
    /// In a folder.
    Folder(PathBuf),
}

impl Assets {
    fn text(&self, asset: &Asset) -> Result<Cow<'static, str>, Refusal> {
        let Assets::Folder(folder) = self else {
            return Ok(Cow::Borrowed(asset.text));
        };
        let text = std::fs::read_to_string(folder.join(asset.file));
        let failed = |error| Refusal::failed(format!("{}: {error}", asset.file));
        text.map(Cow::Owned).map_err(failed)
    }
}

/// Answers with the file at an address.
pub(crate) async fn asset(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, Refusal> {
    let asset = ASSETS.iter().find(|asset| asset.path == uri.path());
    let asset = asset.ok_or_else(|| Refusal::missing("there is no such page"))?;
    let mut text = app.assets.text(asset)?;
    if asset.file.ends_with(".css") {
        // Pages use the style of reports, so that style sheet comes first.
        text = Cow::Owned(style_sheet() + &text);
    }
    let kind = match asset.file.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "text/html; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, text.into_owned()).into_response())
}
