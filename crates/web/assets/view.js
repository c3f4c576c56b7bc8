// The player's view: its best placements with their scores, and the contribution of each feature.
// @ts-check

import { breakable, make, show } from './page.js';

/** Feature terms that are shown as bars. */
const MOST_BARS = 14;

/**
 * Draws an analysis.
 * @param {HTMLElement} place @param {any} analysis @param {number} chosen which placement is looked at
 * @param {(index: number) => void} choose
 */
export function drawView(place, analysis, chosen, choose) {
  if (!analysis || analysis.placements.length === 0) {
    place.replaceChildren(make('p', { class: 'note', text: 'Pause, or slow down, to see what the player thinks of its placements.' }));
    return;
  }
  const rated = analysis.rated > 0 ? `${analysis.rated} placements rated` : 'this player does not rate placements';
  const at = Math.min(chosen, analysis.placements.length - 1);
  place.replaceChildren(
    make('p', { class: 'note', text: `${analysis.player}: ${rated}, the best first. A placement is written as piece, orientation (north, east, south, west) and leftmost column.` }),
    table(analysis.placements, at, choose),
    terms(analysis.placements[at], analysis.placements),
  );
}

/** @param {any[]} placements @param {number} chosen @param {(index: number) => void} choose */
function table(placements, chosen, choose) {
  const rows = placements.map((placement, index) => {
    const radio = make('input', { type: 'radio', name: 'placement', 'aria-label': `placement ${index + 1}: ${placement.placement}` });
    radio.checked = index === chosen;
    radio.addEventListener('change', () => choose(index));
    const lines = placement.cleared.length;
    const text = [placement.placement, lines ? `clears ${lines}` : '', placement.game_over ? 'ends the game' : ''];
    return make('tr', { class: index === chosen ? 'chosen' : null }, [
      make('td', {}, [radio]),
      make('td', { text: text.filter(Boolean).join(', ') }),
      make('td', { class: 'number', text: show(placement.score) }),
      make('td', { class: 'number', text: placement.survival == null ? '–' : `${(100 * placement.survival).toFixed(1)} %` }),
      make('td', { text: placement.line.map((/** @type {any} */ step) => step.placement).join(' ') || '–' }),
    ]);
  });
  const heads = ['', 'placement', 'score', 'survival', 'expected'].map((text) => (
    make('th', { scope: 'col', text, class: text === 'score' || text === 'survival' ? 'number' : null })));
  return make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Best placements' }, [
    make('table', { class: 'tight' }, [make('thead', {}, [make('tr', {}, heads)]), make('tbody', {}, rows)])]);
}

/**
 * Bars with the contribution of each feature or table to the score.
 * @param {any} placement @param {any[]} all
 */
function terms(placement, all) {
  const of = (/** @type {any} */ one) => [
    ...one.features.map((/** @type {any} */ term) => ({
      name: term.index == null ? term.feature : `${term.feature} ${term.index + 1}`, value: term.product ?? null, number: term.value,
    })),
    ...(one.tables ?? []).map((/** @type {any} */ term) => ({ name: term.table, value: term.sum, number: null })),
  ];
  const rows = of(placement).filter((row) => row.value != null);
  if (rows.length === 0) {
    return make('p', { class: 'note', text: 'This player is not a weighted sum of features or tables.' });
  }
  const best = of(all[0]);
  rows.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const shown = rows.slice(0, MOST_BARS);
  const most = Math.max(...shown.map((row) => Math.abs(row.value)), 1e-12);
  const hasNumbers = shown.some((row) => row.number != null);
  const bars = shown.map((row) => {
    const size = (50 * Math.abs(row.value)) / most;
    const bar = make('span', { class: row.value < 0 ? 'minus' : 'plus' });
    bar.style.width = `${size}%`;
    bar.style.left = row.value < 0 ? `${50 - size}%` : '50%';
    const other = best.find((one) => one.name === row.name);
    const title = `${row.name}${row.number == null ? '' : ` = ${show(row.number)}`}: adds ${show(row.value)}`
      + (other && placement !== all[0] ? `, ${show(row.value - other.value)} against the best` : '');
    return make('tr', { title }, [
      make('th', { scope: 'row', text: breakable(row.name) }),
      ...(hasNumbers ? [make('td', { class: 'number', text: row.number == null ? '' : show(row.number) })] : []),
      make('td', { class: 'bar-cell' }, [make('span', { class: 'bar', 'aria-hidden': 'true' }, [bar])]),
      make('td', { class: 'number', text: show(row.value) }),
    ]);
  });
  const more = rows.length > MOST_BARS ? ` (the largest ${MOST_BARS} of ${rows.length})` : '';
  const names = [[hasNumbers ? 'feature' : 'table', ''], ...(hasNumbers ? [['value', 'number']] : []), ['', ''], ['adds', 'number']];
  const heads = names.map(([text, kind]) => (
    make('th', { scope: 'col', text, class: kind || null })));
  return make('table', { class: 'tight bars' }, [
    make('caption', { text: `What adds up to the score of ${placement.placement}${more}` }),
    make('thead', {}, [make('tr', {}, heads)]), make('tbody', {}, bars)]);
}
