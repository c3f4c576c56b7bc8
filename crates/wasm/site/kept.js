// Learning runs in this browser's storage; without storage, they last until the page is closed.
// @ts-check

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('tetrolab', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('runs', { keyPath: 'run' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {(store: IDBObjectStore) => IDBRequest} act @returns {Promise<any>} */
async function inStore(act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = act(database.transaction('runs', 'readwrite').objectStore('runs'));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** All runs. One that was learning when its page was closed has been stopped. @returns {Promise<any[]>} */
export async function loadRuns() {
  const all = await inStore((store) => store.getAll()).catch(() => []);
  return all.map((/** @type {any} */ run) => ({ ...run, study: null, state: run.state === 'running' ? 'interrupted' : run.state }));
}

/** @param {any} run */
export function saveRun(run) {
  return inStore((store) => store.put(structuredClone(run))).catch(() => {});
}

/** @param {string} name */
export function deleteRun(name) {
  return inStore((store) => store.delete(name)).catch(() => {});
}
