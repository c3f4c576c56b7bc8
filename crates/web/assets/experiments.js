// The page with the experiments from the literature.
// @ts-check

import { listen } from './keys.js';
import { $, attempt, complain, make, openPage } from './page.js';
import { ask, follow } from './transport.js';

/** @type {Map<string, { close: () => void }>} */
const followed = new Map();

/** @param {any} one */
function card(one) {
  const run = make('button', { type: 'button', class: 'run', text: one.report ? 'Run again' : 'Run' });
  const stop = make('button', { type: 'button', class: 'stop', text: 'Stop', hidden: true });
  const state = make('p', { class: 'note', role: 'status' });
  const progress = make('progress', { max: 1, value: 0, hidden: true, 'aria-label': `progress of ${one.id}` });
  const report = make('a', { href: `reports/${one.id}`, text: 'Read the report', target: '_blank', rel: 'noopener', hidden: !one.report });
  let study = one.study;
  const show = (/** @type {boolean} */ running) => {
    run.hidden = running;
    stop.hidden = !running;
    progress.hidden = !running;
  };
  const watch = () => {
    show(true);
    followed.get(one.id)?.close();
    followed.set(one.id, follow(study, {
      stage: (data) => {
        progress.value = (data.number - 1) / data.of;
        const left = data.to_go == null ? '' : `, about ${Math.ceil(data.to_go)} s to go`;
        state.textContent = `Stage ${data.number} of ${data.of}: ${data.stage}${left}`;
      },
      ended: (data) => {
        show(false);
        if (data.error) {
          complain(`${one.id}: ${data.error}`);
          state.textContent = '';
          return;
        }
        report.hidden = false;
        run.textContent = data.state === 'stopped' ? 'Resume' : 'Run again';
        const verdicts = data.result.verdicts.filter((/** @type {any} */ verdict) => verdict[1] > 0);
        state.textContent = data.state === 'stopped' ? 'Stopped; the report contains the results so far.'
          : `Done: ${verdicts.map((/** @type {any} */ [word, count]) => `${count} ${word}`).join(', ') || 'no published numbers to compare'}.`;
      },
    }));
  };
  run.addEventListener('click', () => attempt(async () => {
    ({ study } = await ask(`api/experiments/${one.id}`, {}));
    state.textContent = 'Starting.';
    watch();
  }));
  stop.addEventListener('click', () => attempt(() => ask(`api/studies/${study}/stop`, {})));
  if (study) watch();
  return make('li', { id: one.id, tabindex: '-1' }, [
    make('h2', { text: one.id }),
    make('p', { class: 'ask', text: one.question }),
    make('p', { class: 'note', text: `${one.source} · ${one.stages} ${one.stages === 1 ? 'stage' : 'stages'} · ${one.cost}` }),
    state, progress,
    make('div', { class: 'row' }, [run, stop, report]),
  ]);
}

/** The experiment to which keys apply. */
function current() {
  const cards = /** @type {HTMLElement[]} */ ([...$('list').children]);
  return { cards, at: cards.findIndex((one) => one.contains(document.activeElement)) };
}

/** Moves forward by this many experiments. @param {number} further */
function go(further) {
  const { cards, at } = current();
  cards[at < 0 ? 0 : Math.max(0, Math.min(cards.length - 1, at + further))]?.focus();
}

/** Clicks a button or link of the current experiment, if it is shown. @param {string} selector */
function clickIn(selector) {
  const { cards, at } = current();
  const button = /** @type {HTMLElement | null | undefined} */ (cards[at]?.querySelector(selector));
  if (button && !button.hidden) button.click();
}

const shortcuts = [
  { key: 'J K', name: 'next or previous experiment', keys: ['j', 'k'], run: (/** @type {number} */ index) => go(1 - 2 * index) },
  { key: 'B', name: 'run it', run: () => clickIn('.run') },
  { key: 'S', name: 'stop it', run: () => clickIn('.stop') },
  { key: 'O', name: 'open its report', run: () => clickIn('a') },
];

async function main() {
  listen(shortcuts);
  const { experiments } = await ask('api/experiments');
  $('list').replaceChildren(...experiments.map(card));
}

openPage(main);
