// Shared by the tests and measurements in a browser.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The launch options of Chromium: works as root, makes no background requests. */
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
};

/** Starts `tetrolab serve` in a folder with these options: the process and its address. */
export async function startServer(program, options, cwd) {
  const server = spawn(program, ['serve', ...options], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const root = await new Promise((found, failed) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const address = text.match(/http:\S+/);
      if (address) found(address[0]);
    });
    server.on('exit', () => failed(new Error(`the server ended: ${text}`)));
  });
  server.removeAllListeners('exit');
  return { server, root };
}

/** Kills a server, as a power cut does, and waits until it is gone. */
export async function killServer(server) {
  const gone = new Promise((ended) => { server.once('exit', ended); });
  server.kill('SIGKILL');
  await gone;
}

/** The serious and critical findings of axe-core on a page, in each of these schemes. */
export async function findings(page, schemes = ['light', 'dark']) {
  const all = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    // The page's policy blocks script elements, so axe-core is evaluated directly.
    const found = await page.evaluate(`(() => { ${axe}; return axe.run(document); })()`);
    const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
    all.push(...serious.map((one) => `${colorScheme}: ${one.id}: ${one.nodes.map((node) => node.target).join(' ')}`));
  }
  return all;
}
