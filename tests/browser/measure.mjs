// Measures the pages and the server of `tetrolab serve` against their targets: TETROLAB is a release
// build, on an idle machine.
//   TETROLAB=target/release/tetrolab npm --prefix tests/browser run measure
// With ASSETS set, the pages are those of that folder. Prints a line for each measurement; the exit
// code is 1 if one misses its target.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, killServer, startServer } from './tools.mjs';

const program = resolve(process.env.INIT_CWD ?? '.', process.env.TETROLAB ?? '');
const folder = mkdtempSync(join(tmpdir(), 'tetrolab-measure-'));
const assets = process.env.ASSETS ? ['--assets', resolve(process.env.INIT_CWD ?? '.', process.env.ASSETS)] : [];
const PAGES = ['', 'compare', 'learn', 'experiments', 'features'];
let missed = 0;

function report(what, value, unit, holds, target) {
  if (!holds) missed += 1;
  const digits = value < 10 ? 2 : 0;
  console.log(`${holds ? 'ok    ' : 'MISSED'} ${what}: ${value.toFixed(digits)} ${unit} (${target})`);
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

// Starts a server; its address, the time until it answers, and a way to end it.
async function serve() {
  const began = performance.now();
  const { server, root } = await startServer(program, ['--port', '0', '--lab', 'runs', ...assets], folder);
  await (await fetch(root)).text();
  const took = performance.now() - began;
  const end = () => killServer(server);
  return { root, took, end, pid: server.pid };
}

async function measureStart() {
  const times = [];
  for (let count = 0; count < 5; count++) {
    const { took, end } = await serve();
    times.push(took);
    await end();
  }
  const longest = Math.max(...times);
  report('start until the first page is answered, longest of 5', longest, 'ms', longest < 1000, 'under 1,000');
}

async function measurePages(browser, root) {
  for (const path of PAGES) {
    const ready = [];
    let bytes = 0;
    for (let count = 0; count < 5; count++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      bytes = 0;
      page.on('response', async (response) => { bytes += (await response.body().catch(() => '')).length; });
      await page.goto(root + path);
      await page.waitForFunction(() => performance.getEntriesByName('ready').length > 0);
      ready.push(await page.evaluate(() => performance.getEntriesByName('ready')[0].startTime));
      await page.waitForLoadState('networkidle');
      await context.close();
    }
    const longest = Math.max(...ready);
    report(`/${path} ready, longest of 5 first visits`, longest, 'ms', longest < 1000, 'under 1,000');
    report(`/${path} transferred`, bytes / 1000, 'kB', bytes > 1000 && bytes < 300_000, 'under 300');
  }
}

// Frames per second of the last seconds, and the 99th percentile of the frame time.
async function frames(page, seconds) {
  await page.evaluate(() => { window.tetrolabSession.frames.length = 0; });
  await pause(1000 * seconds);
  return page.evaluate(() => {
    const times = window.tetrolabSession.frames;
    const steps = times.slice(1).map((time, index) => time - times[index]).sort((a, b) => a - b);
    return { rate: (1000 * steps.length) / (times.at(-1) - times[0]), slow: steps[Math.floor(0.99 * (steps.length - 1))] };
  });
}

async function measureFrames(browser, root) {
  for (const [boards, query] of [[1, 'player=bcts'], [2, 'player=bcts&player=wary-20'], [4, 'player=bcts&player=dellacherie&player=dt-10&player=thesis-8']]) {
    const page = await browser.newPage();
    await page.goto(`${root}#ruleset=simplified-10x20&seed=6&${query}`);
    await page.waitForFunction(() => window.tetrolabSession?.state?.boards[0].pieces >= 2);
    for (const [speed, name, least] of [['0', 'normal speed', 58], ['8', '256 times the speed', 30]]) {
      await page.locator('#speed').fill(speed);
      await pause(1000);
      const { rate, slow } = await frames(page, 5);
      const pieces = await page.evaluate(() => window.tetrolabSession.state.boards[0].pieces_per_second);
      report(`frames at ${name}, ${boards} board(s), ${Math.round(pieces)} pieces/s each, 99 % within ${slow.toFixed(1)} ms`, rate, 'per second', rate >= least, `at least ${least}`);
    }
    await page.close();
  }
}

// Pieces per second of a page at full speed, next to those of `eval --no-kernel` on one thread.
async function measureFullSpeed(browser, root) {
  const command = ['eval', 'bcts', '--ruleset', 'simplified-10x20', '--games', '1', '--max-pieces', '2000000', '--no-kernel', '--threads', '1', '--seed', '1', '--json'];
  const rates = [];
  for (let count = 0; count < 3; count++) {
    const { results: [row] } = JSON.parse(execFileSync(program, command, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }));
    rates.push(row.decisions_per_second);
  }
  const page = await browser.newPage();
  await page.goto(`${root}#ruleset=simplified-10x20&seed=1&player=bcts`);
  await page.waitForFunction(() => window.tetrolabSession?.state?.boards[0].pieces >= 2);
  await page.locator('#speed').fill('11');
  await pause(1000);
  const count = () => page.evaluate(() => [performance.now(), window.tetrolabSession.state.boards[0].pieces]);
  const [from, first] = await count();
  await pause(5000);
  const [to, last] = await count();
  await page.close();
  const rate = (1000 * (last - first)) / (to - from);
  report(`full speed, ${Math.round(rate).toLocaleString('en')} pieces/s, part of eval --no-kernel (${Math.round(median(rates)).toLocaleString('en')})`, rate / median(rates), '', rate >= median(rates) / 2, 'at least 0.5');
}

function memory(pid) {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
  return Number(line?.[1]) / 1024;
}

// Memory of sessions whose boards have reached their limits (docs/how-to/use-the-browser.md).
async function measureMemory() {
  const SESSIONS = 8;
  for (const [ruleset, most, pieces] of [['simplified-10x20', 8, 1_050_000], ['guideline', 15, 150_000]]) {
    const { root, end, pid } = await serve();
    const before = memory(pid);
    const play = async (seed) => {
      const socket = new WebSocket(`${root.replace('http', 'ws')}api/session`);
      await new Promise((open) => { socket.onopen = open; });
      const ask = (message) => new Promise((answer) => {
        socket.onmessage = ({ data }) => answer(JSON.parse(data));
        socket.send(JSON.stringify(message));
      });
      await ask({ start: { ruleset, players: ['bcts'], person: false, seed } });
      await ask({ do: [{ action: 'speed', factor: 'full' }] });
      let state = await ask({ do: [{ action: 'time', milliseconds: 16 }] });
      const until = performance.now() + 60_000;
      while (state.boards[0].pieces < pieces && !state.over && performance.now() < until) state = await ask({ do: [{ action: 'time', milliseconds: 16 }] });
      return { pieces: state.boards[0].pieces, socket };
    };
    const played = await Promise.all(Array.from({ length: SESSIONS }, (_, seed) => play(seed)));
    const each = (memory(pid) - before) / SESSIONS;
    report(`memory of a session, ${ruleset}, after ${Math.min(...played.map((one) => one.pieces)).toLocaleString('en')} pieces or more`, each, 'MB', each < most, `documented: under ${most}`);
    played.forEach(({ socket }) => socket.close());
    await end();
  }
}

const parts = process.argv.slice(2);
const wanted = (name) => parts.length === 0 || parts.includes(name);
try {
  if (wanted('start')) await measureStart();
  const server = await serve();
  const browser = await chromium.launch(CHROMIUM);
  if (wanted('pages')) await measurePages(browser, server.root);
  if (wanted('frames')) await measureFrames(browser, server.root);
  if (wanted('speed')) await measureFullSpeed(browser, server.root);
  await browser.close();
  await server.end();
  if (wanted('memory')) await measureMemory();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
