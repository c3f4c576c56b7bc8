// A board on a canvas, at the device's pixel ratio.
// @ts-check

import { make } from './page.js';

/** Rows above the visible ones that are drawn, where a game has them. */
const MOST_HEADROOM = 2;
/** Pixels of the largest cell. */
const LARGEST = 72;

/** Colours of the pieces: those of reports, and a palette for the colour-blind (Okabe and Ito). */
const COLOURS = {
  standard: { I: '#0ea5b7', O: '#d9a406', T: '#9b51e0', Z: '#e5484d', S: '#2f9e44', J: '#3b72e8', L: '#ee7b1c' },
  safe: { I: '#56b4e9', O: '#f0e442', T: '#cc79a7', Z: '#d55e00', S: '#009e73', J: '#0072b2', L: '#e69f00' },
};

/** @type {Record<string, [number, number][]>} Cells of pieces in the preview: row from the bottom, column. */
const SHAPES = {
  I: [[0, 0], [0, 1], [0, 2], [0, 3]], O: [[0, 0], [0, 1], [1, 0], [1, 1]], T: [[0, 0], [0, 1], [0, 2], [1, 1]],
  Z: [[1, 0], [1, 1], [0, 1], [0, 2]], S: [[0, 0], [0, 1], [1, 1], [1, 2]], J: [[0, 0], [0, 1], [0, 2], [1, 0]],
  L: [[0, 0], [0, 1], [0, 2], [1, 2]],
};

/** @param {string} name */
function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}


export class Board {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.canvas = make('canvas', { role: 'img', tabindex: '-1' });
    this.name = make('h3');
    this.numbers = make('p', { class: 'numbers' });
    this.risk = make('meter', { min: 0, max: 1, low: 0.4, high: 0.7, optimum: 0, 'aria-label': 'risk of losing' });
    this.riskLine = make('p', { class: 'risk', hidden: true, title: 'estimated risk of losing, compared with an empty board' }, [make('span', { text: 'risk ' }), this.risk, make('output')]);
    this.side = make('canvas', { class: 'side', role: 'img' });
    this.element = make('article', { class: 'seat' }, [
      make('div', { class: 'head' }, [this.name, this.numbers]),
      make('div', { class: 'well' }, [this.canvas, this.side]),
      this.riskLine,
    ]);
    parent.append(this.element);
    /** @type {import('./session.js').BoardState | null} */
    this.state = null;
    this.palette = 'standard';
    /** Outlines: placements of an analysis. @type {{ cells: [number, number][], label: string, strong: boolean }[]} */
    this.outlines = [];
    /** The board that is edited, row by row from the bottom. @type {boolean[][] | null} */
    this.edited = null;
    /** @type {[number, number]} */
    this.cursor = [0, 0];
    this.key = '';
    this.said = 0;
    /** The timer of the pending text update. @type {any} */
    this.saying = null;
    this.cell = 20;
    this.headroom = 0;
  }

  /** @param {import('./session.js').BoardState} state */
  show(state) {
    this.state = state;
    this.headroom = Math.min(MOST_HEADROOM, state.rows.length - state.visible_rows);
    this.draw();
    this.tell();
  }

  /** Updates the text beside the board, at most ten times per second. */
  tell() {
    const state = this.state;
    if (!state) return;
    const now = performance.now();
    const ended = !state.playing;
    clearTimeout(this.saying);
    if (now - this.said < 100 && !ended) {
      this.saying = setTimeout(() => this.tell(), 100);
      return;
    }
    this.said = now;
    const rate = state.pieces_per_second;
    const count = (/** @type {number} */ number, /** @type {string} */ name) => `${number.toLocaleString('en')} ${name}${number === 1 ? '' : 's'}`;
    const parts = [count(state.lines, 'line'), count(state.pieces, 'piece')];
    if (state.level != null) parts.push(`level ${state.level}`, `${(state.points ?? 0).toLocaleString('en')} points`);
    if (rate != null && state.playing) parts.push(`${Math.round(rate).toLocaleString('en')}/s`);
    set(this.name, state.player);
    set(this.numbers, parts.join(' · ') + (ended ? (state.recorded_pieces == null ? ' · game over' : ' · end of the record') : ''));
    this.canvas.setAttribute('aria-label', `Board of ${state.player}: ${state.lines} lines, ${state.pieces} pieces`);
    this.riskLine.hidden = !state.risk;
    if (state.risk) {
      this.risk.value = Math.max(0, Math.min(1, state.risk.share));
      set(this.riskLine.lastChild, state.risk.text);
    }
  }

  /** Rows and columns that are drawn. */
  size() {
    const state = this.state;
    if (!state) return [20, 10];
    return [state.visible_rows, state.rows[0].length];
  }

  /** Draws if something has changed. */
  draw() {
    const state = this.state;
    if (!state) return;
    const key = JSON.stringify([state.rows, state.falling, state.ghost, state.hint, state.queue, state.hold, this.palette,
      this.outlines, this.edited, this.cursor, this.cell, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches]);
    if (key === this.key) return;
    this.key = key;
    const [rows, columns] = this.size();
    const context = scaled(this.canvas, columns * this.cell, (rows + this.headroom) * this.cell);
    this.background(context, rows, columns);
    if (this.edited) {
      this.drawEdited(context, rows);
    } else {
      this.drawStack(context, rows);
      this.drawPieces(context, rows);
    }
    this.drawSide(state);
  }

  /** @param {CanvasRenderingContext2D} context @param {number} rows @param {number} columns */
  background(context, rows, columns) {
    const { cell } = this;
    context.fillStyle = css('--well');
    context.fillRect(0, this.headroom * cell, columns * cell, rows * cell);
    context.fillStyle = css('--cell');
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        context.fillRect(column * cell + 0.5, (row + this.headroom) * cell + 0.5, cell - 1, cell - 1);
      }
    }
  }

  /** @param {string} letter */
  colour(letter) {
    const colours = /** @type {Record<string, string>} */ (COLOURS[/** @type {'safe'} */ (this.palette)] ?? COLOURS.standard);
    return colours[letter] ?? css('--stack');
  }

  /**
   * @param {CanvasRenderingContext2D} context @param {number} rows @param {number} row from the bottom
   * @param {number} column @param {string} letter
   */
  fill(context, rows, row, column, letter) {
    const { cell } = this;
    const x = column * cell;
    const y = (rows + this.headroom - 1 - row) * cell;
    if (y < 0) return;
    context.fillStyle = this.colour(letter);
    context.fillRect(x + 0.5, y + 0.5, cell - 1, cell - 1);
    context.fillStyle = 'rgba(255,255,255,.22)';
    context.fillRect(x + 0.5, y + 0.5, cell - 1, Math.max(1, cell * 0.12));
    if (this.palette === 'safe' && letter !== '#' && cell >= 12) {
      context.fillStyle = '#000';
      context.font = `bold ${Math.floor(cell * 0.6)}px sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(letter, x + cell / 2, y + cell / 2 + 1);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} rows */
  drawStack(context, rows) {
    const all = this.state?.rows ?? [];
    for (let row = 0; row < Math.min(rows + this.headroom, all.length); row++) {
      const text = all[all.length - 1 - row];
      for (let column = 0; column < text.length; column++) {
        if (text[column] !== '.') this.fill(context, rows, row, column, text[column]);
      }
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} rows */
  drawPieces(context, rows) {
    const state = this.state;
    if (!state) return;
    if (state.ghost) this.outline(context, rows, state.ghost.cells, this.colour(state.ghost.piece), 1.5);
    if (state.falling) for (const [row, column] of state.falling.cells) this.fill(context, rows, row, column, state.falling.piece);
    if (state.hint) this.outline(context, rows, state.hint.cells, css('--focus'), 3);
    for (const outline of [...this.outlines].reverse()) {
      this.outline(context, rows, outline.cells, css('--ink'), outline.strong ? 2.5 : 1);
      if (!outline.label) continue;
      const [row, column] = outline.cells.reduce((a, b) => (b[0] > a[0] ? b : a));
      context.font = `bold ${Math.max(9, Math.floor(this.cell * 0.5))}px sans-serif`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillStyle = css('--ink');
      context.fillText(outline.label, (column + 0.5) * this.cell, (rows + this.headroom - 0.5 - row) * this.cell);
    }
  }

  /**
   * The edge around cells.
   * @param {CanvasRenderingContext2D} context @param {number} rows @param {[number, number][]} cells
   * @param {string} colour @param {number} width
   */
  outline(context, rows, cells, colour, width) {
    const { cell } = this;
    const has = (/** @type {number} */ row, /** @type {number} */ column) => cells.some(([r, c]) => r === row && c === column);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const [row, column] of cells) {
      const [x, y] = [column * cell, (rows + this.headroom - 1 - row) * cell];
      const inner = width / 2;
      if (!has(row + 1, column)) line(context, x, y + inner, x + cell, y + inner);
      if (!has(row - 1, column)) line(context, x, y + cell - inner, x + cell, y + cell - inner);
      if (!has(row, column - 1)) line(context, x + inner, y, x + inner, y + cell);
      if (!has(row, column + 1)) line(context, x + cell - inner, y, x + cell - inner, y + cell);
    }
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context @param {number} rows */
  drawEdited(context, rows) {
    this.edited?.forEach((cells, row) => cells.forEach((filled, column) => {
      if (filled) this.fill(context, rows, row, column, '#');
    }));
    this.outline(context, rows, [this.cursor], css('--focus'), 3);
  }

  /** Hold and next pieces. @param {import('./session.js').BoardState} state */
  drawSide(state) {
    const shown = [...(state.hold ? [state.hold] : []), ...state.queue.slice(0, 6)];
    this.side.hidden = shown.length === 0;
    if (shown.length === 0) return;
    const small = Math.max(6, Math.round(this.cell * 0.55));
    const height = shown.length * 3 * small + 34;
    const context = scaled(this.side, 4.5 * small + 4, height);
    context.font = '12px sans-serif';
    context.fillStyle = css('--soft');
    let y = 12;
    const piece = (/** @type {string} */ letter) => {
      context.fillStyle = this.colour(letter);
      for (const [row, column] of SHAPES[letter] ?? []) context.fillRect(column * small + 0.5, y + (1 - row) * small + 0.5, small - 1, small - 1);
      y += 3 * small;
    };
    if (state.hold) {
      context.fillText('hold', 0, y);
      y += 5;
      piece(state.hold);
    }
    context.fillStyle = css('--soft');
    if (state.queue) {
      context.fillText('next', 0, y + 2);
      y += 8;
      for (const letter of state.queue.slice(0, 6)) piece(letter);
    }
    const words = `${state.hold ? `hold ${state.hold}; ` : ''}next ${state.queue || 'unknown'}`;
    this.side.setAttribute('aria-label', words);
  }

  /**
   * The cell under a pointer: row from the bottom, column.
   * @param {PointerEvent} event
   * @returns {[number, number] | null}
   */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [rows, columns] = this.size();
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = rows + this.headroom - 1 - Math.floor(((event.clientY - box.top) / box.height) * (rows + this.headroom));
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  }

  /**
   * Chooses the size of a cell so that the board fits.
   * @param {number} width @param {number} height
   */
  fit(width, height) {
    this.cell = this.cellFor(width, height);
    this.key = '';
    this.draw();
  }

  /**
   * The size of a cell with which the board and its next pieces fit.
   * @param {number} width @param {number} height
   */
  cellFor(width, height) {
    const [rows, columns] = this.size();
    const hasSide = this.state?.hold || this.state?.queue;
    const cell = Math.floor(Math.min((width - 2) / (columns + (hasSide ? 3 : 0)), height / (rows + this.headroom)));
    return Math.max(5, Math.min(LARGEST, cell));
  }
}

/** @param {HTMLElement} element @param {string} text */
function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A canvas of a size in CSS pixels, with a context in the same units.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height
 * @returns {CanvasRenderingContext2D}
 */
export function scaled(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} toX @param {number} toY */
function line(context, x, y, toX, toY) {
  context.moveTo(x, y);
  context.lineTo(toX, toY);
}
