// Keys of the game, keys of the page, and buttons for fingers.
// @ts-check

import { isTyping, make } from './page.js';

/** Keys that move a piece: the letters of inputs in records. */
const GAME_KEYS = {
  ArrowLeft: 'l', ArrowRight: 'r', ArrowUp: 'c', KeyX: 'c', KeyZ: 'w', KeyA: 'h', ArrowDown: 'd', Space: 'D', KeyC: 'H',
  ShiftLeft: 'H',
};

/** For the list of keys. */
const GAME_ROWS = [
  ['← →', 'move'], ['↑ or X', 'turn right'], ['Z', 'turn left'], ['A', 'half turn'], ['↓', 'down'], ['Space', 'drop'],
  ['C or Shift', 'hold'],
];

/**
 * @typedef {{ key: string, name: string, run: () => void }} Shortcut
 */

/**
 * Listens to keys.
 * @param {{ shortcuts: Shortcut[], byHand: () => boolean, input: (letter: string, down: boolean) => void,
 *   edit: (event: KeyboardEvent) => boolean, focusGame: () => void }} to
 */
export function listen(to) {
  /** @type {Set<string>} */
  const held = new Set();
  addEventListener('keydown', (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (to.edit(event)) {
      event.preventDefault();
      return;
    }
    const letter = /** @type {Record<string, string>} */ (GAME_KEYS)[event.code];
    const onControl = /** @type {HTMLElement} */ (event.target).matches('button, summary, a, input');
    const usesKey = onControl && ['Space', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.code);
    if (letter && to.byHand()) {
      // A button that was clicked keeps the focus: keys of the game are for the game.
      if (onControl) to.focusGame();
      event.preventDefault();
      if (!event.repeat && !held.has(event.code)) {
        held.add(event.code);
        to.input(letter, true);
      }
      return;
    }
    if (usesKey || event.repeat) return;
    const pressed = event.key === ' ' ? 'Space' : event.key.toLowerCase();
    const shortcut = to.shortcuts.find((one) => one.key.toLowerCase() === pressed.toLowerCase());
    if (shortcut) {
      event.preventDefault();
      shortcut.run();
    }
  });
  addEventListener('keyup', (event) => {
    const letter = /** @type {Record<string, string>} */ (GAME_KEYS)[event.code];
    if (letter && held.delete(event.code)) to.input(letter, false);
  });
  addEventListener('blur', () => {
    for (const code of held) to.input(/** @type {Record<string, string>} */ (GAME_KEYS)[code], false);
    held.clear();
  });
}

/**
 * Buttons for fingers.
 * @param {HTMLElement} group @param {(letter: string, down: boolean) => void} input
 */
export function touch(group, input) {
  for (const button of group.querySelectorAll('button')) {
    const letter = button.dataset.input ?? '';
    let down = false;
    const release = () => {
      if (down) input(letter, false);
      down = false;
    };
    button.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      down = true;
      input(letter, true);
    });
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(name, release);
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    // For keyboards and screen readers: a click without a pointer is a short press.
    button.addEventListener('click', (event) => {
      if (/** @type {PointerEvent} */ (event).detail === 0) {
        input(letter, true);
        input(letter, false);
      }
    });
  }
}

/**
 * The list of all keys.
 * @param {HTMLElement} place @param {Shortcut[]} shortcuts
 */
export function listKeys(place, shortcuts) {
  const list = (/** @type {string} */ title, /** @type {string[][]} */ rows) => {
    const pairs = rows.flatMap(([key, name]) => [make('dt', {}, [make('kbd', { text: key })]), make('dd', { text: name })]);
    return make('div', {}, [make('h3', { text: title }), make('dl', { class: 'keys' }, pairs)]);
  };
  const page = shortcuts.map((one) => [one.key, one.name]);
  place.replaceChildren(list('Game', GAME_ROWS), list('Page', [...page, ['G, then W C L E F', 'other pages']]));
}
