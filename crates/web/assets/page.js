// Shared by all pages: the navigation bar and small helpers.
// @ts-check

import { ask, place } from './transport.js';

/** Pages in the bar: address, name, key after G. */
const PAGES = [
  ['./', 'Watch', 'w'],
  ['compare', 'Compare', 'c'],
  ['learn', 'Learn', 'l'],
  ['experiments', 'Experiments', 'e'],
  ['features', 'Features', 'f'],
];

/**
 * The element with an id.
 * @param {string} id
 * @returns {any}
 */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element ${id}`);
  return found;
}

/**
 * A new element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `text` is its text, `on...` are listeners
 * @param {(Node | string)[]} [children]
 * @returns {any}
 */
export function make(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') element.textContent = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** The last part of the page's own address. */
function here() {
  const name = (location.pathname.split('/').pop() ?? '').replace(/\.html$/, '');
  return name === '' || name === 'index' ? './' : name;
}

/** The available pages: address, name, key after G. */
const pages = PAGES.filter(([address]) => !place.without.includes(address));

/** Keys that lead to other pages, for the list of keys. */
export const PAGE_KEYS = pages.map(([, name, key]) => [`G ${key.toUpperCase()}`, name]);

/** The address of a page. @param {string} name */
function addressOf(name) {
  return name === './' ? name : name + place.suffix;
}

/** Whether a part of the page, such as a board that is edited, takes all keys. */
export const keysTaken = { by: () => false };

/** Draws the bar with links to all pages. */
function drawBar() {
  const links = pages.map(([address, name]) => {
    const current = address === here();
    return make('li', {}, [make('a', { href: addressOf(address), text: name, 'aria-current': current ? 'page' : null })]);
  });
  $('bar').append(
    make('a', { href: './', class: 'name', text: 'tetrolab' }),
    make('nav', { 'aria-label': 'Pages' }, [make('ul', {}, links)]),
    ...(place.note ? [make('p', { class: 'note place', text: place.note })] : []),
  );
  let leads = false;
  addEventListener('keydown', (event) => {
    if (keysTaken.by()) { leads = false; return; }
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = leads && pages.find((row) => row[2] === event.key.toLowerCase());
    leads = event.key.toLowerCase() === 'g';
    if (page) {
      event.stopImmediatePropagation();
      location.href = addressOf(page[0]);
    }
  }, true);
}

/**
 * Draws the bar, then the content of the page; measurements can detect when the page is ready.
 * @param {() => any} main
 */
export async function openPage(main) {
  drawBar();
  await attempt(main);
  performance.mark('ready');
}

/**
 * Whether a key belongs to a field of a form.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!target?.matches) return false;
  const typed = 'input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, dialog *';
  return target.matches(typed);
}

/**
 * Shows an error, or hides it.
 * @param {string | null} [sentence]
 */
export function complain(sentence) {
  const problem = $('problem');
  problem.textContent = sentence ?? '';
  problem.hidden = !sentence;
}

/**
 * Runs an action of the user and shows its error, if any.
 * @param {() => any} action
 */
export async function attempt(action) {
  try {
    complain(null);
    return await action();
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/**
 * Offers a text for download.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * A number as the program writes it: significant digits only, and M, B or T from a million up.
 * @param {number | null | undefined} value
 */
export function show(value) {
  if (value == null || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const unit = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M']].find((row) => size >= Number(row[0]));
  if (unit) return `${Number((value / Number(unit[0])).toPrecision(3))} ${unit[1]}`;
  if (size >= 100) return Math.round(value).toLocaleString('en');
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.01 || size === 0) return value.toFixed(2);
  return value.toExponential(1);
}

/** A name that may break after its parts. @param {string} name */
export function breakable(name) {
  return name.replaceAll(/[_,(=]/g, '$&\u200b');
}

/**
 * Copies a text; returns whether the browser allowed it.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make('textarea', { class: 'unseen' });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/**
 * Choices for a text field, in groups.
 * @typedef {{ label: string, choices: { name: string, note?: string }[] }} Group
 */

/** The choices of players: learned here, published, and players that combine others. @param {any} catalog @returns {Promise<Group[]>} */
export async function playerChoices(catalog) {
  const { runs } = await ask('api/runs');
  const learned = runs.filter((/** @type {any} */ run) => run.has_player);
  const combined = catalog.kinds.filter((/** @type {any} */ kind) => kind.settings[0]?.positional);
  return [
    { label: 'Learned here', choices: learned.map((/** @type {any} */ run) => ({ name: `runs/${run.run}`, note: run.plan.ruleset })) },
    { label: 'Published', choices: catalog.players.map((/** @type {any} */ one) => ({ name: one.name, note: one.source })) },
    { label: 'Decision rules that use another player', choices: combined.map((/** @type {any} */ one) => ({ name: `${one.name}(bcts)`, note: one.definition })) },
  ].filter((group) => group.choices.length > 0);
}

/** The choices of rulesets. @param {any} catalog @returns {Group[]} */
export function rulesetChoices(catalog) {
  const group = (/** @type {string} */ label, /** @type {boolean} */ stepped) => ({
    label,
    choices: catalog.rulesets.filter((/** @type {any} */ one) => one.stepped === stepped)
      .map((/** @type {any} */ one) => ({ name: one.name, note: `${one.width} × ${one.height}` })),
  });
  return [group('Placement games', false), group('Games with falling pieces', true)];
}

/** Choices without groups. @param {string} label @param {any[]} list @returns {Group[]} */
export function plainChoices(label, list) {
  return [{ label, choices: list.map((one) => ({ name: one.name, note: one.definition })) }];
}

/** The longest note that is shown next to a choice. */
const LONGEST_NOTE = 60;

/**
 * A menu beside a text field: the field takes any text, the menu offers all choices. (The browser's own
 * suggestions leave out what does not match the text that is already there.)
 * @param {HTMLInputElement} field @param {Group[]} groups
 * @returns {HTMLElement} what is to stand in the field's place
 */
export function withMenu(field, groups) {
  const option = (/** @type {{ name: string, note?: string }} */ { name, note = '' }) => {
    const text = note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note;
    return make('option', { value: name, text: text ? `${name} · ${text}` : name });
  };
  const label = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? 'value';
  const menu = make('select', { 'aria-label': `Choose: ${label}`, title: 'Choose from a list' }, [
    make('option', { value: '', text: '' }),
    ...groups.map((group) => make('optgroup', { label: group.label }, group.choices.map(option))),
  ]);
  menu.addEventListener('change', () => {
    field.value = menu.value;
    menu.value = '';
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
  });
  // The form does not read the menu.
  for (const name of ['input', 'change']) menu.addEventListener(name, (/** @type {Event} */ event) => event.stopPropagation());
  const place = make('div', { class: 'choice' });
  field.replaceWith(place);
  place.append(field, menu);
  return place;
}

/**
 * A command with a button that copies it.
 * @param {string} command
 */
export function commandBox(command) {
  const button = make('button', { type: 'button', text: 'Copy' });
  button.addEventListener('click', async () => {
    button.textContent = (await copy(command)) ? 'Copied' : 'Select it';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return make('div', { class: 'command scripted' }, [make('code', { text: command }), button]);
}
