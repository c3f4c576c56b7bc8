// The page on which games are watched and played.
// @ts-check

import { $, attempt, complain, copy, download, keysTaken, make, openPage, playerChoices, rulesetChoices, withMenu } from './page.js';
import { Board } from './board.js';
import { listen, touch } from './keys.js';
import { decode, encode } from './link.js';
import { Session } from './session.js';
import { ask } from './transport.js';
import { drawView } from './view.js';

/** Above this rate an analysis of every piece would be a blur. */
const READABLE = 8;
const PIECES = 'IOTZSJL';
/** Pixels between two boards, and of the text around a board. */
const [GAP, HEAD] = [20, 60];

/** @type {Board[]} */
let boards = [];
/** @type {any} */
let catalog = null;
/** The choices of the player fields. @type {import('./page.js').Group[]} */
let offered = [];
/** The selected placement of the view. */
let chosen = 0;
/** The analysis that is drawn. */
let drawn = '';
let analysedAt = -1;
/** Whether someone is dragging the slider. */
let scrubbing = false;
/** While editing: whether cells are filled or emptied. @type {boolean | null} */
let painting = null;
/** The settings with which the games were started. @type {any} */
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
  showTip(state);
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

/** The keys that are useful now: key, description. @param {import('./session.js').SessionState} state @returns {string[][]} */
function tips({ boards: [first] }) {
  if (isEditing()) return [['Enter', 'keep the changes'], ['Esc', 'discard them']];
  if (first.waits_for_piece) return [['1 … 7', 'choose the next piece'], ['D', 'let the ruleset choose']];
  if (byHand()) return [['← → ↑ Space', 'play'], ['H', 'hint'], ['T', 'hand back'], ['?', 'all keys']];
  return [['T', 'play yourself'], ['V', 'see what the player thinks'], ['?', 'all keys']];
}

/** @param {import('./session.js').SessionState} state */
function showTip(state) {
  const now = tips(state);
  const key = now.flat().join(' ');
  if ($('tip').dataset.key === key) return;
  $('tip').dataset.key = key;
  $('tip').replaceChildren(...now.flatMap(([name, does], index) => [index ? ' · ' : '', make('kbd', { text: name }), ` ${does}`]));
}

/** Identifies the position of an analysis. @param {import('./session.js').BoardState} board */
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
  drawView($('view-body'), board.analysis, chosen, look);
  if (focused) $('view-body').querySelectorAll('input')[chosen]?.focus();
}

/** Selects a placement of the view. @param {number} index */
function look(index) {
  chosen = index;
  if (session.state) onState(session.state);
}

/** The slider: moments of a record, or of the game's own history. @param {import('./session.js').BoardState} board */
function scrubber(board) {
  const [least, most] = board.recorded_pieces != null ? [0, board.recorded_pieces] : board.moments;
  $('scrub').hidden = most === 0 || (!session.state?.paused && board.recorded_pieces == null);
  const slider = $('moment');
  slider.min = String(least);
  slider.max = String(most);
  if (board.pieces === Number(slider.value)) scrubbing = false;
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
  const narrow = matchMedia('(max-width: 37rem)').matches;
  // The space above and below the boards; a phone shows one row of boards and scrolls to the next.
  const rest = $('touch').hidden ? (narrow ? 190 : 150) : 240;
  const height = Math.max(240, document.documentElement.clientHeight - rest);
  const layouts = [1, 2, 4].filter((across) => across <= boards.length).map((across) => {
    const [width, rows] = [place.clientWidth / across - GAP, narrow ? 1 : boards.length / across];
    return { across, width, height: (height - HEAD * (rows - 1)) / rows, cell: 0 };
  });
  for (const layout of layouts) layout.cell = boards[0].cellFor(layout.width, layout.height);
  const best = layouts.reduce((a, b) => (b.cell > a.cell ? b : a));
  // Two boards on a phone are compared side by side.
  const { across, width, height: most } = narrow && boards.length > 1 ? layouts[1] : best;
  place.style.gridTemplateColumns = `repeat(${across}, minmax(0, max-content))`;
  for (const board of boards) board.fit(width, most);
}

/** Lets the user edit a board by mouse or touch. @param {Board} board */
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

/** Handles a key while editing; returns whether it was used. @param {KeyboardEvent} event */
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

/** Focuses the board, so that Tab continues from there. */
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

/** Sets the speed of the games to that of the slider. */
function sendSpeed() {
  const power = Number($('speed').value);
  session.act({ action: 'speed', factor: power > 10 ? 'full' : String(2 ** power) });
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
  text($('record-note'), 'Saved. Load opens the file here; tetrolab replay and tetrolab watch open it in a terminal.');
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
  if (file.size > 50e6) throw new Error('the file is larger than 50 MB; load only the line of one game');
  const line = (await file.text()).split('\n').find((/** @type {string} */ one) => one.trim());
  if (!line) throw new Error('the file holds no games');
  if (line.length > 7e6) throw new Error('the game is larger than 7 MB; choose a shorter one');
  await watchRecord(line, helper(), false);
}

/** The player that gives hints for a record. */
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
    const name = count === 1 ? 'Player' : `Player ${index + 1}`;
    const field = make('input', { id, required: true, spellcheck: 'false', 'aria-label': name });
    field.value = before[index] ?? usual[index];
    return make('div', {}, [make('label', { class: 'field', for: id, text: name }), withMenu(field, offered)]);
  });
  $('players').replaceChildren(...fields);
}

function keyRepeat() {
  const [delay, every, down] = ['das', 'arr', 'sdr'].map((id) => $(id).value);
  if (!delay && !every && !down) return null;
  return { delay: Number(delay || 10), every: Number(every || 2), down: Number(down || 2) };
}

/** Starts games with the settings of the form. */
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
  await session.start(wanted);
  setup = wanted;
  [chosen, drawn, analysedAt] = [0, '', -1];
  sendSpeed();
  text($('record-note'), '');
}

/** Fills the form from the address. */
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

/** Picks the next piece while the game waits for one; otherwise selects a placement of the view. @param {number} index */
function pickOrLook(index) {
  const placements = session.state?.boards[0].analysis?.placements ?? [];
  if (!$('pick').hidden) $('pick').children[index]?.click();
  else if ($('view').checked && index < placements.length) look(index);
}

/** Chooses the next option of a select. @param {string} id */
function cycle(id) {
  const select = $(id);
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event('change'));
}

/** Goes back or forward in the game's history. @param {number} pieces */
function scrub(pieces) {
  if ($('scrub').hidden) return;
  const slider = $('moment');
  // The expected position: the response to the previous key may not have arrived.
  slider.value = String(Number(slider.value) + pieces);
  slider.dispatchEvent(new Event('input'));
}

const shortcuts = [
  { key: 'P', name: 'pause or play', click: 'pause' },
  { key: 'S', name: 'play one piece', click: 'step' },
  { key: 'U', name: 'undo a piece or an edit', click: 'undo' },
  { key: 'Y', name: 'redo', click: 'redo' },
  { key: 'R', name: 'restart this game', click: 'restart' },
  { key: 'N', name: 'new game', click: 'new-game' },
  { key: '-', name: 'slower', run: () => setSpeed(-1) },
  { key: '+', name: 'faster', keys: ['+', '='], run: () => setSpeed(1) },
  { key: 'T', name: 'take over or hand back', click: 'take' },
  { key: 'H', name: 'hint', click: 'hint' },
  { key: 'E', name: 'edit the board', click: 'edit' },
  { key: ', .', name: 'one piece back or forward, while paused', keys: [',', '.'], run: (/** @type {number} */ index) => scrub(2 * index - 1) },
  { key: 'V', name: "player's view", run: () => $('view').click() },
  { key: '1 … 7', name: 'look at a placement, or choose the next piece', keys: [...'1234567'], run: pickOrLook },
  { key: 'D', name: 'pieces from the ruleset, you or an adversary', run: () => cycle('deal') },
  { key: 'I', name: 'colours', run: () => cycle('palette') },
  { key: 'K', name: 'save the record', click: 'save' },
  { key: 'O', name: 'open a record', click: 'load' },
  { key: 'L', name: 'copy a link to this position', click: 'link' },
  { key: '/', name: 'go to the form', run: () => $('ruleset').select() },
  { key: 'B', name: 'begin the game of the form', click: 'begin' },
];

function connectControls() {
  const click = (/** @type {string} */ id, /** @type {() => any} */ run) => $(id).addEventListener('click', () => attempt(run));
  click('pause', togglePause);
  for (const action of ['step', 'undo', 'redo', 'restart', 'new-game', 'hint']) click(action, () => session.act({ action }));
  click('take', takeOver);
  click('edit', () => (isEditing() ? endEdit(true) : beginEdit()));
  click('save', save);
  click('load', () => $('file').click());
  click('link', copyLink);
  $('file').addEventListener('change', () => attempt(load));
  $('speed').addEventListener('input', sendSpeed);
  $('setup').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(start);
  });
  $('count').addEventListener('change', playerFields);
  $('ruleset').addEventListener('input', noteRuleset);
  $('deal').addEventListener('change', () => session.act({ action: 'deal', by: $('deal').value }));
  $('view').addEventListener('change', () => {
    $('view-body').hidden = !$('view').checked;
    $('main').classList.toggle('viewing', $('view').checked);
    fit();
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
  listen(shortcuts, { byHand, input, edit: editKey, focusGame });
}

async function main() {
  keysTaken.by = isEditing;
  $('palette').value = localStorage.getItem('tetrolab-palette') ?? 'standard';
  $('ruleset').value = 'simplified-10x20';
  connectControls();
  catalog = await ask('api/catalog');
  offered = await playerChoices(catalog);
  withMenu($('ruleset'), rulesetChoices(catalog));
  readAddress();
  noteRuleset();
  const linked = await decode(location.hash);
  if (linked) await watchRecord(linked.record, linked.player, true);
  else await start();
}

openPage(main);
addEventListener('hashchange', () => attempt(async () => {
  const linked = await decode(location.hash);
  if (linked) await watchRecord(linked.record, linked.player, true);
}));
