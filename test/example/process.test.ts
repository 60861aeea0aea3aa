import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

/** The command that `npm start` runs. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const MEBIBYTE = 1024 * 1024;

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** Starts the process with options of Node, and resolves with the URL of the gateway when the greeting is complete. */
function start(
  ...nodeOptions: readonly string[]
): Promise<{ readonly running: ChildProcess; readonly origin: string }> {
  const running = spawn(process.execPath, [...nodeOptions, MAIN, 'example', '--port', '0'], {
    stdio: 'pipe',
  });
  child = running;
  let output = '';
  return new Promise((resolve, reject) => {
    running.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C'))
        resolve({ running, origin: /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '' });
    });
    running.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
}

/** The resident memory of a process, in bytes. */
function residentBytes(pid: number | undefined): number {
  const [, kibibytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

// The test needs /proc to read the memory of a process. An idle process keeps its young generation, whose size depends on
// the version of V8: 32 MB more with Node 24 than with Node 20. With a fixed size, the memory is what the process needs.
test.skipIf(!existsSync('/proc/self/status'))(
  'both sites and the gateway idle in one process of less than 150 MB',
  async () => {
    const { running } = await start('--max-semi-space-size=8');
    await wait(3000);
    expect(residentBytes(running.pid)).toBeLessThan(150 * MEBIBYTE);
  },
  40_000,
);

test('SIGINT ends the process with 0, during requests and with open connections', async () => {
  const { running, origin } = await start();
  const statusPromises = Array.from({ length: 20 }, async (_, page) => {
    const response = await fetch(`${origin}/content/core/v2/posts?per_page=10&page=${page + 1}`);
    await response.text();
    return response.status;
  });
  const ended = new Promise((resolve) => running.once('exit', (code) => resolve(code)));
  await statusPromises[0];
  running.kill('SIGINT');
  // Running requests get a response; later ones cannot connect.
  const statuses = await Promise.all(statusPromises.map((status) => status.catch(() => 'no response')));
  for (const status of statuses) expect([200, 400, 503, 'no response']).toContain(status);
  expect(await ended).toBe(0);
}, 40_000);
