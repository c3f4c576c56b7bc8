// Keyboard shortcuts of all pages and their list, the keys of the game, and touch buttons.
// @ts-check

import { $, PAGE_KEYS, isTyping, keysTaken, make } from './page.js';

/** Keys that move a piece: the letters of inputs in records. */
const GAME_KEYS = /** @type {Record<string, string>} */ ({
  ArrowLeft: 'l', ArrowRight: 'r', ArrowUp: 'c', KeyX: 'c', KeyZ: 'w', KeyA: 'h', ArrowDown: 'd', Space: 'D', KeyC: 'H',
  ShiftLeft: 'H',
});

/** For the list of keys. */
const GAME_ROWS = [
  ['← →', 'move'], ['↑ or X', 'turn right'], ['Z', 'turn left'], ['A', 'half turn'], ['↓', 'down'], ['Space', 'drop'],
  ['C or Shift', 'hold'],
];

/**
 * A shortcut clicks a button or a link, while that is shown and enabled, or runs a function. `keys` are
 * several keys that do alike: the function gets the position of the one that was pressed.
 * @typedef {{ key: string, name: string, click?: string, run?: (index: number) => any, keys?: string[] }} Shortcut
 */

/**
 * How a page handles keys other than shortcuts: if `edit` returns that it used a key, nothing else sees it;
 * `byHand` says whether a game is played by hand, which `input` receives.
 * @typedef {{ byHand: () => boolean, input: (letter: string, down: boolean) => void,
 *   edit: (event: KeyboardEvent) => boolean, focusGame: () => void }} GameKeys
 */

/**
 * Installs shortcuts, shows them on their buttons, and lists them under the key `?`.
 * @param {Shortcut[]} shortcuts @param {GameKeys} [game]
 */
export function listen(shortcuts, game) {
  const dialog = list(shortcuts, game !== undefined);
  const show = () => dialog.showModal();
  const open = make('button', { type: 'button', id: 'keys', text: 'Keys', 'aria-keyshortcuts': '?', title: 'List of keys (?)', onclick: show });
  $('bar').append(open);
  document.body.append(dialog);
  const all = [...shortcuts, { key: '?', name: 'list of keys', run: show }];
  for (const { key, name, click } of all) {
    if (!click) continue;
    const button = $(click);
    button.setAttribute('aria-keyshortcuts', key);
    button.title = `${name} (${key})`;
  }
  if (game) listenToGame(game);
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.repeat || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (keysTaken.by()) return;
    const pressed = event.key === ' ' ? 'space' : event.key.toLowerCase();
    // A control uses these keys itself.
    const isControl = /** @type {HTMLElement} */ (event.target).matches('button, summary, a, input, canvas[role=application]');
    if (isControl && (pressed === 'space' || pressed === 'enter' || pressed.startsWith('arrow'))) return;
    for (const shortcut of all) {
      const index = (shortcut.keys ?? [shortcut.key]).findIndex((key) => key.toLowerCase() === pressed);
      if (index < 0) continue;
      event.preventDefault();
      press(shortcut, index);
      return;
    }
  });
}

/** @param {Shortcut} shortcut @param {number} index */
function press({ click, run }, index) {
  if (run) run(index);
  const button = click ? $(click) : null;
  // The shortcut of a hidden button is inactive.
  if (button && !button.disabled && button.offsetParent !== null) button.click();
}

/** @param {GameKeys} to */
function listenToGame(to) {
  /** @type {Set<string>} */
  const held = new Set();
  addEventListener('keydown', (event) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (to.edit(event)) {
      event.preventDefault();
      return;
    }
    const letter = GAME_KEYS[event.code];
    if (!letter || !to.byHand()) return;
    // A clicked button keeps the focus, but game keys must reach the game.
    if (/** @type {HTMLElement} */ (event.target).matches('button, summary, a, input')) to.focusGame();
    event.preventDefault();
    if (!event.repeat && !held.has(event.code)) {
      held.add(event.code);
      to.input(letter, true);
    }
  });
  addEventListener('keyup', (event) => {
    if (held.delete(event.code)) to.input(GAME_KEYS[event.code], false);
  });
  addEventListener('blur', () => {
    for (const code of held) to.input(GAME_KEYS[code], false);
    held.clear();
  });
}

/**
 * Touch buttons.
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
 * The dialog that lists all keys.
 * @param {Shortcut[]} shortcuts @param {boolean} hasGame
 */
function list(shortcuts, hasGame) {
  const part = (/** @type {string} */ title, /** @type {string[][]} */ rows) => {
    const pairs = rows.flatMap(([key, name]) => [make('dt', {}, [make('kbd', { text: key })]), make('dd', { text: name })]);
    return make('div', {}, [make('h3', { text: title }), make('dl', { class: 'keys' }, pairs)]);
  };
  const page = [...shortcuts.map((one) => [one.key, one.name]), ['?', 'this list']];
  return make('dialog', { id: 'key-list', class: hasGame ? 'wide' : null, 'aria-labelledby': 'h-keys' }, [
    make('form', { method: 'dialog', class: 'top' }, [
      make('h2', { id: 'h-keys', text: 'Keys' }), make('button', { type: 'submit', text: 'Close' }),
    ]),
    make('div', { class: 'key-lists' }, [
      ...(hasGame ? [part('While you play', GAME_ROWS)] : []),
      part('This page', page),
      part('Other pages', PAGE_KEYS),
    ]),
  ]);
}
