// The page that explains features.
// @ts-check

import { scaled } from './board.js';
import { listen } from './keys.js';
import { $, attempt, breakable, make, openPage, show } from './page.js';
import { ask } from './transport.js';

const PIECES = 'IOTZSJL';
const [COLUMNS, ROWS] = [10, 12];

/** Boards on which features differ: rows from the lowest up. */
const BOARDS = /** @type {Record<string, string[]>} */ ({
  'a usual stack': ['###.######', '##########'.replace('#', '.'), '######.###', '.####..##.', '..##....#.'],
  'holes under a roof': ['##.##.####', '##.##.####', '##########'.replace('##', '..'), '..######..', '...####...'],
  'a deep well': ['#########.', '#########.', '#########.', '#########.', '####.####.'],
  'a staircase': ['#########.', '########..', '######....', '####......', '##........'],
  empty: [],
});

/** Rows from the bottom, of booleans. @type {boolean[][]} */
let board = [];
let piece = 'T';
/** @type {[number, number]} */
let cursor = [0, 0];
/** @type {any} */
let found = null;
/** @type {any[]} */
let features = [];
let asked = 0;
/** The feature whose cells are shown. */
let marked = '';
/** Its value, board and cells. @type {any} */
let drawn = null;
let pointed = 0;

/** @param {string} name */
function choose(name) {
  const rows = BOARDS[name];
  board = Array.from({ length: ROWS }, (_, row) => Array.from({ length: COLUMNS }, (_unused, column) => rows[row]?.[column] === '#'));
  removeFullRows();
  update();
}

function draw() {
  const canvas = $('board');
  // On a phone the board stays in sight above the list.
  const most = matchMedia('(max-width: 60rem)').matches ? 20 : 28;
  const cell = Math.floor(Math.min(most, (canvas.parentElement.clientWidth - 40) / COLUMNS));
  canvas.parentElement.style.setProperty('--above', `${8 - canvas.offsetTop}px`);
  const context = scaled(canvas, COLUMNS * cell, ROWS * cell);
  const css = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => css.getPropertyValue(name).trim();
  context.fillStyle = colour('--well');
  context.fillRect(0, 0, COLUMNS * cell, ROWS * cell);
  const placed = new Set((found?.cells ?? []).map((/** @type {number[]} */ [row, column]) => row * 100 + column));
  const shown = drawn ? [...drawn.board].reverse() : null;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const y = (ROWS - 1 - row) * cell;
      const filled = shown ? (shown[row]?.[column] ?? '.') !== '.' : board[row][column];
      context.fillStyle = !shown && placed.has(row * 100 + column) ? colour('--link') : filled ? colour('--stack') : colour('--cell');
      context.fillRect(column * cell + 0.5, y + 0.5, cell - 1, cell - 1);
    }
  }
  for (const { row, column, count } of drawn?.cells ?? []) mark(context, cell, row, column, count, colour('--focus'));
  if (document.activeElement === canvas) {
    context.strokeStyle = colour('--focus');
    context.lineWidth = 3;
    context.strokeRect(cursor[1] * cell + 1.5, (ROWS - 1 - cursor[0]) * cell + 1.5, cell - 3, cell - 3);
  }
}

/**
 * Marks a cell that a feature counts; a count other than 1 is written into it.
 * @param {CanvasRenderingContext2D} context @param {number} cell @param {number} row @param {number} column
 * @param {number} count @param {string} colour
 */
function mark(context, cell, row, column, count, colour) {
  const [x, y] = [column * cell, (ROWS - 1 - row) * cell];
  context.fillStyle = colour;
  context.globalAlpha = 0.75;
  context.fillRect(x + 2, y + 2, cell - 4, cell - 4);
  context.globalAlpha = 1;
  if (count === 1) return;
  context.fillStyle = '#000';
  context.font = `bold ${Math.floor(cell * 0.42)}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(Number(count.toFixed(1))), x + cell / 2, y + cell / 2);
}

/** Shows the cells that a feature counts; none for the board alone. @param {string} id */
async function point(id) {
  marked = id;
  pointed += 1;
  const number = pointed;
  for (const row of document.querySelectorAll('#list tbody tr')) row.classList.toggle('chosen', /** @type {HTMLElement} */ (row).dataset.row === id);
  if (!id || !found) {
    drawn = null;
    draw();
    return;
  }
  await attempt(async () => {
    const step = { ruleset: found.ruleset, rows: text(), placement: found.placement };
    const answer = await ask('api/features/picture', { feature: id, step });
    if (number !== pointed) return;
    drawn = answer;
    const sum = answer.adds_up ? 'The marked cells add up to it.' : answer.cells.length ? 'The value depends on the marked cells.' : 'It counts no cells.';
    $('placed').textContent = `${id} = ${valueText(answer.values)}. ${sum}`;
    draw();
  });
}

/** The board as text, the top row first. */
function text() {
  return board.map((row) => row.map((filled) => (filled ? '#' : '.')).join('')).reverse();
}

async function update() {
  drawn = null;
  draw();
  asked += 1;
  const number = asked;
  const rows = text();
  await attempt(async () => {
    const answer = await ask('api/features', { rows, piece });
    if (number !== asked) return;
    found = answer;
    $('placed').textContent = `${piece} is placed${answer.cleared ? ` and clears ${answer.cleared} ${answer.cleared === 1 ? 'line' : 'lines'}` : ''}.`;
    draw();
    showValues();
    if (marked) point(marked);
  });
}

/** @param {any} value */
function valueText(value) {
  if (value == null) return '–';
  const short = (/** @type {number} */ one) => (Number.isInteger(one) ? one.toLocaleString('en') : show(one));
  return value.map(short).join(' ');
}

function showValues() {
  for (const cell of document.querySelectorAll('[data-feature]')) {
    const id = /** @type {HTMLElement} */ (cell).dataset.feature ?? '';
    cell.textContent = valueText(found?.values[id]);
    cell.classList.toggle('many', (found?.values[id]?.length ?? 1) > 1);
  }
}

function list() {
  const words = $('search').value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const set = $('set').value;
  const shown = features.filter((one) => {
    const text = `${one.id} ${one.definition} ${one.source}`.toLowerCase();
    return (!set || one.sets.includes(set)) && words.every((/** @type {string} */ word) => text.includes(word));
  });
  const rows = shown.map((one) => make('tr', { 'data-row': one.id, class: one.id === marked ? 'chosen' : null }, [
    make('th', { scope: 'row' }, [make('button', { type: 'button', class: 'plain', text: breakable(one.id), onclick: () => point(one.id), onfocus: () => point(one.id) })]),
    make('td', { class: 'value', 'data-feature': one.id, text: valueText(found?.values[one.id]) }),
    make('td', { class: 'words', text: one.definition }),
    make('td', { class: 'source', text: one.source }),
  ]));
  const heads = ['feature', 'value', 'definition', 'source'].map((text) => make('th', { scope: 'col', text }));
  $('list').replaceChildren(make('div', { class: 'table scroll', tabindex: '0', role: 'group', 'aria-label': 'features' }, [
    make('table', { class: 'tight' }, [
      make('caption', {}, [make('span', { text: `${shown.length} of ${features.length} features` })]),
      make('thead', {}, [make('tr', {}, heads)]), make('tbody', {}, rows)])]));
  /** @type {any} */
  let soon = null;
  for (const row of rows) {
    row.addEventListener('pointerenter', () => { clearTimeout(soon); soon = setTimeout(() => point(row.dataset.row), 60); });
  }
}

/** Full rows disappear, as in a game. */
function removeFullRows() {
  const rows = board.filter((row) => row.includes(false));
  while (rows.length < ROWS) rows.push(Array(COLUMNS).fill(false));
  board = rows;
}

/** @param {number} row @param {number} column */
function toggle(row, column) {
  board[row][column] = !board[row][column];
  removeFullRows();
  found = null;
  update();
}

function connect() {
  const canvas = $('board');
  canvas.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    cursor = [ROWS - 1 - Math.floor(((event.clientY - box.top) / box.height) * ROWS), Math.floor(((event.clientX - box.left) / box.width) * COLUMNS)];
    toggle(...cursor);
  });
  canvas.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const [row, column] = cursor;
    const moves = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [row, Math.max(0, column - 1)], ArrowRight: [row, Math.min(COLUMNS - 1, column + 1)],
      ArrowUp: [Math.min(ROWS - 1, row + 1), column], ArrowDown: [Math.max(0, row - 1), column],
    });
    if (moves[event.key]) cursor = moves[event.key];
    else if (event.key === ' ') toggle(row, column);
    else return;
    event.preventDefault();
    draw();
  });
  for (const name of ['focus', 'blur']) canvas.addEventListener(name, draw);
  $('pieces').append(...[...PIECES].map((letter) => make('button', {
    type: 'button', text: letter, 'aria-pressed': String(letter === piece), onclick: (/** @type {any} */ event) => {
      piece = letter;
      for (const button of $('pieces').children) button.setAttribute('aria-pressed', String(button === event.currentTarget));
      update();
    },
  })));
  $('boards').append(...Object.keys(BOARDS).map((name) => make('option', { text: name })));
  $('boards').addEventListener('change', () => choose($('boards').value));
  for (const id of ['search', 'set']) $(id).addEventListener('input', list);
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}

/** Shows the cells of the feature this many rows below in the list. @param {number} rows */
function pointNear(rows) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('#list tbody button')]);
  const at = buttons.findIndex((button) => button.closest('tr')?.dataset.row === marked);
  const button = buttons[at < 0 ? 0 : Math.max(0, Math.min(buttons.length - 1, at + rows))];
  button?.focus();
}

const shortcuts = [
  { key: 'N P', name: 'next or previous feature', keys: ['n', 'p'], run: (/** @type {number} */ index) => pointNear(1 - 2 * index) },
  { key: '/', name: 'search', run: () => $('search').select() },
  { key: 'M', name: 'choose a set of features', run: () => $('set').focus() },
  { key: 'E', name: 'edit the board: arrows move, Space fills or empties a cell', run: () => $('board').focus() },
  { key: 'B', name: 'next board', run: nextBoard },
  { key: '1 … 7', name: `place the piece ${[...PIECES].join(', ')}`, keys: [...'1234567'], run: (/** @type {number} */ index) => $('pieces').children[index].click() },
];

function nextBoard() {
  const select = $('boards');
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  choose(select.value);
}

async function main() {
  listen(shortcuts);
  connect();
  const catalog = await ask('api/catalog');
  ({ features } = await ask('api/features'));
  $('set').append(make('option', { value: '', text: 'any' }), ...catalog.feature_sets.map((/** @type {any} */ one) => make('option', { value: one.name, text: one.name })));
  list();
  choose('a usual stack');
}

openPage(main);
