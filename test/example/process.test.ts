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

/** Starts the process with options of Node, and resolves when its greeting is complete. */
function start(...nodeOptions: readonly string[]): Promise<ChildProcess> {
  const running = spawn(process.execPath, [...nodeOptions, MAIN, 'example', '--port', '0'], {
    stdio: 'pipe',
  });
  child = running;
  let output = '';
  return new Promise((resolve, reject) => {
    running.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.includes('Ctrl-C')) resolve(running);
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
    const running = await start('--max-semi-space-size=8');
    await wait(3000);
    expect(residentBytes(running.pid)).toBeLessThan(150 * MEBIBYTE);
  },
  40_000,
);
