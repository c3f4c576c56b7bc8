// The page with the experiments of the literature.
// @ts-check

import { $, attempt, complain, drawBar, make } from './page.js';
import { ask, follow } from './transport.js';

/** @type {Map<string, { close: () => void }>} */
const followed = new Map();

/** @param {any} one */
function card(one) {
  const run = make('button', { type: 'button', class: one.report ? null : 'primary', text: one.report ? 'Run again' : 'Run at quick scale' });
  const stop = make('button', { type: 'button', text: 'Stop', hidden: true });
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
        run.textContent = data.state === 'stopped' ? 'Go on' : 'Run again';
        const verdicts = data.result.verdicts.filter((/** @type {any} */ verdict) => verdict[1] > 0);
        state.textContent = data.state === 'stopped' ? 'Stopped; the report holds what is done.'
          : `Done: ${verdicts.map((/** @type {any} */ [word, count]) => `${count} ${word}`).join(', ') || 'no published numbers to compare'}.`;
      },
    }));
  };
  run.addEventListener('click', () => attempt(async () => {
    ({ study } = await ask(`api/experiments/${one.id}`, {}));
    state.textContent = 'Begins.';
    watch();
  }));
  stop.addEventListener('click', () => attempt(() => ask(`api/studies/${study}/stop`, {})));
  if (study) watch();
  return make('li', { id: one.id }, [
    make('h2', { text: one.id }),
    make('p', { class: 'ask', text: one.question }),
    make('p', { class: 'note', text: `${one.source} · ${one.stages} stages · ${one.cost}` }),
    state, progress,
    make('div', { class: 'row' }, [run, stop, report]),
  ]);
}

async function main() {
  drawBar();
  const { experiments } = await ask('api/experiments');
  $('list').replaceChildren(...experiments.map(card));
}

attempt(main);
