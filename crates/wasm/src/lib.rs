//! tetrolab in a page without a server. A worker of the page holds this program and calls it:
//!
//! ```text
//! page -> transport.js -> worker.js -> make_room, answer -> Door -> tetrolab_web::pages, tetrolab
//!                                   <- answer_text; report (events of a study on the way)
//! ```
//!
//! Texts are JSON in UTF-8: the worker writes a request to the address returned by [`make_room`],
//! calls [`answer`], and reads that many bytes from [`answer_text`]. There is one request at a
//! time, and one thread.

// Exported names and imported functions require `unsafe`; nothing else here does.
#![allow(unsafe_code)]

mod door;
mod studies;

use door::Door;
use std::cell::RefCell;

thread_local! {
    static DOOR: RefCell<Door> = RefCell::new(Door::new());
    /// The request, and then its answer.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The functions provided by the worker.
#[cfg(target_family = "wasm")]
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since some fixed time.
        pub(crate) safe fn now() -> f64;
        /// Receives an event: a text at an address.
        pub(crate) safe fn report(text: *const u8, length: usize);
    }
}

/// A page without a worker, for tests.
#[cfg(not(target_family = "wasm"))]
mod page {
    pub(crate) fn report(_: *const u8, _: usize) {}
}

/// Passes an event on to the page.
pub(crate) fn report(text: &str) {
    page::report(text.as_ptr(), text.len());
}

/// The time according to the page's clock.
#[cfg(target_family = "wasm")]
fn now() -> std::time::Duration {
    std::time::Duration::try_from_secs_f64(page::now() / 1000.0).unwrap_or_default()
}

/// Prepares the program; called once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    #[cfg(target_family = "wasm")]
    tetrolab::time::set_clock(now);
    std::panic::set_hook(Box::new(|panic| {
        let text = serde_json::json!({ "panic": panic.to_string() });
        report(&text.to_string());
    }));
}

/// The address of this many bytes, for a request.
#[unsafe(no_mangle)]
pub extern "C" fn make_room(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        *text = vec![0; length];
        text.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = TEXT.take();
    let request = String::from_utf8_lossy(&request);
    let answer = DOOR.with_borrow_mut(|door| door.answer(&request));
    let length = answer.len();
    TEXT.set(answer.into_bytes());
    length
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_text() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
