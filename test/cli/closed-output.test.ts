import { type SpawnOptions, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { runServer } from '../support/run.ts';
import { findFreePort, unreachableOrigin } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';
import { MAIN } from './serve-process.ts';

type Output = 'pipe' | number;

/** Starts the command, with a limit of open files if one is given. `end` is its exit code, and what it wrote to standard error. */
function start(args: readonly string[], [output, errors]: readonly Output[] = [], maxFiles?: number) {
  const command = [MAIN, ...args];
  const limited = ['-c', `ulimit -n ${maxFiles} && exec "$0" "$@"`, process.execPath, ...command];
  const options = { stdio: ['pipe', output ?? 'pipe', errors ?? 'pipe'] } satisfies SpawnOptions;
  const running =
    maxFiles === undefined ? spawn(process.execPath, command, options) : spawn('sh', limited, options);
  closeAfterTest(() => running.kill('SIGKILL'));
  let text = '';
  running.stderr?.on('data', (data) => (text += data));
  return { running, end: new Promise((resolve) => running.once('close', (code) => resolve([code, text]))) };
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url, { headers: { Connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

test.each<[what: string, requests: number, path: string, output?: Output]>([
  ['of which the readers are gone', 3, '/x'],
  // More lines than a pipe holds. The `cause` of a line is short, so the path is long.
  ['whose reader does not read', 60, `/${'x'.repeat(6_000)}`],
  ['on a full disk', 3, '/x', openSync('/dev/full', 'w')],
])('serve goes on with an output %s, and stops on SIGTERM', async (what, requests, path, output) => {
  const port = await findFreePort();
  const site = await unreachableOrigin();
  const outputs = output === undefined ? [] : [output, output];
  const { end, running } = start(['serve', '--port', String(port), '--site', site], outputs);
  await waitUntil(() => isServed(`http://127.0.0.1:${port}/-/health`));
  if (what === 'of which the readers are gone') for (const stream of running.stdio) stream?.destroy();
  for (let time = 0; time < requests; time += 1)
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  running.kill('SIGTERM');
  expect(await end).toEqual([0, expect.anything()]);
});

test('a command goes on when the reader of its messages is gone', async () => {
  const { end, running } = start(['health', await unreachableOrigin()]);
  running.stderr?.destroy();
  expect(await end).toEqual([1, '']);
});

test('a closed standard output is not an error', async () => {
  const { end, running } = start(['--help']);
  running.stdout?.destroy();
  expect(await end).toEqual([0, '']);
});

test('a full disk is an error of the output, and none of the messages', async () => {
  const full = openSync('/dev/full', 'w');
  const message = 'waygate: cannot write the output: ENOSPC: no space left on device, write\n';
  expect(await start(['--help'], [full]).end).toEqual([2, message]);
  expect(await start(['halp'], ['pipe', full]).end).toEqual([2, '']);
});

test('of 200 clients, those beyond the limit of open files are refused, and later ones are served', async () => {
  const port = await findFreePort();
  const site = await runServer((_, response) => void response.end('page'));
  const serve = ['serve', '--port', `${port}`, '--site', site.origin, '--discovery', 'off', '--passthrough'];
  const { running } = start(serve, [], 96);
  let log = '';
  running.stdout?.on('data', (data) => (log += data));
  const url = `http://127.0.0.1:${port}/a`;
  await waitUntil(() => isServed(url));
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'));
  const statuses = await Promise.all(sockets.map(readStatus));
  expect([...new Set(statuses)].sort()).toEqual(['200', 'no response']);
  for (const socket of sockets) socket.destroy();
  await waitUntil(() => isServed(url));
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

test('the alert for open files is reached by connections alone, in the same scrape', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  process.env['WAYGATE_ADMIN_TOKEN'] = 'a-token-of-the-tests';
  closeAfterTest(() => void delete process.env['WAYGATE_ADMIN_TOKEN']);
  start(['serve', '--port', String(port), '--site', await unreachableOrigin()], [], 1024);
  await waitUntil(() => isServed(`${url}/-/health`));
  const sockets = Array.from({ length: 723 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  closeAfterTest(() => {
    for (const socket of sockets) socket.destroy();
  });
  const rules = readFileSync(new URL('../../deploy/prometheus/waygate.rules.yaml', import.meta.url), 'utf8');
  const [, threshold] = /process_max_fds\{job="waygate"\} > ([\d.]+)/.exec(rules) ?? [];
  const headers = { authorization: 'Bearer a-token-of-the-tests', connection: 'close' };
  await waitUntil(async () => {
    const metrics = await (await fetch(`${url}/-/metrics`, { headers })).text().catch(() => '');
    const read = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]);
    if (!(read('waygate_connections_open') > 700)) return false;
    expect(read('process_open_fds')).toBeGreaterThan(read('waygate_connections_open'));
    expect(read('process_open_fds') / read('process_max_fds')).toBeGreaterThan(Number(threshold));
    return true;
  });
});
