// The page on which games are watched and played.
// @ts-check

import { $, attempt, complain, copy, download, drawBar, keysTaken, make, offerPlayers } from './page.js';
import { Board } from './board.js';
import { listen, listKeys, touch } from './keys.js';
import { decode, encode } from './link.js';
import { Session } from './session.js';
import { ask } from './transport.js';
import { drawView } from './view.js';

/** Above this rate an analysis of every piece would be a blur. */
const READABLE = 8;
const PIECES = 'IOTZSJL';

/** @type {Board[]} */
let boards = [];
/** @type {any} */
let catalog = null;
/** The placement of the view that is looked at. */
let chosen = 0;
/** The analysis that is drawn. */
let drawn = '';
let analysedAt = -1;
/** Whether someone is dragging the slider. */
let scrubbing = false;
/** While editing: whether cells are filled or emptied. @type {boolean | null} */
let painting = null;
/** What the games were started with. @type {any} */
let setup = null;

const session = new Session(onState, (sentence) => complain(sentence));
Object.assign(window, { tetrolabSession: session });

/** Whether the first board is played by hand. */
function byHand() {
  return session.state?.boards[0].player === 'you' && !isEditing();
}

function isEditing() {
  return boards.length > 0 && boards[0].edited !== null;
}

/** @param {import('./session.js').SessionState} state */
function onState(state) {
  if (boards.length !== state.boards.length) makeBoards(state.boards.length);
  const first = state.boards[0];
  const view = $('view').checked;
  state.boards.forEach((board, index) => {
    boards[index].outlines = view && index === 0 ? outlines(board) : [];
    if (boards[index].state?.visible_rows !== board.visible_rows || boards[index].state?.rows[0].length !== board.rows[0].length) {
      boards[index].state = board;
      fit();
    }
    boards[index].show(board);
  });
  text($('pause'), state.paused ? 'Play' : 'Pause');
  text($('take'), first.recorded_pieces != null || first.player !== 'you' ? 'Take over' : 'Hand back');
  text($('speed-text'), state.speed);
  $('undo').disabled = first.undo === 0;
  $('redo').disabled = first.redo === 0;
  const untouched = !byHand() || !matchMedia('(pointer: coarse), (max-width: 34rem)').matches;
  if ($('touch').hidden !== untouched) {
    $('touch').hidden = untouched;
    fit();
    if (!untouched) $('boards').scrollIntoView({ block: 'start' });
  }
  $('pick').hidden = !first.waits_for_piece;
  if ($('deal').value !== first.dealing) $('deal').value = first.dealing;
  scrubber(first);
  if (view) {
    if (first.analysis) showView(first);
    const slow = state.paused || (first.pieces_per_second ?? 0) <= READABLE;
    if (!first.analysis && first.playing && slow && analysedAt !== key(first)) {
      analysedAt = key(first);
      session.act({ action: 'analyse' });
    }
  }
}

/** What an analysis is about. @param {import('./session.js').BoardState} board */
function key(board) {
  return board.pieces * 2 + (board.falling ? 1 : 0);
}

/** @param {HTMLElement} element @param {string} value */
function text(element, value) {
  if (element.textContent !== value) element.textContent = value;
}

/** @param {import('./session.js').BoardState} board */
function outlines(board) {
  const placements = board.analysis?.placements ?? [];
  const shown = placements.slice(0, 3).map((/** @type {any} */ placement, /** @type {number} */ index) => ({
    cells: placement.cells, label: String(index + 1), strong: index === chosen,
  }));
  if (chosen >= 3 && placements[chosen]) shown.push({ cells: placements[chosen].cells, label: String(chosen + 1), strong: true });
  return shown;
}

/** @param {import('./session.js').BoardState} board */
function showView(board) {
  const now = JSON.stringify([board.pieces, board.analysis?.placements[0], chosen]);
  if (now === drawn) return;
  const focused = document.activeElement?.getAttribute('name') === 'placement';
  drawn = now;
  drawView($('view-body'), board.analysis, chosen, (index) => {
    chosen = index;
    if (session.state) onState(session.state);
  });
  if (focused) $('view-body').querySelectorAll('input')[chosen]?.focus();
}

/** The slider: moments of a record, or of the game's own history. @param {import('./session.js').BoardState} board */
function scrubber(board) {
  const [least, most] = board.recorded_pieces != null ? [0, board.recorded_pieces] : board.moments;
  $('scrub').hidden = most === 0 || (!session.state?.paused && board.recorded_pieces == null);
  const slider = $('moment');
  slider.min = String(least);
  slider.max = String(most);
  if (!scrubbing) slider.value = String(board.pieces);
  text($('moment-text'), `after ${board.pieces.toLocaleString('en')} of ${most.toLocaleString('en')} pieces`);
}

/** @param {number} count */
function makeBoards(count) {
  const place = $('boards');
  place.replaceChildren();
  place.dataset.count = String(count);
  boards = Array.from({ length: count }, () => new Board(place));
  for (const board of boards) board.palette = $('palette').value;
  paintable(boards[0]);
}

/** Chooses the size of cells. */
function fit() {
  if (boards.length === 0) return;
  const place = $('boards');
  const narrow = innerWidth < 600;
  const across = boards.length === 1 ? 1 : narrow ? 1 : boards.length === 4 && innerWidth < 1100 ? 2 : boards.length;
  const width = place.clientWidth / across - 16;
  // What is above and below the boards.
  const rest = $('touch').hidden ? (narrow ? 190 : 150) : 240;
  const height = Math.max(240, innerHeight - rest);
  for (const board of boards) board.fit(width, boards.length > 2 && !narrow ? Math.max(260, height / 1.3) : height);
}

/** Lets the mouse and fingers edit a board. @param {Board} board */
function paintable(board) {
  const paint = (/** @type {PointerEvent} */ event) => {
    const cell = board.cellAt(event);
    if (!board.edited || !cell || painting === null) return;
    board.edited[cell[0]][cell[1]] = painting;
    board.cursor = cell;
    board.draw();
  };
  board.canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    const cell = board.cellAt(event);
    if (!board.edited || !cell) return;
    event.preventDefault();
    board.canvas.setPointerCapture(event.pointerId);
    painting = !board.edited[cell[0]][cell[1]];
    paint(event);
  });
  board.canvas.addEventListener('pointermove', paint);
  for (const name of ['pointerup', 'pointercancel']) board.canvas.addEventListener(name, () => { painting = null; });
}

function beginEdit() {
  const board = boards[0];
  const state = session.state?.boards[0];
  if (!board || !state) return;
  session.act({ action: 'pause', on: true });
  const rows = state.rows.slice(-state.visible_rows).reverse();
  board.edited = rows.map((row) => [...row].map((cell) => cell !== '.'));
  board.cursor = [0, Math.floor(rows[0].length / 2)];
  showEditing();
}

/** @param {boolean} keep */
function endEdit(keep) {
  const board = boards[0];
  if (!board?.edited) return;
  const rows = board.edited.map((row) => row.map((cell) => (cell ? '#' : '.')).join('')).reverse();
  board.edited = null;
  if (keep) session.act({ action: 'edit', rows });
  showEditing();
}

function showEditing() {
  const on = isEditing();
  $('edit').setAttribute('aria-pressed', String(on));
  text($('edit'), on ? 'Done' : 'Edit board');
  $('edit-help').hidden = !on;
  boards[0]?.draw();
}

/** Keys while editing; whether the key was one. @param {KeyboardEvent} event */
function editKey(event) {
  const board = boards[0];
  if (!board?.edited) return false;
  const rows = board.edited;
  const [row, column] = board.cursor;
  const width = rows[0].length;
  const full = () => Array.from({ length: width }, (_, at) => at !== column);
  const moves = /** @type {Record<string, [number, number]>} */ ({
    ArrowLeft: [row, Math.max(0, column - 1)], ArrowRight: [row, Math.min(width - 1, column + 1)],
    ArrowUp: [Math.min(rows.length - 1, row + 1), column], ArrowDown: [Math.max(0, row - 1), column],
  });
  if (moves[event.key]) board.cursor = moves[event.key];
  else if (event.key === ' ') rows[row][column] = !rows[row][column];
  else if (event.key === 'f') rows[row] = full();
  else if (event.key === 'x') rows[row].fill(false);
  else if (event.key === 'g') { rows.unshift(full()); rows.pop(); } else if (event.key === 'Enter') endEdit(true);
  else if (event.key === 'Escape') endEdit(false);
  else return false;
  board.draw();
  return true;
}

/** @param {string} letter @param {boolean} down */
function input(letter, down) {
  session.act({ action: 'key', input: letter, stroke: down ? 'press' : 'release' });
}

/** The keyboard is at the board: Tab goes on from there. */
function focusGame() {
  boards[0]?.canvas.focus({ preventScroll: true });
}

function takeOver() {
  const first = session.state?.boards[0];
  if (!first) return;
  if (first.recorded_pieces != null) session.act({ action: 'take-over' }, { action: 'bot', plays: false }, { action: 'pause', on: false });
  else session.act({ action: 'bot', plays: first.player === 'you' }, { action: 'pause', on: false });
  chosen = 0;
  if (first.player !== 'you') focusGame();
}

function togglePause() {
  session.act({ action: 'pause', on: !session.state?.paused });
}

/** @param {number} step */
function setSpeed(step) {
  const slider = $('speed');
  slider.value = String(Number(slider.value) + step);
  slider.dispatchEvent(new Event('input'));
}

async function save() {
  const records = await session.records();
  const first = session.state?.boards[0];
  download(`tetrolab-${first?.ruleset.replaceAll(/[^\w-]+/g, '_')}-${first?.pieces}.jsonl`, records, 'application/jsonl');
  text($('record-note'), 'Saved; Load, tetrolab replay and tetrolab watch read it.');
}

/** @param {string} record @param {string} player @param {boolean} atEnd */
async function watchRecord(record, player, atEnd) {
  setup = { record, players: [player], person: false };
  const state = await session.start(setup);
  const pieces = state.boards[0].recorded_pieces ?? 0;
  session.act(...(atEnd ? [{ action: 'go-to', pieces }] : []), { action: 'pause', on: atEnd });
  text($('record-note'), `A record of ${pieces} pieces by ${state.boards[0].player}. Take over plays on from any moment.`);
}

async function load() {
  const file = $('file').files[0];
  if (!file) return;
  if (file.size > 50e6) throw new Error('the file has more than 50 MB; take the line of one game');
  const line = (await file.text()).split('\n').find((/** @type {string} */ one) => one.trim());
  if (!line) throw new Error('the file holds no games');
  if (line.length > 7e6) throw new Error('the game has more than 7 MB; take a shorter one');
  await watchRecord(line, helper(), false);
}

/** Who helps with a record. */
function helper() {
  return /** @type {HTMLInputElement | null} */ (document.querySelector('#players input'))?.value || 'bcts';
}

async function copyLink() {
  const record = (await session.records()).split('\n')[0];
  const helps = setup?.players?.[0] ?? 'bcts';
  const hash = await encode(record, helps);
  const address = new URL(location.href);
  address.hash = hash;
  history.replaceState(null, '', address);
  const copied = await copy(address.href);
  text($('record-note'), copied ? 'The link to this position is in the clipboard.' : 'The address of this page is the link.');
}

function playerFields() {
  const count = Number($('count').value);
  const before = [...document.querySelectorAll('#players input')].map((field) => /** @type {HTMLInputElement} */ (field).value);
  const usual = ['bcts', 'dellacherie', 'dt-10', 'thesis-8'];
  const fields = Array.from({ length: count }, (_, index) => {
    const id = `player-${index}`;
    const field = make('input', { id, list: 'player-names', required: true, spellcheck: 'false' });
    field.value = before[index] ?? usual[index];
    return make('div', {}, [make('label', { class: 'field', for: id, text: count === 1 ? 'Player' : `Player ${index + 1}` }), field]);
  });
  $('players').replaceChildren(...fields);
}

function keyRepeat() {
  const [delay, every, down] = ['das', 'arr', 'sdr'].map((id) => $(id).value);
  if (!delay && !every && !down) return null;
  return { delay: Number(delay || 10), every: Number(every || 2), down: Number(down || 2) };
}

/** Starts games as the form says. */
async function start() {
  const players = [...document.querySelectorAll('#players input')].map((field) => /** @type {HTMLInputElement} */ (field).value.trim());
  const [ruleset, seed] = [$('ruleset').value.trim(), $('seed').value.trim()];
  await begin({ ruleset, seed, players, person: false, keys: keyRepeat() });
  const fields = new URLSearchParams({ ruleset, seed });
  players.forEach((player) => fields.append('player', player));
  history.replaceState(null, '', `#${fields}`);
}

/** @param {any} wanted */
async function begin(wanted) {
  const speed = session.state?.speed;
  await session.start(wanted);
  setup = wanted;
  [chosen, drawn, analysedAt] = [0, '', -1];
  if (speed) session.act({ action: 'speed', factor: speed });
  text($('record-note'), '');
}

/** The form from the address. */
function readAddress() {
  const fields = new URLSearchParams(location.hash.replace(/^#/, ''));
  const players = fields.getAll('player').slice(0, 4);
  if (fields.get('ruleset')) $('ruleset').value = fields.get('ruleset');
  if (fields.get('seed')) $('seed').value = fields.get('seed');
  if (players.length > 0) $('count').value = String([1, 2, 4].find((count) => count >= players.length));
  playerFields();
  players.forEach((player, index) => { $(`player-${index}`).value = player; });
}

function noteRuleset() {
  const found = catalog?.rulesets.find((/** @type {any} */ one) => one.name === $('ruleset').value.trim());
  text($('ruleset-note'), found ? found.definition : '');
}

const shortcuts = [
  { key: 'P', name: 'pause or play', run: togglePause },
  { key: 'S', name: 'one piece', run: () => session.act({ action: 'step' }) },
  { key: 'U', name: 'take a piece or an edit back', run: () => session.act({ action: 'undo' }) },
  { key: 'Y', name: 'play it again', run: () => session.act({ action: 'redo' }) },
  { key: 'R', name: 'restart', run: () => session.act({ action: 'restart' }) },
  { key: 'N', name: 'new game', run: () => session.act({ action: 'new-game' }) },
  { key: '-', name: 'slower', run: () => setSpeed(-1) },
  { key: '+', name: 'faster', run: () => setSpeed(1) },
  { key: 'T', name: 'take over, hand back', run: takeOver },
  { key: 'H', name: 'hint', run: () => session.act({ action: 'hint' }) },
  { key: 'E', name: 'edit the board', run: () => (isEditing() ? endEdit(true) : beginEdit()) },
  { key: 'V', name: "the player's view", run: () => $('view').click() },
  { key: 'K', name: 'save the record', run: () => $('save').click() },
  { key: 'O', name: 'open a record', run: () => $('load').click() },
  { key: 'L', name: 'copy a link', run: () => $('link').click() },
  { key: 'B', name: 'start the game of the form', run: () => $('setup').requestSubmit() },
  { key: '?', name: 'this list', run: () => $('key-list').showModal() },
];

function connectControls() {
  const click = (/** @type {string} */ id, /** @type {() => any} */ run) => $(id).addEventListener('click', () => attempt(run));
  const by = (/** @type {string} */ name) => /** @type {any} */ (shortcuts.find((one) => one.key === name)).run;
  click('pause', togglePause);
  for (const [id, name] of [['step', 'S'], ['undo', 'U'], ['redo', 'Y'], ['restart', 'R'], ['new-game', 'N'], ['take', 'T'], ['hint', 'H'], ['edit', 'E'], ['keys', '?']]) click(id, by(name));
  click('save', save);
  click('load', () => $('file').click());
  click('link', copyLink);
  $('file').addEventListener('change', () => attempt(load));
  $('speed').addEventListener('input', () => {
    const power = Number($('speed').value);
    session.act({ action: 'speed', factor: power > 10 ? 'full' : String(2 ** power) });
  });
  $('setup').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(start);
  });
  $('count').addEventListener('change', playerFields);
  $('ruleset').addEventListener('input', noteRuleset);
  $('deal').addEventListener('change', () => session.act({ action: 'deal', by: $('deal').value }));
  $('view').addEventListener('change', () => {
    $('view-body').hidden = !$('view').checked;
    [drawn, analysedAt] = ['', -1];
    if ($('view').checked) drawView($('view-body'), null, 0, () => {});
    if (session.state) onState(session.state);
  });
  $('palette').addEventListener('change', () => {
    localStorage.setItem('tetrolab-palette', $('palette').value);
    boards.forEach((board) => { board.palette = $('palette').value; board.draw(); });
  });
  const moment = $('moment');
  moment.addEventListener('input', () => {
    scrubbing = true;
    session.act({ action: 'go-to', pieces: Number(moment.value) });
  });
  for (const name of ['change', 'pointerup', 'blur']) moment.addEventListener(name, () => { scrubbing = false; });
  $('pick').append(...[...PIECES].map((piece) => make('button', {
    type: 'button', text: piece, onclick: () => session.act({ action: 'piece', piece }),
  })));
  touch($('touch'), input);
  addEventListener('resize', fit);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => boards.forEach((board) => board.draw()));
  listKeys($('key-rows'), shortcuts);
  listen({ shortcuts, byHand, input, edit: editKey, focusGame });
}

async function main() {
  keysTaken.by = isEditing;
  drawBar();
  $('palette').value = localStorage.getItem('tetrolab-palette') ?? 'standard';
  $('ruleset').value = 'simplified-10x20';
  connectControls();
  catalog = await ask('api/catalog');
  $('rulesets').append(...catalog.rulesets.map((/** @type {any} */ one) => make('option', { value: one.name })));
  await offerPlayers(catalog);
  readAddress();
  noteRuleset();
  const linked = await decode(location.hash);
  if (linked) await watchRecord(linked.record, linked.player, true);
  else await start();
}

attempt(main);
addEventListener('hashchange', () => attempt(async () => {
  const linked = await decode(location.hash);
  if (linked) await watchRecord(linked.record, linked.player, true);
}));
