// Opens reports in headless Chromium as a reader would: every plot is visible, nothing is loaded
// from elsewhere, nothing is written to the console, axe-core has no serious finding, and the page
// fits a phone and a wide window, light and dark. The folder with the pages is PAGES; with SHOTS
// set, screenshots are written to that folder.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './tools.mjs';

const folder = process.env.PAGES ?? 'pages';
const shots = process.env.SHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
const windows = [[390, 844], [1440, 900]];
const schemes = ['light', 'dark'];
let browser;
let profile;
let pairs = 0;

before(async () => {
  profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  browser = await chromium.launchPersistentContext(profile, CHROMIUM);
});

after(async () => {
  await browser?.close();
  rmSync(profile, { recursive: true, force: true });
});

// Opens a page and collects its requests and console messages.
async function open(name, [width, height], colorScheme) {
  const page = await browser.newPage();
  const problems = [];
  page.on('console', (message) => problems.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith('file:') && !url.startsWith('data:')) problems.push(`request: ${url}`);
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(pathToFileURL(join(folder, name)).href);
  return { page, problems };
}

test('there are pages to test', () => {
  assert.ok(pages.length >= 4, pages.join(', '));
});

for (const name of pages) {
  test(`${name} is smaller than 2 MB`, () => {
    assert.ok(statSync(join(folder, name)).size < 2_000_000);
  });

  for (const size of windows) {
    for (const scheme of schemes) {
      test(`${name} at ${size[0]} px, ${scheme}`, async () => {
        const { page, problems } = await open(name, size, scheme);
        const layout = await page.evaluate(() => ({
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          plots: [...document.querySelectorAll('svg')].map((svg) => {
            const { width, height } = svg.getBoundingClientRect();
            return { title: svg.querySelector('title').textContent, width, height };
          }),
          texts: [...document.querySelectorAll('svg.plot text')].map((text) => {
            const scale = text.ownerSVGElement.getScreenCTM().a;
            return parseFloat(getComputedStyle(text).fontSize) * scale;
          }),
          pairs: [...document.querySelectorAll('.text-and-plot')].map((pair) => {
            const [words, plot] = [...pair.children].map((child) => child.getBoundingClientRect());
            return { sideBySide: plot.left >= words.right, below: plot.top >= words.bottom };
          }),
          paper: getComputedStyle(document.body).backgroundColor,
        }));
        assert.equal(layout.wide, 0, 'the page does not scroll sideways');
        for (const pair of layout.pairs) {
          assert.ok(size[0] > 1000 ? pair.sideBySide : pair.below, 'text next to its plot, or above it');
        }
        pairs += layout.pairs.length;
        for (const plot of layout.plots) {
          assert.ok(plot.width > 100 && plot.height > 100, JSON.stringify(plot));
        }
        const smallest = Math.min(...layout.texts, 99);
        assert.ok(smallest >= 9, `texts of plots can be read: ${smallest} px`);
        const light = Number(layout.paper.match(/\d+/)[0]) > 128;
        assert.equal(light, scheme === 'light', layout.paper);
        if (shots) {
          const shot = `${name.replace('.html', '')}-${size[0]}-${scheme}.png`;
          await page.screenshot({ path: join(shots, shot), fullPage: true });
        }
        await page.evaluate(axe);
        const found = await page.evaluate(() => axe.run(document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
        }));
        const bad = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
        const said = bad.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html)}`);
        assert.deepEqual(said, []);
        assert.deepEqual(problems, []);
        await page.close();
      });
    }
  }
}

test('some plots have text next to them', () => {
  assert.ok(pairs > 0);
});

test('a game is replayed by keyboard and by the clock', async () => {
  const { page, problems } = await open('bcts.html', windows[1], 'light');
  const output = page.locator('.replay output');
  const at = async () => Number((await output.textContent()).match(/piece (\d+)/)[1]);
  assert.equal(await at(), 30);
  await page.locator('.replay input').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await at(), 31);
  await page.keyboard.press('Home');
  assert.equal(await at(), 0);
  const filled = () => page.locator('.replay rect[data-cell]:not(.empty)').count();
  assert.equal(await filled(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await filled(), 4);
  await page.getByRole('button', { name: 'Play' }).focus();
  await page.locator('.replay select').selectOption('60');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => Number(document.querySelector('.replay input').value) > 10);
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = await at();
  await page.getByRole('button', { name: 'One piece back' }).click();
  assert.equal(await at(), paused - 1);
  // Scrubbing to the end and back shows the same board.
  const board = () => page.locator('.replay svg').evaluate((svg) => svg.innerHTML);
  const before = await board();
  await page.locator('.replay input').focus();
  await page.keyboard.press('End');
  await page.locator('.replay input').fill(String(paused - 1));
  assert.equal(await board(), before);
  assert.deepEqual(problems, []);
  await page.close();
});

test('names and commands are shown on demand', async () => {
  const { page } = await open('bcts.html', windows[0], 'dark');
  const details = page.locator('details').first();
  await details.locator('summary').focus();
  await page.keyboard.press('Enter');
  assert.ok(await details.locator('code').isVisible());
  assert.match(await details.locator('code').textContent(), /^tetrolab /);
  assert.ok(await page.locator('.plot .trace title').count() > 0);
  await page.close();
});
