import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { unreachableOrigin } from '../support/echo-site.ts';
import { MAIN, waitUntil } from './serve-process.ts';

let child: ChildProcess | undefined;
let server: Server | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  server?.close();
});

async function listen(): Promise<number> {
  const listening = createServer();
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function findFreePort(): Promise<number> {
  const port = await listen();
  await new Promise((resolve) => server?.close(resolve));
  return port;
}

function start(...args: readonly string[]): { running: ChildProcess; exitCode: Promise<number | null> } {
  const running = spawn(process.execPath, [MAIN, ...args], { stdio: 'pipe' });
  child = running;
  return { running, exitCode: new Promise((resolve) => running.once('exit', resolve)) };
}

/** Starts `waygate serve` and resolves when it responds; its output is not read. */
async function startGateway(port: number): Promise<ReturnType<typeof start>> {
  const started = start('serve', '--port', String(port), '--site', await unreachableOrigin());
  await waitUntil(() =>
    fetch(`http://127.0.0.1:${port}/-/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return started;
}

test.each(['stdout', 'stderr', 'both'])(
  'serve stops on SIGTERM when the reader of %s is gone',
  async (closed) => {
    const port = await findFreePort();
    const { exitCode, running } = await startGateway(port);
    if (closed !== 'stderr') running.stdout?.destroy();
    if (closed !== 'stdout') running.stderr?.destroy();
    for (let time = 0; time < 3; time += 1) await (await fetch(`http://127.0.0.1:${port}/x`)).text();
    running.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  },
);

test('serve stops on SIGTERM when the reader of its output does not read', async () => {
  const port = await findFreePort();
  const { exitCode, running } = await startGateway(port);
  // More lines than a pipe holds. The `cause` of a line is short, so the path is long.
  const path = `/${'x'.repeat(6_000)}`;
  for (let time = 0; time < 60; time += 1) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  running.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('serve exits when its port is in use, although a shared store cannot be reached', async () => {
  const port = await listen();
  const { exitCode } = start(
    ...['serve', '--port', String(port), '--site', await unreachableOrigin()],
    ...['--cache', 'redis://127.0.0.1:1'],
  );
  expect(await exitCode).toBe(2);
});

test('a command goes on when the reader of its messages is gone', async () => {
  const { exitCode, running } = start('generate', await unreachableOrigin());
  running.stderr?.destroy();
  expect(await exitCode).toBe(3);
});
