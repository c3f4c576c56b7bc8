// Connects pages to the laboratory through the server that they came from. The static demo has a file
// with the same name and functions that connects them to a worker (crates/wasm/site).
// @ts-check

/** The capabilities of this server. */
export const place = {
  /** The ending of the pages' addresses. */
  suffix: '',
  /** Pages that are not available. @type {string[]} */
  without: [],
  /** Whether a stopped run resumes where it was stopped. */
  resumes: true,
  /** A notice for the user, if any. */
  note: '',
};

/**
 * Asks the server; an error response is thrown with its message.
 * @param {string} path
 * @param {any} [body] sent as JSON with POST
 * @param {string} [method]
 */
export async function ask(path, body, method = body === undefined ? 'GET' : 'POST') {
  /** @type {Record<string, string>} */
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = { error: text.slice(0, 300) || answer.statusText };
  }
  if (!answer.ok) throw new Error(value.error ?? answer.statusText);
  return value;
}

/**
 * Opens a session.
 * @param {(text: string) => void} receive what to do with an answer
 * @param {() => void} closed what to do when the connection has ended
 * @returns {Promise<{ send: (text: string) => void }>}
 */
export async function openSession(receive, closed) {
  const address = new URL('api/session', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('the server cannot be reached; is tetrolab serve running?'));
  });
  socket.onerror = null;
  socket.onmessage = (event) => receive(event.data);
  socket.onclose = closed;
  return { send: (text) => socket.send(text) };
}

/**
 * Follows a study until it ends: all events since the first, even if the connection was interrupted.
 * @param {number} study
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 * @returns {{ close: () => void }}
 */
export function follow(study, on) {
  const source = new EventSource(`api/studies/${study}/events`);
  for (const [kind, handle] of Object.entries(on)) {
    source.addEventListener(kind, (event) => {
      // The stream ends with the study; without this, the browser would reconnect.
      if (kind === 'ended') source.close();
      handle(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
  }
  return source;
}

/**
 * The attributes of a link to a file of the laboratory.
 * @param {string} path
 * @returns {Record<string, any>}
 */
export function fileLink(path) {
  return { href: path, download: true };
}
