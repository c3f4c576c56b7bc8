// The page on which players are compared.
// @ts-check

import { listen } from './keys.js';
import { $, attempt, commandBox, complain, make, openPage, playerChoices, rulesetChoices, show, withMenu } from './page.js';
import { ask, follow } from './transport.js';

const USUAL = ['dellacherie', 'bcts', 'dt-10'];
const MOST_PLAYERS = 12;

/** The running study. @type {number | null} */
let running = null;
/** @type {{ close: () => void } | null} */
let source = null;
/** The choices of the player fields. @type {import('./page.js').Group[]} */
let offered = [];

/** @param {string} [value] */
function addPlayer(value = '') {
  const rows = $('players').children.length;
  if (rows >= MOST_PLAYERS) return;
  const field = make('input', { required: true, spellcheck: 'false', 'aria-label': `player ${rows + 1}` });
  field.value = value;
  const remove = make('button', { type: 'button', text: '×', 'aria-label': 'remove this player' });
  const row = make('div', { class: 'player-row' }, [withMenu(field, offered), remove]);
  remove.addEventListener('click', () => { if ($('players').children.length > 1) row.remove(); });
  $('players').append(row);
  if (!value) field.focus();
}

/**
 * A bar that shows a mean and its interval on the scale of the table.
 * @param {any} lines @param {number} least @param {number} most
 */
function interval(lines, least, most) {
  if (lines.mean == null || !lines.ci95) return make('span', { text: '' });
  const [low, high] = [lines.ci95[0], lines.ci95[1] ?? most];
  const place = (/** @type {number} */ value) => Math.max(0, Math.min(100, (100 * (value - least)) / (most - least)));
  const bar = make('span', { class: 'range' });
  bar.style.left = `${place(low)}%`;
  bar.style.width = `${Math.max(0.6, place(high) - place(low))}%`;
  const dot = make('span', { class: 'dot' });
  dot.style.left = `${place(lines.mean)}%`;
  return make('span', { class: 'interval', 'aria-hidden': 'true' }, [bar, dot]);
}

/** @param {any[]} results @param {string} caption @param {boolean} [withRuleset] */
function table(results, caption, withRuleset = false) {
  const ends = results.map((row) => row.lines.ci95?.[1] ?? row.lines.mean ?? 0);
  const begins = results.map((row) => row.lines.ci95?.[0] ?? row.lines.mean ?? 0);
  const [low, high] = [Math.min(...begins), Math.max(...ends)];
  // If the players are close, the scale covers only their range; otherwise it begins at 0.
  const margin = Math.max(high - low, 1e-9) * 0.05;
  const [least, most] = [low < high / 3 ? 0 : low - margin, high + margin];
  const stopped = results.some((row) => row.cut_off);
  const rows = results.map((row) => {
    const ci = row.lines.ci95;
    const games = row.method === 'splitting' ? 'splitting' : Number(row.games).toLocaleString('en');
    return make('tr', {}, [
      make('th', { scope: 'row', text: row.player }),
      ...(withRuleset ? [make('td', { text: row.ruleset })] : []),
      make('td', { class: 'number', text: games }),
      make('td', { class: 'number', 'data-exact': row.lines.mean ?? '', text: show(row.lines.mean) }),
      make('td', { class: 'number', text: ci ? `${show(ci[0])} – ${ci[1] == null ? '∞' : show(ci[1])}` : '–' }),
      make('td', { class: 'interval-cell' }, [interval(row.lines, least, most)]),
      make('td', { class: 'number', text: show(row.lines.median) }),
      ...(stopped ? [make('td', { class: 'number', text: row.cut_off ? String(row.cut_off) : '–' })] : []),
    ]);
  });
  const heads = [['player', ''], ...(withRuleset ? [['ruleset', '']] : []), ['games', 'number'], ['mean lines', 'number'],
    ['95 % interval', 'number'], ['', ''], ['median', 'number'],
    ...(stopped ? [['stopped', 'number']] : [])];
  return make('div', { class: 'table scroll', tabindex: '0', role: 'group', 'aria-label': caption }, [
    make('table', { class: 'tight' }, [
      make('caption', {}, [make('span', { text: caption })]),
      make('thead', {}, [make('tr', {}, heads.map(([text, kind]) => make('th', { scope: 'col', text, class: kind || null })))]),
      make('tbody', {}, rows),
    ]),
  ]);
}

/** @param {any} evaluated @param {string} caption */
function draw(evaluated, caption) {
  $('table').replaceChildren(evaluated.results.length ? table(evaluated.results, caption) : '');
  const pairs = (evaluated.comparisons ?? []).filter((/** @type {any} */ pair) => pair.ratio);
  const items = pairs.map((/** @type {any} */ pair) => {
    const { second_to_first: ratio, ci95 } = pair.ratio;
    const [low, high] = [ci95[0], ci95[1]];
    const word = low > 1 ? 'more' : high != null && high < 1 ? 'fewer' : 'no clear difference';
    return make('li', { text: `${pair.second} clears ${show(ratio)} times the lines of ${pair.first} (95 % interval ${show(low)} – ${high == null ? '∞' : show(high)}): ${word}` });
  });
  const failed = (evaluated.failed ?? []).map((/** @type {any} */ one) => make('li', { text: `${one.player}: ${one.error}` }));
  $('pairs').replaceChildren(items.length || failed.length ? make('ul', { class: 'note' }, [...items, ...failed]) : '');
}

/** @param {boolean} on */
function setRunning(on) {
  $('stop').hidden = !on;
  $('progress').hidden = !on;
}

/** The number of comparisons requested so far; the page shows the latest. */
let asked = 0;

/** @param {number} study @param {string} command */
function watch(study, command) {
  source?.close();
  running = study;
  history.replaceState(null, '', `#study=${study}`);
  setRunning(true);
  $('command').replaceChildren(make('p', { class: 'note', text: 'The same numbers on the command line:' }), commandBox(command));
  $('plots').replaceChildren();
  source = follow(study, {
    progress: (data) => {
      if (data.event !== 'games') return;
      $('progress').value = data.total ? data.done / data.total : 0;
      $('status').textContent = `${data.done.toLocaleString('en')} of ${data.total.toLocaleString('en')} games played for the next table, ${data.pieces.toLocaleString('en')} pieces`;
    },
    interim: (data) => draw(data, `After ${data.results[0]?.games.toLocaleString('en')} games each`),
    ended: (data) => {
      setRunning(false);
      running = null;
      if (data.error) {
        complain(data.error);
        return;
      }
      const { evaluated, plots } = data.result;
      $('status').textContent = data.state === 'stopped' ? 'Stopped. The table shows the games so far; Compare resumes.' : 'Done.';
      draw(evaluated, data.state === 'stopped' ? 'Stopped' : `All ${evaluated.results[0]?.games.toLocaleString('en')} games`);
      $('plots').replaceChildren(...plots.map((/** @type {string} */ svg) => {
        const figure = make('figure', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'plot' });
        figure.innerHTML = svg;
        return figure;
      }));
    },
  });
}

async function start() {
  const players = [...document.querySelectorAll('#players input')].map((field) => /** @type {HTMLInputElement} */ (field).value.trim());
  const cap = $('cap').value;
  const request = {
    players, ruleset: $('ruleset').value.trim(), games: Number($('games').value), seed: $('seed').value.trim(),
    max_pieces: cap ? Number(cap) : null,
  };
  // The page runs one comparison at a time, so the previous one is stopped.
  if (running != null) await ask(`api/studies/${running}/stop`, {});
  asked += 1;
  const number = asked;
  const { study, command } = await ask('api/evaluations', request);
  if (number !== asked) {
    await ask(`api/studies/${study}/stop`, {});
    return;
  }
  $('status').textContent = 'Starting.';
  $('table').replaceChildren();
  $('pairs').replaceChildren();
  watch(study, command);
}

/** Shows a study again after the page was reloaded. */
async function again() {
  const wanted = Number(new URLSearchParams(location.hash.slice(1)).get('study'));
  const { studies } = await ask('api/studies');
  const all = studies.filter((/** @type {any} */ one) => one.kind === 'evaluation');
  // Without an id in the address, the latest running comparison is shown, so that it can be stopped.
  const study = all.find((/** @type {any} */ one) => (wanted ? one.id === wanted : one.state === 'running'));
  if (!study) return;
  const { evaluation, command } = study.about;
  $('players').replaceChildren();
  evaluation.players.forEach((/** @type {string} */ name) => addPlayer(name));
  $('ruleset').value = evaluation.ruleset;
  $('seed').value = study.about.seed;
  if (evaluation.target?.games) $('games').value = evaluation.target.games;
  if (evaluation.max_pieces) $('cap').value = evaluation.max_pieces;
  watch(study.id, command);
}

const shortcuts = [
  { key: 'A', name: 'add a player', click: 'add' },
  { key: 'X', name: 'remove the last player', run: () => /** @type {any} */ (document.querySelector('.player-row:last-child button')).click() },
  { key: '/', name: 'go to the form', run: () => /** @type {any} */ (document.querySelector('#players input')).select() },
  { key: 'B', name: 'begin', click: 'begin' },
  { key: 'S', name: 'stop', click: 'stop' },
  { key: 'Y', name: 'copy the command', run: () => /** @type {any} */ (document.querySelector('#command button'))?.click() },
];

async function main() {
  listen(shortcuts);
  $('add').addEventListener('click', () => addPlayer());
  $('form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    attempt(start);
  });
  $('stop').addEventListener('click', () => attempt(() => ask(`api/studies/${running}/stop`, {})));
  const catalog = await ask('api/catalog');
  offered = await playerChoices(catalog);
  withMenu($('ruleset'), rulesetChoices(catalog));
  USUAL.forEach((name) => addPlayer(name));
  const { results } = await ask('api/standings');
  const rulesets = [...new Set(results.map((/** @type {any} */ row) => row.ruleset))];
  $('standings').replaceChildren(...rulesets.map((ruleset) => table(results.filter((/** @type {any} */ row) => row.ruleset === ruleset), String(ruleset))));
  await again();
}

openPage(main);
