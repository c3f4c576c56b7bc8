// The page on which players learn.
// @ts-check

import { Board } from './board.js';
import { listen } from './keys.js';
import { $, attempt, commandBox, complain, make, openPage, plainChoices, playerChoices, rulesetChoices, show, withMenu } from './page.js';
import { Session } from './session.js';
import { ask, fileLink, follow, place } from './transport.js';

/** Fields of a run that are not settings of the method: name, label. */
const FIELDS = [
  ['ruleset', 'Ruleset'], ['features', 'Features'], ['evaluator', 'Evaluator'], ['player', 'Decision rule'],
  ['objective', 'Fitness'], ['start', 'Start from player'], ['games', 'Games per candidate'],
  ['max_pieces', 'Max. pieces'], ['runs', 'Independent runs'],
];
const NUMBERS = ['games', 'max_pieces', 'runs'];

/** @type {any} */
let catalog = null;
/** The run that is shown. @type {any} */
let shown = null;
/** The run that was selected last; its response may not have arrived yet. @type {string | null} */
let selected = null;
/** Numbers of the last requests of each kind: answers to earlier ones are dropped. */
const last = { plan: 0, drawing: 0, list: 0, overlay: 0 };
/** @type {{ close: () => void } | null} */
let source = null;
let redrawAt = 0;
/** @type {any} */
let waiting = null;
/** @type {Set<string>} */
const ticked = new Set();

/** The method of the form, and its preset if one is chosen. */
function chosen() {
  const name = $('learner').value;
  for (const learner of catalog.learners) {
    if (learner.name === name) return { learner, preset: null };
    const preset = learner.presets.find((/** @type {any} */ one) => one.name === name);
    if (preset) return { learner, preset };
  }
  return { learner: catalog.learners[0], preset: null };
}

/** A field for each setting of the method, as the registry describes it. */
function drawSettings() {
  const { learner, preset } = chosen();
  const of = preset ?? learner;
  const about = preset ? `${learner.name}: ${learner.definition}. ${preset.name}: ${preset.definition}` : learner.definition;
  $('learner-note').textContent = `${about} (${of.source})`;
  const fields = learner.settings.map((/** @type {any} */ setting) => {
    const id = `setting-${setting.name}`;
    const usual = preset?.settings[setting.name] ?? setting.default ?? '';
    const field = setting.words.length
      ? make('select', { id }, setting.words.map((/** @type {string} */ word) => make('option', { text: word, selected: word === usual })))
      : make('input', { id, value: usual, spellcheck: 'false', 'aria-describedby': `${id}-help` });
    Object.assign(field.dataset, { setting: setting.name, usual });
    return make('div', {}, [
      make('label', { class: 'field', for: id, text: setting.name }), field,
      make('p', { class: 'note', id: `${id}-help`, text: `${setting.help} (${setting.values})` }),
    ]);
  });
  $('settings').replaceChildren(...fields);
}

/** The request described by the form. */
function request() {
  const settings = [...document.querySelectorAll('[data-setting]')].map((field) => /** @type {any} */ (field));
  const changed = settings.filter((field) => field.value.trim() !== '' && field.value.trim() !== field.dataset.usual);
  const spec = changed.map((field) => `${field.dataset.setting}=${field.value.trim()}`).join(',');
  const name = $('learner').value;
  /** @type {any} */
  const asked = { learner: spec ? `${name}(${spec})` : name, seed: $('seed').value.trim() };
  for (const [field] of FIELDS) {
    const text = $(`field-${field}`).value.trim();
    if (text === '') continue;
    if (field === 'max_pieces' && text === 'none') asked[field] = null;
    else asked[field] = NUMBERS.includes(field) ? Number(text) : text;
  }
  const generations = $('generations').value;
  if (generations) asked.budget = { generations: Number(generations) };
  return asked;
}

/** Shows the command of the form, or its error. */
async function preview() {
  const place = $('plan');
  const mine = ++last.plan;
  try {
    const { command, dimension } = await ask('api/plans', request());
    if (mine !== last.plan) return;
    place.replaceChildren(
      make('p', { class: 'note', text: `${dimension.toLocaleString('en')} parameters will be learned.` }),
      make('details', { open: place.querySelector('details')?.open }, [make('summary', { text: 'Command' }), commandBox(command)]),
    );
  } catch (error) {
    if (mine !== last.plan) return;
    place.replaceChildren(make('p', { class: 'problem', text: error instanceof Error ? error.message : String(error) }));
  }
}

function previewSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(preview, 300);
}

/** The minimum time between the starts of two games of a player that is learning, in milliseconds. */
const NEXT_GAME = 15_000;
/** A game of the best player so far. @type {{ session: Session, board: Board, run: string, began: number } | null} */
let game = null;

/** Plays a game of the run's best player, and a new game when a better player is available. @param {any} run */
async function playBest(run) {
  $('game').hidden = !run.can_play;
  if (!run.can_play) return;
  const now = performance.now();
  const goesOn = game && game.run === run.run && !game.session.state?.over && (run.study == null || now - game.began < NEXT_GAME);
  if (goesOn) return;
  if (!game) {
    const board = new Board($('game'));
    const session = new Session((state) => board.show(state.boards[0]), () => {});
    game = { session, board, run: '', began: 0 };
  }
  const again = game.run !== run.run || run.study != null;
  if (!again) return;
  Object.assign(game, { run: run.run, began: now });
  try {
    await game.session.start({ ruleset: run.plan.ruleset, seed: '1', players: [`runs/${run.run}`], person: false });
    game.session.act({ action: 'speed', factor: '4' });
    game.board.fit(156, 260);
  } catch {
    $('game').hidden = true;
  }
}

/** @param {any} run */
function value(run) {
  if (run.best == null) return '–';
  const best = run.unit?.logarithm ? Math.exp(run.best) : run.best;
  return `${show(best)} ${run.unit?.quantity ?? ''}`;
}

/** A fitness as it is shown, of the run on the page. @param {number | null} x */
function fitness(x) {
  if (x == null) return '–';
  return show(shown?.unit?.logarithm ? Math.exp(x) : x);
}

/** Adds a run to the combined plot, or removes it. @param {string} run */
function toggle(run) {
  if (!ticked.delete(run)) ticked.add(run);
  markRows();
  attempt(overlay);
}

/** Marks the run that is shown in the list, and those that are ticked. */
function markRows() {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#runs tr[data-run]'))) {
    const run = row.dataset.run ?? '';
    row.className = run === shown?.run ? 'chosen' : '';
    /** @type {HTMLInputElement} */ (row.querySelector('input')).checked = ticked.has(run);
  }
}

async function listRuns() {
  const mine = ++last.list;
  const { runs } = await ask('api/runs');
  if (mine !== last.list) return;
  const rows = runs.map((/** @type {any} */ run) => {
    const tick = make('input', { type: 'checkbox', 'aria-label': `draw ${run.run}` });
    tick.addEventListener('change', () => toggle(run.run));
    const open = make('a', { href: `#run=${run.run}`, text: run.run });
    return make('tr', { 'data-run': run.run }, [
      make('td', {}, [tick]),
      make('th', { scope: 'row' }, [open]),
      make('td', { text: run.plan.ruleset }),
      make('td', { class: 'number', text: value(run) }),
      make('td', { class: 'number', text: String(run.generations) }),
      make('td', { class: 'number', text: run.seed }),
      make('td', { class: 'number', text: `${run.seconds.toFixed(1)} s` }),
      make('td', { text: run.state }),
    ]);
  });
  const heads = [['', ''], ['run', ''], ['ruleset', ''], ['best', 'number'], ['generations', 'number'], ['seed', 'number'], ['time', 'number'], ['state', '']];
  $('runs-note').hidden = rows.length < 2;
  $('runs').replaceChildren(rows.length === 0 ? make('p', { class: 'note', text: 'None yet. Runs started on this page, or on the command line in this folder, appear here.' })
    : make('div', { class: 'table scroll', tabindex: '0', role: 'group', 'aria-label': 'All runs' }, [make('table', { class: 'tight' }, [
      make('thead', {}, [make('tr', {}, heads.map(([text, kind]) => make('th', { scope: 'col', text, class: kind || null })))]),
      make('tbody', {}, rows)])]));
  markRows();
}

async function overlay() {
  const mine = ++last.overlay;
  if (ticked.size < 2) {
    $('overlay').replaceChildren();
    return;
  }
  const { curve } = await ask(`api/curves?runs=${[...ticked].map(encodeURIComponent).join(',')}&over=${$('over').value}`);
  if (mine === last.overlay) $('overlay').innerHTML = curve;
}

/** The page on which the learned player plays. @param {any} run */
function watchAddress(run) {
  const fields = new URLSearchParams({ ruleset: run.plan.ruleset, seed: '1', player: `runs/${run.run}` });
  return `./#${fields}`;
}

/**
 * Draws the selected run anew. Nothing is drawn if another run was selected or a later drawing began
 * in the meantime.
 * @param {string} id
 */
async function draw(id) {
  if (id !== selected) return;
  const mine = ++last.drawing;
  const run = await ask(`api/runs/${encodeURIComponent(id)}`);
  if (mine !== last.drawing) return;
  shown = run;
  markRows();
  $('h-run').textContent = run.run;
  $('tools').hidden = false;
  $('stop').hidden = run.study == null;
  $('resume').hidden = run.state !== 'interrupted';
  if (run.study == null) {
    $('progress').hidden = true;
    $('status').textContent = run.state === 'finished' ? `Finished: ${run.ended}. Best: ${value(run)}.`
      : run.state === 'interrupted' ? `Stopped after ${run.generations} ${run.generations === 1 ? 'generation' : 'generations'}. ${place.resumes ? 'Resume continues' : 'Start over begins again'} and ends with the same player as if it had not stopped.`
        : 'Another process is working on this run.';
  }
  const over = $('over').value;
  if (run.generations > 0) {
    const { curve } = await ask(`api/curves?runs=${encodeURIComponent(id)}&over=${over}`);
    if (mine !== last.drawing) return;
    $('curve').innerHTML = curve;
  } else {
    $('curve').replaceChildren();
  }
  playBest(run);
  $('weights').innerHTML = run.weights ?? '';
  $('weights').hidden = !run.weights;
  const files = `api/runs/${encodeURIComponent(id)}/files/`;
  const link = (/** @type {string} */ path, /** @type {string} */ text) => make('a', { text, ...fileLink(path) });
  $('files').replaceChildren(...[
    run.has_player ? make('a', { text: 'Watch it play', href: watchAddress(run) }) : null,
    run.has_player ? link(`${files}player.toml`, 'player.toml') : null,
    run.has_model ? link(`${files}player.safetensors`, 'player.safetensors') : null,
    run.generations > 0 ? link(`${files}generations.csv`, 'generations.csv') : null,
    run.generations > 0 ? link(`api/curves?runs=${encodeURIComponent(id)}&over=${over}&download=true`, 'curve.svg') : null,
  ].filter((one) => one !== null));
  $('command').replaceChildren(commandBox(run.command));
}

/** Shows a run, and follows it if it is in progress. @param {string} id */
async function select(id) {
  source?.close();
  selected = id;
  history.replaceState(null, '', `#run=${id}`);
  try {
    await draw(id);
  } catch (error) {
    if (id === selected) selected = shown?.run ?? null;
    throw error;
  }
  if (id !== selected) return;
  if (shown.run === id && shown.study != null) watch(id, shown.study);
  await listRuns();
}

/** @param {string} id @param {number} study */
function watch(id, study) {
  $('stop').hidden = false;
  $('resume').hidden = true;
  source = follow(study, {
    began: (data) => { $('status').textContent = `Learning ${data.dimension.toLocaleString('en')} parameters.`; },
    progress: (data) => {
      if (data.event !== 'training' || !data.total) return;
      $('progress').hidden = false;
      $('progress').value = data.done / data.total;
    },
    generation: (data) => {
      $('status').textContent = `Generation ${data.number + 1} of run ${data.run + 1}: best ${fitness(data.best)}, mean ${fitness(data.mean)} ${shown?.unit?.quantity ?? ''}`;
      const now = performance.now();
      if (now - redrawAt < 700) return;
      redrawAt = now;
      attempt(() => draw(id));
    },
    ended: (data) => attempt(async () => {
      $('progress').hidden = true;
      await draw(id);
      await listRuns();
      if (data.error) complain(data.error);
    }),
  });
}

async function learn() {
  const { run } = await ask('api/runs', request());
  await select(run);
}

async function again() {
  if (!shown) return;
  const seed = String((BigInt(shown.seed) + 1n) % (1n << 64n));
  $('seed').value = seed;
  const { plan } = shown;
  const { learner, ruleset, features, player, evaluator, objective, games, fixed_games, max_pieces, budget, runs, start, scale } = plan;
  const { run } = await ask('api/runs', {
    learner, ruleset, features, player, evaluator, objective, games, fixed_games, max_pieces, budget, runs, start, scale,
    layers: plan.layers ?? null, activation: plan.activation ?? null, seed,
  });
  await select(run);
}

function connect() {
  $('fields').append(...FIELDS.map(([name, label]) => make('div', {}, [
    make('label', { class: 'field', for: `field-${name}`, text: label }),
    make('input', { id: `field-${name}`, spellcheck: 'false', placeholder: 'default', type: NUMBERS.includes(name) && name !== 'max_pieces' ? 'number' : 'text', min: 1 }),
  ])));
  $('learner').append(...catalog.learners.map((/** @type {any} */ learner) => make('optgroup', { label: learner.name }, [
    make('option', { value: learner.name, text: learner.name }),
    ...learner.presets.map((/** @type {any} */ preset) => make('option', { value: preset.name, text: preset.name })),
  ])));
  $('learner').value = 'danger-quick';
  $('learner').addEventListener('change', () => { drawSettings(); preview(); });
  $('form').addEventListener('input', previewSoon);
  $('form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(learn);
  });
  const post = (/** @type {string} */ what) => ask(`api/runs/${encodeURIComponent(shown.run)}/${what}`, {});
  $('stop').addEventListener('click', () => attempt(() => post('stop')));
  $('resume').addEventListener('click', () => attempt(async () => {
    const { run } = shown;
    const { study } = await post('resume');
    if (run !== selected) return;
    $('status').textContent = 'Resuming.';
    watch(run, study);
  }));
  $('again').addEventListener('click', () => attempt(again));
  $('over').addEventListener('change', () => attempt(async () => {
    if (shown) await draw(shown.run);
    await overlay();
  }));
  addEventListener('hashchange', fromAddress);
}

/** Shows the run this many rows below in the list. @param {number} rows */
function selectNear(rows) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#runs th a')]);
  const at = links.findIndex((link) => link.textContent === selected);
  links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + rows))]?.click();
}

/** Clicks a link to one of the run's files. @param {string} ending */
function clickFile(ending) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#files a')]);
  links.find((link) => link.textContent?.endsWith(ending))?.click();
}

/** @param {string} selector */
function clickFirst(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
}

const shortcuts = [
  { key: '/', name: 'go to the form', run: () => $('learner').focus() },
  { key: 'B', name: 'begin to learn', click: 'begin' },
  { key: 'S', name: 'stop', click: 'stop' },
  { key: 'R', name: 'resume', click: 'resume' },
  { key: 'A', name: 'again with another seed', click: 'again' },
  { key: 'J K', name: 'next or previous run', keys: ['j', 'k'], run: (/** @type {number} */ index) => selectNear(1 - 2 * index) },
  { key: 'X', name: 'add this run to the combined plot, or remove it', run: () => { if (shown) toggle(shown.run); } },
  { key: 'O', name: 'change the unit of the horizontal axis', run: nextUnit },
  { key: 'W', name: 'watch the player', run: () => clickFile('play') },
  { key: 'D', name: 'download the player', run: () => clickFile('.toml') },
  { key: 'M', name: 'download its model file', run: () => clickFile('.safetensors') },
  { key: 'C', name: 'download the table of generations (CSV)', run: () => clickFile('.csv') },
  { key: 'V', name: 'download the curve (SVG)', run: () => clickFile('.svg') },
  { key: 'Y', name: 'copy the command', run: () => clickFirst('#command button') },
];

function nextUnit() {
  const select = $('over');
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event('change'));
}

function fromAddress() {
  const run = new URLSearchParams(location.hash.slice(1)).get('run');
  if (run && run !== selected) attempt(() => select(run));
}

async function main() {
  listen(shortcuts);
  if (!place.resumes) {
    $('kept').textContent = 'Runs are kept in this browser: leave the page open while one learns.';
    $('resume').textContent = 'Start over';
  }
  catalog = await ask('api/catalog');
  connect();
  withMenu($('field-ruleset'), rulesetChoices(catalog));
  withMenu($('field-features'), plainChoices('Sets of features', catalog.feature_sets));
  withMenu($('field-evaluator'), plainChoices('Evaluators', catalog.evaluators));
  withMenu($('field-player'), plainChoices('Decision rules', catalog.kinds));
  withMenu($('field-objective'), plainChoices('Fitness', catalog.objectives));
  withMenu($('field-start'), await playerChoices(catalog));
  drawSettings();
  await preview();
  await listRuns();
  fromAddress();
}

openPage(main);
