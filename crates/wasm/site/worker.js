// The laboratory in a worker: requests of the page in, answers and events out. The first message is
// the compiled program; after it, requests are answered one after the other.
// @ts-check

/** @type {any} */
let program = null;
/** @type {any[]} */
const early = [];

/** @param {number} at @param {number} length */
function textAt(at, length) {
  return new TextDecoder().decode(new Uint8Array(program.memory.buffer, at, length));
}

/** @param {string} request */
function answer(request) {
  const bytes = new TextEncoder().encode(request);
  const at = program.make_room(bytes.length);
  new Uint8Array(program.memory.buffer, at, bytes.length).set(bytes);
  const length = program.answer();
  return textAt(program.answer_text(), length);
}

/** @param {{ number: number, request: string }} asked */
function handle({ number, request }) {
  try {
    postMessage({ number, answer: answer(request) });
  } catch (error) {
    postMessage({ number, failed: String(error) });
  }
}

const imports = {
  page: {
    now: () => performance.now(),
    report: (/** @type {number} */ at, /** @type {number} */ length) => postMessage({ event: textAt(at, length) }),
  },
};

/**
 * Puts tables where the program has their first bytes, and zeros behind them.
 * @param {Uint8Array} tables
 */
function load(tables) {
  const memory = new Uint8Array(program.memory.buffer);
  const isHere = (/** @type {number} */ at) => {
    for (let index = 0; index < 96; index++) {
      if (memory[at + index] !== (index < 64 ? tables[index] : 0)) return false;
    }
    return true;
  };
  let at = memory.indexOf(tables[0]);
  while (at >= 0 && !isHere(at)) at = memory.indexOf(tables[0], at + 1);
  if (at >= 0) memory.set(tables, at);
}

onmessage = async ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    program = (await WebAssembly.instantiate(data, imports)).exports;
    program.begin();
    early.splice(0).forEach((one) => (one.tables ? load(one.tables) : handle(one)));
  } else if (program) {
    if (data.tables) load(data.tables);
    else handle(data);
  } else {
    early.push(data);
  }
};
