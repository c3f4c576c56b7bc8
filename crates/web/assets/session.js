// A session: actions and elapsed time in, the state of all boards out.
// @ts-check

import { openSession } from './transport.js';

/**
 * @typedef {{ piece: string, cells: [number, number][] }} DrawnPiece
 * @typedef {{ ruleset: string, player: string, rows: string[], visible_rows: number, falling: DrawnPiece | null,
 *   ghost: DrawnPiece | null, hint: DrawnPiece | null, queue: string, hold: string | null, lines: number,
 *   pieces: number, recorded_pieces: number | null, level: number | null, points: number | null, playing: boolean,
 *   dealing: string, waits_for_piece: boolean, undo: number, redo: number, moments: [number, number], pieces_per_second: number | null,
 *   risk: { text: string, share: number } | null, analysis: any }} BoardState
 * @typedef {{ paused: boolean, over: boolean, speed: string, seconds: number, game: number,
 *   boards: BoardState[] }} SessionState
 */

/** The longest time that one message reports: a page in the background does not catch up. */
const LONGEST = 250;

export class Session {
  /**
   * @param {(state: SessionState) => void} onState
   * @param {(sentence: string) => void} onError
   */
  constructor(onState, onError) {
    this.onState = onState;
    this.onError = onError;
    /** @type {SessionState | null} */
    this.state = null;
    /** @type {any[]} */
    this.actions = [];
    /** @type {((answer: any) => void)[]} */
    this.waiting = [];
    /** @type {{ send: (text: string) => void } | null} */
    this.socket = null;
    this.last = 0;
    /** Whether there is a state that has not been passed on. */
    this.isNew = false;
    /** Time of frames, for measurements. @type {number[]} */
    this.frames = [];
    const frame = (/** @type {number} */ now) => {
      this.frame(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** Connects, if there is no connection. */
  async connect() {
    if (this.socket) return;
    this.waiting = [];
    const socket = await openSession((text) => this.receive(JSON.parse(text)), () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.waiting.splice(0).forEach((resolve) => resolve({ error: 'the connection was closed' }));
      this.onError('The session has ended. Start begins a new game.');
    });
    this.socket = socket;
  }

  /**
   * Begins games.
   * @param {any} start
   */
  async start(start) {
    await this.connect();
    this.actions = [];
    return this.request({ start });
  }

  /** The games so far, one record for each line. */
  async records() {
    const answer = await this.request({ records: true });
    return answer.records;
  }

  /**
   * Sends a message; its answer is the state, or an error that is thrown.
   * @param {any} message
   */
  async request(message) {
    const answer = await new Promise((resolve) => {
      if (!this.socket) return resolve({ error: 'no game has started; Start begins one' });
      this.waiting.push(resolve);
      this.socket.send(JSON.stringify(message));
    });
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  /**
   * Queues actions, which are sent with the next frame.
   * @param {...any} actions
   */
  act(...actions) {
    this.actions.push(...actions);
  }

  /** @param {any} answer */
  receive(answer) {
    const resolve = this.waiting.shift();
    if (answer.boards) {
      this.state = answer;
      this.isNew = this.rushes();
      if (!this.isNew) this.onState(answer);
    } else if (answer.error) {
      this.onError(answer.error);
    }
    resolve?.(answer);
    if (this.rushes()) this.send(performance.now());
  }

  /** Whether games are played at full speed: the next message does not wait for the next frame. */
  rushes() {
    return !document.hidden && this.state?.speed === 'full' && !this.state.paused && !this.state.over;
  }

  /** @param {number} now */
  frame(now) {
    this.frames.push(now);
    if (this.frames.length > 600) this.frames.shift();
    if (this.isNew && this.state) {
      this.isNew = false;
      this.onState(this.state);
    }
    this.send(now);
  }

  /**
   * Sends the pending messages, unless an answer is outstanding.
   * @param {number} now
   */
  send(now) {
    const passed = Math.min(now - this.last, LONGEST);
    if (this.waiting.length > 0 || !this.socket || !this.state) return;
    const moves = !this.state.paused && !this.state.over;
    if (!moves && this.actions.length === 0) {
      this.last = now;
      return;
    }
    const actions = this.actions.splice(0, 200);
    const whole = Math.floor(passed);
    if (moves && whole > 0) {
      actions.push({ action: 'time', milliseconds: whole });
      this.last = now - (passed - whole);
    }
    if (actions.length > 0) {
      this.waiting.push(() => {});
      this.socket.send(JSON.stringify({ do: actions }));
    }
  }
}
