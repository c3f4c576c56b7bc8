// The static demo in headless Chromium: DEMO is its folder, TETROLAB the program it must agree with.
// A plain web server serves it under a path, without special headers. With SHOTS set, screenshots are
// written to that folder; with QUIET set, the speed is asserted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM, findings } from './tools.mjs';

const program = process.env.TETROLAB;
const demo = process.env.DEMO;
const shots = process.env.SHOTS;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const folder = mkdtempSync(join(tmpdir(), 'tetrolab-demo-'));
const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
let browser;
let server;
let root;
let sent = 0;

before(async () => {
  server = createServer((request, answer) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/^\/some\/path\//, '');
    try {
      const file = normalize(path === '' ? 'index.html' : path);
      const bytes = readFileSync(join(demo, file));
      sent += bytes.length;
      answer.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
      answer.end(bytes);
    } catch {
      answer.writeHead(404);
      answer.end();
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  root = `http://127.0.0.1:${server.address().port}/some/path/`;
  browser = await chromium.launchPersistentContext(profile, {
    ...CHROMIUM,
    acceptDownloads: true,
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(profile, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

async function open(path, [width, height] = [1440, 900]) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const problems = [];
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(root) && !url.startsWith('data:') && !url.startsWith('blob:')) problems.push(`request: ${url}`);
  });
  await page.setViewportSize({ width, height });
  await page.goto(root + path);
  return { page, problems };
}

const until = (page, condition, value) => page.waitForFunction(condition, value, { timeout: 120_000 });

for (const [path, name] of [['', 'watch'], ['compare.html', 'compare'], ['learn.html', 'learn'], ['features.html', 'features']]) {
  test(`${name} opens under a path, and little is transferred`, async () => {
    sent = 0;
    const { page, problems } = await open(path);
    await page.waitForLoadState('networkidle');
    if (name === 'watch') await until(page, () => window.tetrolabSession?.state?.boards[0].pieces >= 2);
    else await page.locator({ compare: '#standings table', learn: '#plan details', features: '#list tbody tr' }[name]).first().waitFor();
    assert.ok(sent > 10_000 && sent <= 3_000_000, `${sent} bytes`);
    console.log(`${name}: ${sent} bytes`);
    assert.equal(await page.locator('.bar nav a').count(), 4);
    if (shots) await page.screenshot({ path: join(shots, `demo-${name}.png`), fullPage: true });
    assert.deepEqual(await findings(page), []);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

// The placements of a game, by the program and by the page.
for (const [player, pieces, ruleset] of [['bcts', 10_000, 'simplified-10x20'], ['wary-10', 2_000, 'simplified-10x10'], ['wary-20', 500, 'simplified-10x20']]) {
  test(`${player} plays the same ${pieces} pieces as eval`, async () => {
    const file = join(folder, `${player}.jsonl`);
    execFileSync(program, ['eval', player, '--ruleset', ruleset, '--games', '1', '--max-pieces', String(pieces), '--seed', '7', '--record', file]);
    const expected = JSON.parse(readFileSync(file, 'utf8').split('\n')[0]);
    sent = 0;
    const { page, problems } = await open(`#ruleset=${ruleset}&player=${player}&seed=7`);
    await until(page, () => window.tetrolabSession?.state);
    const record = await page.evaluate(async (wanted) => {
      const session = window.tetrolabSession;
      await session.request({ do: [{ action: 'restart' }, { action: 'pause', on: true }] });
      const steps = Array.from({ length: 250 }, () => ({ action: 'step' }));
      for (let done = 0; done < wanted; done += 250) await session.request({ do: steps });
      return (await session.records()).split('\n')[0];
    }, pieces);
    const played = JSON.parse(record);
    if (player !== 'wary-20') assert.ok(sent <= 3_000_000, `${sent} bytes`);
    assert.equal(played.pieces, expected.pieces);
    assert.equal(played.lines, expected.lines);
    assert.deepEqual(played.placements, expected.placements);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('full speed is fast', async () => {
  const { page, problems } = await open('#ruleset=simplified-10x20&player=bcts&seed=1');
  await until(page, () => window.tetrolabSession?.state);
  const rate = await page.evaluate(async () => {
    const session = window.tetrolabSession;
    await session.request({ do: [{ action: 'restart' }, { action: 'speed', factor: 'full' }] });
    const from = session.state.boards[0].pieces;
    const began = performance.now();
    while (performance.now() - began < 3000) await session.request({ do: [{ action: 'time', milliseconds: 16 }] });
    return (session.state.boards[0].pieces - from) / (performance.now() - began) * 1000;
  });
  console.log(`${Math.round(rate)} decisions per second`);
  assert.ok(rate > (process.env.QUIET ? 100_000 : 1000), `${rate} decisions per second`);
  assert.deepEqual(problems, []);
  await page.close();
});

test('players are compared, and the command gives the same digits', async () => {
  const { page, problems } = await open('compare.html');
  await page.locator('#ruleset').fill('simplified-6x8');
  await page.locator('#games').fill('300');
  await page.locator('#seed').fill('18446744073709551615');
  await page.locator('#form button[type=submit]').click();
  await page.locator('#status', { hasText: 'Done.' }).waitFor();
  const means = await page.locator('#table [data-exact]').evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.exact)));
  const command = await page.locator('#command code').textContent();
  assert.equal(command, 'tetrolab eval dellacherie bcts dt-10 --ruleset simplified-6x8 --games 300 --seed 18446744073709551615');
  const { results } = JSON.parse(execFileSync(program, [...command.split(' ').slice(1), '--json'], { cwd: folder }));
  assert.deepEqual(means, results.map((row) => row.lines.mean));
  assert.deepEqual(problems, []);
  await page.close();
});

test('a player learns in the page as on the command line, survives a reload and plays', async () => {
  const { page, problems } = await open('learn.html');
  await page.locator('#learner').selectOption('cma-es');
  await page.locator('#game-box summary').click();
  await page.locator('#field-ruleset').fill('simplified-6x8');
  await page.locator('#field-games').fill('3');
  await page.locator('#generations').fill('20');
  await page.locator('#form button[type=submit]').click();
  await page.locator('#status', { hasText: 'Finished' }).waitFor();
  await page.locator('#curve svg').waitFor();
  const command = await page.locator('#command code').textContent();
  await page.reload();
  await page.locator('#status', { hasText: 'Finished' }).waitFor();
  const waiting = page.waitForEvent('download');
  await page.locator('#files a', { hasText: 'player.toml' }).click();
  const file = join(folder, 'learned.toml');
  await (await waiting).saveAs(file);
  execFileSync('sh', ['-c', `"$0" ${command.slice('tetrolab '.length)} --test-games 1 --quiet`, program], { cwd: folder });
  const [own] = execFileSync('sh', ['-c', 'ls -d runs/*/'], { cwd: folder }).toString().trim().split('\n');
  assert.equal(readFileSync(file, 'utf8'), readFileSync(join(folder, own, 'player.toml'), 'utf8'));
  await page.locator('#files a', { hasText: 'Watch' }).click();
  await until(page, () => window.tetrolabSession?.state?.boards[0].pieces >= 2);
  if (shots) await page.screenshot({ path: join(shots, 'demo-learned.png') });
  assert.deepEqual(problems, []);
  await page.close();
});

test('danger-quick learns in the page, and is stopped', async () => {
  const { page, problems } = await open('learn.html');
  await page.locator('#plan details').waitFor();
  await page.locator('#form button[type=submit]').click();
  await page.locator('#status', { hasText: 'Generation' }).waitFor({ timeout: 300_000 });
  await page.locator('#curve svg').waitFor();
  await page.locator('#stop').click();
  await page.locator('#status', { hasText: 'Stopped after' }).waitFor();
  if (shots) await page.screenshot({ path: join(shots, 'demo-danger.png'), fullPage: true });
  assert.deepEqual(problems, []);
  await page.close();
});
