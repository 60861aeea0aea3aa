import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findFreePort, startServer, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { MAIN, runToEnd } from './serve-process.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

type Output = 'pipe' | number;

function start(args: readonly string[], output: Output = 'pipe') {
  const running = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', output, output] });
  child = running;
  return { running, exitCode: new Promise((resolve) => running.once('exit', resolve)) };
}

test.each<[what: string, requests: number, path: string, output?: Output]>([
  ['of which the readers are gone', 3, '/x'],
  // More lines than a pipe holds. The `cause` of a line is short, so the path is long.
  ['whose reader does not read', 60, `/${'x'.repeat(6_000)}`],
  ['on a full disk', 3, '/x', openSync('/dev/full', 'w')],
])('serve goes on with an output %s, and stops on SIGTERM', async (what, requests, path, output) => {
  const port = await findFreePort();
  const site = await unreachableOrigin();
  const { exitCode, running } = start(['serve', '--port', String(port), '--site', site], output);
  await waitUntil(() =>
    fetch(`http://127.0.0.1:${port}/-/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  if (what === 'of which the readers are gone') for (const stream of running.stdio) stream?.destroy();
  for (let time = 0; time < requests; time += 1)
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  running.kill('SIGTERM');
  expect(await exitCode).toBe(0);
});

test('a command goes on when the reader of its messages is gone', async () => {
  const { exitCode, running } = start(['generate', await unreachableOrigin()]);
  running.stderr?.destroy();
  expect(await exitCode).toBe(3);
});

test('a closed standard output is not an error', async () => {
  expect(await runToEnd(['config', 'schema'], {}, (running) => running.stdout?.destroy())).toEqual({
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
  expect(await run(['config', 'schema'], ['pipe', full, 'pipe'])).toEqual([2, message]);
  expect(await run(['check', 'none.yaml'], ['pipe', 'pipe', full])).toEqual([2, '']);
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

test('of 200 clients, those beyond the limit of open files are refused, and later ones are served', async () => {
  const port = await findFreePort();
  const site = await startServer((_, response) => void response.end('page'));
  const serve = ['serve', '--port', `${port}`, '--site', site.origin, '--discovery', 'off', '--passthrough'];
  const args = ['-c', 'ulimit -n 96 && exec "$0" "$@"', process.execPath, MAIN, ...serve];
  child = spawn('sh', args, { stdio: 'pipe' });
  let log = '';
  child.stdout?.on('data', (data) => (log += data));
  const url = `http://127.0.0.1:${port}`;
  const isServed = (): Promise<boolean> =>
    fetch(`${url}/a`, { headers: { Connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(isServed);
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
  const statuses = await Promise.all(sockets.map(readStatus));
  expect([...new Set(statuses)].sort()).toEqual(['200', 'no response']);
  for (const socket of sockets) socket.destroy();
  await waitUntil(isServed);
  await waitUntil(() => log.includes('"reason":"descriptors"'));
});

/** Sends a request on a connection that stays open, and reads the status of the response. */
function readStatus(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.on('error', () => resolve('no response')).on('close', () => resolve('no response'));
    socket.once('data', (data) => resolve(data.toString().slice(9, 12)));
    socket.write('GET /a HTTP/1.1\r\nHost: a\r\n\r\n');
  });
}
