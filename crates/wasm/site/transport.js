// Connects pages to the laboratory without a server: one worker of the page runs it in WebAssembly,
// and each study has another. Runs are kept in this browser. The file with the same name and
// functions in crates/web/assets connects pages to `tetrolab serve`.
// @ts-check

import { deleteRun, loadRuns, saveRun } from './kept.js';

/** The capabilities of the demo. */
export const place = {
  suffix: '.html',
  without: ['experiments'],
  resumes: false,
  note: 'Demo: everything runs in this page.',
};

/** The program, compressed, so that any server transfers few bytes. */
const PROGRAM = new URL('../laboratory.bin', import.meta.url);
/** The maximum number of runs listed. */
const MOST_RUNS = 50;
/** The interval between two writes of a run in progress, in milliseconds. */
const BETWEEN_SAVES = 2000;

/** A player whose tables are loaded when it is first named. */
const LATER = 'wary-20';
/** @type {Promise<ArrayBuffer> | null} */
let tables = null;

/** The compiled program, shared by all workers. @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/** The bytes of a packed file. @param {URL} address */
async function unpacked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the laboratory cannot be loaded: ${answer.status} ${answer.statusText}`);
  const packed = new Uint8Array(await answer.arrayBuffer());
  // If the server sets the content encoding, the browser has already decompressed the file.
  const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
  const stream = new Blob([packed]).stream();
  return new Response(isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).arrayBuffer();
}

function compile() {
  compiled ??= unpacked(PROGRAM).then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/** A worker with the laboratory. */
class Laboratory {
  /** @param {(event: any) => void} [onEvent] */
  constructor(onEvent = () => {}) {
    this.worker = new Worker(new URL('./worker.js', import.meta.url));
    /** @type {Map<number, { resolve: (text: string) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.number = 0;
    this.hasTables = false;
    let panic = '';
    this.worker.onmessage = ({ data }) => {
      if (data.event) {
        const event = JSON.parse(data.event);
        if (event.panic) panic = event.panic;
        else onEvent(event);
        return;
      }
      const asked = this.waiting.get(data.number);
      this.waiting.delete(data.number);
      if (data.failed) asked?.reject(new Error(`the laboratory has stopped (${panic || data.failed}); reload the page`));
      else asked?.resolve(data.answer);
    };
    this.ready = compile().then((module) => this.worker.postMessage(module));
  }

  /** @param {any} request @returns {Promise<string>} */
  async ask(request) {
    await this.ready;
    const text = JSON.stringify(request);
    if (text.includes(LATER) && !this.hasTables) {
      tables ??= unpacked(new URL(`../${LATER}.bin`, import.meta.url));
      const bytes = new Uint8Array(await tables);
      if (!this.hasTables) this.worker.postMessage({ tables: bytes });
      this.hasTables = true;
    }
    return new Promise((resolve, reject) => {
      this.number += 1;
      this.waiting.set(this.number, { resolve, reject });
      this.worker.postMessage({ number: this.number, request: text });
    });
  }

  /** The value of an answer; an error is thrown. @param {any} request */
  async value(request) {
    const answer = JSON.parse(await this.ask(request));
    if (answer.error) throw new Error(answer.error);
    return answer.ok;
  }

  end() {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Error('stopped'));
    this.waiting.clear();
  }
}

/** The worker for requests and for the session. @type {Laboratory | null} */
let main = null;

async function laboratory() {
  if (!main) {
    main = new Laboratory();
    await givePlayers(main);
  }
  return main;
}

/** Tells a worker which players were learned here. @param {Laboratory} to */
async function givePlayers(to) {
  const all = [...(await runs()).values()].filter((run) => run.player);
  if (all.length > 0) await to.value({ players: Object.fromEntries(all.map((run) => [`runs/${run.run}`, run.player])) });
}

// --- Studies: each in its own worker, with all its events, so that a page can subscribe later.

/** @typedef {{ id: number, kind: string, about: any, state: string, events: [string, any][], listeners: Set<Record<string, (data: any) => void>>, laboratory: Laboratory, interim: any }} Study */

/** @type {Map<number, Study>} */
const studies = new Map();

/** @param {Study} study @param {string} kind @param {any} data */
function tell(study, kind, data) {
  if (kind === 'progress') study.events = study.events.filter((one) => one[0] !== 'progress');
  study.events.push([kind, data]);
  for (const on of study.listeners) on[kind]?.(data);
}

/**
 * Starts a study.
 * @param {string} kind @param {any} request @param {any} about
 * @param {(kind: string, data: any) => void} [onEvent]
 */
function start(kind, request, about, onEvent = () => {}) {
  const study = /** @type {any} */ ({
    id: studies.size + 1, kind, about, state: 'running', events: [], listeners: new Set(), interim: null,
  });
  study.laboratory = new Laboratory(({ event, data }) => {
    if (event === 'about') Object.assign(study.about, data);
    if (event === 'interim') study.interim = data;
    onEvent(event, data);
    tell(study, event, data);
  });
  studies.set(study.id, study);
  const done = givePlayers(study.laboratory).then(() => study.laboratory.value(request));
  return { study, done };
}

/** @param {Study} study @param {string} state @param {any} data */
function finish(study, state, data) {
  if (study.state !== 'running') return;
  study.state = state;
  study.laboratory.end();
  tell(study, 'ended', { state, ...data });
}

/** @param {any} request */
async function compare(request) {
  const about = {};
  const { study, done } = start('evaluation', { evaluate: request }, about);
  done.then(
    (result) => finish(study, 'finished', { result }),
    (error) => finish(study, 'failed', { error: error.message }),
  );
  // The request is checked before the first game.
  await Promise.race([done, new Promise((resolve) => { study.listeners.add({ about: resolve }); })]);
  return { study: study.id, command: study.about.command };
}

// --- Learning runs.

/** @type {Promise<Map<string, any>> | null} */
let known = null;

/** The runs of this browser, by name. @returns {Promise<Map<string, any>>} */
function runs() {
  known ??= loadRuns().then((all) => new Map(all.map((run) => [run.run, run])));
  return known;
}

/** @param {any} request */
async function learn(request) {
  const planned = await (await laboratory()).value({ ask: { path: 'api/plans', body: request } });
  const all = await runs();
  const before = all.get(planned.run);
  if (before && (before.study != null || before.state === 'finished')) return { run: planned.run, study: before.study };
  const run = {
    run: planned.run, plan: planned.learning, seed: planned.seed, unit: planned.unit, command: planned.command, request,
    rows: /** @type {any[]} */ ([]), state: 'running', ended: null, player: null, study: /** @type {number | null} */ (null),
    begun: Date.now(),
  };
  all.set(run.run, run);
  for (const old of [...all.values()].sort((a, b) => b.begun - a.begun).slice(MOST_RUNS)) {
    all.delete(old.run);
    deleteRun(old.run);
  }
  let saved = 0;
  const { study, done } = start('learning', { learn: request }, { run: run.run, command: run.command }, (kind, data) => {
    if (kind !== 'generation') return;
    run.rows.push({
      run: data.run + 1, generation: data.number + 1, best: data.best, mean: data.mean, spread: data.spread, sigma: data.sigma,
      eigenvalues: [], solution: [], games: data.games, pieces: data.pieces, seconds: data.seconds,
    });
    if (Date.now() - saved < BETWEEN_SAVES) return;
    saved = Date.now();
    saveRun(run);
  });
  run.study = study.id;
  done.then(async (result) => {
    Object.assign(run, { state: 'finished', ended: result.ended.join('; '), player: result.player, study: null });
    saveRun(run);
    if (main) await givePlayers(main);
    finish(study, 'finished', { result });
  }).catch((error) => {
    Object.assign(run, { state: 'interrupted', study: null });
    finish(study, 'failed', { error: error.message });
  });
  return { run: run.run, study: study.id };
}

/** A run as a row of the list. @param {any} run */
function row(run) {
  const sum = (/** @type {string} */ field) => run.rows.reduce((/** @type {number} */ all, /** @type {any} */ one) => all + one[field], 0);
  const best = run.rows.map((/** @type {any} */ one) => one.best).filter((/** @type {any} */ one) => one != null);
  return {
    run: run.run, plan: run.plan, seed: run.seed, unit: run.unit, command: run.command, state: run.state, study: run.study,
    ended: run.ended, generations: run.rows.length, best: best.length ? Math.max(...best) : null,
    games: sum('games'), pieces: sum('pieces'), seconds: sum('seconds'), has_player: run.player != null, can_play: run.player != null, has_model: false, weights: null,
  };
}

/** @param {string} name */
async function find(name) {
  const run = (await runs()).get(name);
  if (!run) throw new Error(`there is no run '${name}' in this browser`);
  return run;
}

/** @param {URLSearchParams} query @param {boolean} alone */
async function curves(query, alone) {
  const all = await Promise.all((query.get('runs') ?? '').split(',').map(find));
  const generations = all.map((run) => ({ learner: run.plan.learner.split('(')[0], name: run.run, weights: [], rows: run.rows }));
  return (await laboratory()).value({ curves: { runs: generations, ruleset: all[0].plan.ruleset, over: query.get('over') ?? 'pieces', alone } });
}

/** @param {string} name @param {string} what */
async function ofRun(name, what) {
  const run = await find(name);
  if (what === 'stop') {
    const study = studies.get(run.study);
    Object.assign(run, { state: 'interrupted', study: null });
    saveRun(run);
    if (study) finish(study, 'stopped', { result: {} });
    return { run: name, study: study?.id };
  }
  (await runs()).delete(name);
  return learn(run.request);
}

/**
 * Asks the laboratory; an answer that is an error is thrown with its sentence.
 * @param {string} path @param {any} [body]
 * @returns {Promise<any>}
 */
export async function ask(path, body) {
  const [name, query] = path.split('?');
  const parts = name.split('/').slice(1).map(decodeURIComponent);
  if (name === 'api/evaluations') return compare(body);
  if (name === 'api/studies') return { studies: [...studies.values()].reverse().map(({ id, kind, about, state }) => ({ id, kind, about, state })) };
  if (parts[0] === 'studies') {
    const study = studies.get(Number(parts[1]));
    if (study) finish(study, 'stopped', { result: { evaluated: study.interim ?? { results: [] }, plots: [] } });
    return {};
  }
  if (name === 'api/runs' && body === undefined) {
    return { runs: [...(await runs()).values()].sort((a, b) => b.begun - a.begun).map(row) };
  }
  if (name === 'api/runs') return learn(body);
  if (parts[0] === 'runs' && body === undefined) return row(await find(parts[1]));
  if (parts[0] === 'runs') return ofRun(parts[1], parts[2]);
  if (name === 'api/curves') return curves(new URLSearchParams(query), false);
  return (await laboratory()).value({ ask: { path: name, body: body ?? null } });
}

/**
 * Opens a session.
 * @param {(text: string) => void} receive what to do with an answer
 * @param {() => void} closed what to do when the session has ended
 */
export async function openSession(receive, closed) {
  const desk = await laboratory();
  await desk.ready;
  return {
    send: (/** @type {string} */ text) => {
      desk.ask({ session: text }).then(receive, () => {
        main = null;
        closed();
      });
    },
  };
}

/**
 * Follows a study until it ends, from its first event on.
 * @param {number} id
 * @param {Record<string, (data: any) => void>} on what to do with each kind of event
 */
export function follow(id, on) {
  const study = studies.get(id);
  const heard = [...(study?.events ?? [])];
  queueMicrotask(() => {
    heard.forEach(([kind, data]) => on[kind]?.(data));
    study?.events.slice(heard.length).forEach(([kind, data]) => on[kind]?.(data));
    study?.listeners.add(on);
  });
  return { close: () => study?.listeners.delete(on) };
}

/** The text of a file. @param {string} path @returns {Promise<[string, string, string]>} name, text, type */
async function fileText(path) {
  const [name, query] = path.split('?');
  if (name === 'api/curves') return ['curves.svg', (await curves(new URLSearchParams(query), true)).curve, 'image/svg+xml'];
  const [, , run, , what] = name.split('/').map(decodeURIComponent);
  const found = await find(run);
  if (what === 'player.toml') return [what, found.player ?? '', 'application/toml'];
  const columns = ['run', 'generation', 'best', 'mean', 'spread', 'sigma', 'games', 'pieces', 'seconds'];
  const line = (/** @type {any} */ one) => columns.map((column) => one[column] ?? '').join(',');
  return [`${run}.csv`, `${[columns.join(','), ...found.rows.map(line)].join('\n')}\n`, 'text/csv'];
}

/**
 * What a link to a file of the laboratory needs.
 * @param {string} path
 * @returns {Record<string, any>}
 */
export function fileLink(path) {
  return {
    href: '#',
    onclick: async (/** @type {Event} */ event) => {
      event.preventDefault();
      const [name, text, type] = await fileText(path);
      const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob([text], { type })), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    },
  };
}
