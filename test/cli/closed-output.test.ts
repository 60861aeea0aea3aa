import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { findFreePort, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { MAIN, runToEnd } from './serve-process.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

function start(...args: readonly string[]): { running: ChildProcess; exitCode: Promise<number | null> } {
  const running = spawn(process.execPath, [MAIN, ...args], { stdio: 'pipe' });
  child = running;
  return { running, exitCode: new Promise((resolve) => running.once('exit', resolve)) };
}

/** Starts `waygate serve` and resolves when it responds; its output is not read. */
async function startGateway(port: number): Promise<ReturnType<typeof start>> {
  const started = start('serve', '--port', String(port), '--site', await unreachableOrigin());
  await waitUntilHealthy(port);
  return started;
}

function waitUntilHealthy(port: number): Promise<void> {
  return waitUntil(() =>
    fetch(`http://127.0.0.1:${port}/-/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

test('serve stops on SIGTERM when the readers of stdout and stderr are gone', async () => {
  const port = await findFreePort();
  const { exitCode, running } = await startGateway(port);
  running.stdout?.destroy();
  running.stderr?.destroy();
  for (let time = 0; time < 3; time += 1) await (await fetch(`http://127.0.0.1:${port}/x`)).text();
  running.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('serve stops on SIGTERM when the reader of its output does not read', async () => {
  const port = await findFreePort();
  const { exitCode, running } = await startGateway(port);
  // More lines than a pipe holds. The `cause` of a line is short, so the path is long.
  const path = `/${'x'.repeat(6_000)}`;
  for (let time = 0; time < 60; time += 1) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  running.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('a command goes on when the reader of its messages is gone', async () => {
  const { exitCode, running } = start('generate', await unreachableOrigin());
  running.stderr?.destroy();
  expect(await exitCode).toBe(3);
});

test('a closed standard output is not an error', async () => {
  expect(await runToEnd(['serve', '--help-config'], {}, (running) => running.stdout?.destroy())).toEqual({
    code: 0,
    text: '',
  });
});

test('a full disk is an error of the output, and none of the messages', async () => {
  const full = openSync('/dev/full', 'w');
  const run = (args: readonly string[], stdio: readonly (number | 'pipe')[]): Promise<unknown> => {
    child = spawn(process.execPath, [MAIN, ...args], { stdio: [...stdio] });
    const { stderr } = child;
    let text = '';
    stderr?.on('data', (data) => (text += data));
    return new Promise((resolve) => child?.once('close', (code) => resolve([code, text])));
  };
  const message = 'waygate: cannot write the output: ENOSPC: no space left on device, write\n';
  expect(await run(['serve', '--help-config'], ['pipe', full, 'pipe'])).toEqual([2, message]);
  expect(await run(['check', 'none.yaml'], ['pipe', 'pipe', full])).toEqual([2, '']);
});

test('serve goes on when its log and its messages are on a full disk', async () => {
  const port = await findFreePort();
  const full = openSync('/dev/full', 'w');
  const args = ['serve', '--port', String(port), '--site', await unreachableOrigin()];
  child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', full, full] });
  await waitUntilHealthy(port);
  for (let time = 0; time < 3; time += 1) await (await fetch(`http://127.0.0.1:${port}/x`)).text();
  const exitCode = new Promise((resolve) => child?.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('a command that may open too few files says so in one line', async () => {
  const site = ['--site', await unreachableOrigin()];
  const args = ['-c', 'ulimit -n 40 && exec "$0" "$@"', process.execPath, MAIN, 'serve', ...site];
  child = spawn('sh', args, { stdio: 'pipe' });
  let text = '';
  child.stderr?.on('data', (data) => (text += data));
  const code = await new Promise((resolve) => child?.once('close', resolve));
  expect([code, text]).toEqual([2, expect.stringMatching(/^waygate: EMFILE: .+ \(ulimit -n\)\n$/)]);
});
