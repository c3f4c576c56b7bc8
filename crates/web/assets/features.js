// The page that explains features.
// @ts-check

import { $, ask, attempt, drawBar, isTyping, make, show } from './page.js';
import { scaled } from './board.js';

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

/** @param {string} name */
function choose(name) {
  const rows = BOARDS[name];
  board = Array.from({ length: ROWS }, (_, row) => Array.from({ length: COLUMNS }, (_unused, column) => rows[row]?.[column] === '#'));
  update();
}

function draw() {
  const canvas = $('board');
  const cell = Math.floor(Math.min(28, (canvas.parentElement.clientWidth - 40) / COLUMNS));
  const context = scaled(canvas, COLUMNS * cell, ROWS * cell);
  const css = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => css.getPropertyValue(name).trim();
  context.fillStyle = colour('--well');
  context.fillRect(0, 0, COLUMNS * cell, ROWS * cell);
  const placed = new Set((found?.cells ?? []).map((/** @type {number[]} */ [row, column]) => row * 100 + column));
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const y = (ROWS - 1 - row) * cell;
      context.fillStyle = placed.has(row * 100 + column) ? colour('--link') : board[row][column] ? colour('--stack') : colour('--cell');
      context.fillRect(column * cell + 0.5, y + 0.5, cell - 1, cell - 1);
    }
  }
  if (document.activeElement === canvas) {
    context.strokeStyle = colour('--focus');
    context.lineWidth = 3;
    context.strokeRect(cursor[1] * cell + 1.5, (ROWS - 1 - cursor[0]) * cell + 1.5, cell - 3, cell - 3);
  }
}

async function update() {
  draw();
  asked += 1;
  const number = asked;
  const rows = board.map((row) => row.map((filled) => (filled ? '#' : '.')).join('')).reverse();
  await attempt(async () => {
    const answer = await ask('api/features', { rows, piece });
    if (number !== asked) return;
    found = answer;
    $('placed').textContent = `${piece} is placed${answer.cleared ? ` and clears ${answer.cleared} ${answer.cleared === 1 ? 'line' : 'lines'}` : ''}.`;
    draw();
    showValues();
  });
}

/** @param {any} value */
function valueText(value) {
  if (value == null) return '–';
  return value.length === 1 ? show(value[0]) : value.map(show).join(' ');
}

function showValues() {
  for (const cell of document.querySelectorAll('[data-feature]')) {
    const id = /** @type {HTMLElement} */ (cell).dataset.feature ?? '';
    cell.textContent = valueText(found?.values[id]);
  }
}

function list() {
  const words = $('search').value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const set = $('set').value;
  const shown = features.filter((one) => {
    const text = `${one.id} ${one.definition} ${one.source}`.toLowerCase();
    return (!set || one.sets.includes(set)) && words.every((/** @type {string} */ word) => text.includes(word));
  });
  const rows = shown.map((one) => make('tr', {}, [
    make('th', { scope: 'row' }, [make('code', { text: one.id })]),
    make('td', { class: 'words', text: one.definition }),
    make('td', { class: 'value', 'data-feature': one.id, text: valueText(found?.values[one.id]) }),
    make('td', { class: 'source', text: one.source }),
  ]));
  const heads = ['feature', 'counts', 'value', 'source'].map((text) => make('th', { scope: 'col', text }));
  $('list').replaceChildren(make('div', { class: 'table scroll', tabindex: '0', role: 'group', 'aria-label': 'features' }, [
    make('table', { class: 'tight' }, [
      make('caption', {}, [make('span', { text: `${shown.length} of ${features.length} features` })]),
      make('thead', {}, [make('tr', {}, heads)]), make('tbody', {}, rows)])]));
}

/** @param {number} row @param {number} column */
function toggle(row, column) {
  board[row][column] = !board[row][column];
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
  addEventListener('keydown', (event) => {
    if (event.key === '/' && !isTyping(event)) {
      event.preventDefault();
      $('search').focus();
    }
  });
}

async function main() {
  drawBar();
  connect();
  const catalog = await ask('api/catalog');
  ({ features } = await ask('api/features'));
  $('set').append(make('option', { value: '', text: 'any' }), ...catalog.feature_sets.map((/** @type {any} */ one) => make('option', { value: one.name, text: one.name })));
  list();
  choose('a usual stack');
}

attempt(main);
