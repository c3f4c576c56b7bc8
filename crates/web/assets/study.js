// A study that runs in the server: its events, from the first on, also after a pause of the connection.
// @ts-check

/**
 * Follows a study until it ends.
 * @param {number} study
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 * @returns {EventSource}
 */
export function follow(study, on) {
  const source = new EventSource(`api/studies/${study}/events`);
  for (const [kind, handle] of Object.entries(on)) {
    source.addEventListener(kind, (event) => {
      // The stream ends with the study; the browser would ask again.
      if (kind === 'ended') source.close();
      handle(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
  }
  return source;
}
