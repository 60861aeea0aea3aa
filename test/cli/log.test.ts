import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createServeLogs } from '../../src/cli/serve/log.ts';
import { waitUntil } from '../support/wait.ts';

const ACCESS_FIELDS = {
  time: 1,
  requestId: 'r',
  client: '::1',
  method: 'GET',
  mount: '',
  route: null,
  operation: 'a"b',
  status: 200,
} as const;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function logFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-log-'));
  folders.push(folder);
  return join(folder, 'log');
}

test('lines are buffered, and written by flush', async () => {
  const file = await logFile();
  const { log } = createServeLogs('info', { writeErr: () => {} }, file);
  log.info({ a: 1 }, 'one');
  log.debug('below the level');
  await new Promise((resolve) => log.flush(resolve));
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ a: 1, msg: 'one' });
});

test('request lines and other lines are written in order', async () => {
  const file = await logFile();
  const { logAccess, log } = createServeLogs('info', { writeErr: () => {} }, file);
  const path = '/caf\xe9/"x"';
  for (let at = 0; at < 300; at += 1) {
    logAccess({ ...ACCESS_FIELDS, path, duration: at });
    if (at % 100 === 50) log.info({ at }, 'between');
  }
  await new Promise((resolve) => log.flush(resolve));
  const lines = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ duration }) => duration)).toEqual(Array.from({ length: 300 }, (_, at) => at));
  expect(lines[0]).toEqual({ level: 30, ...ACCESS_FIELDS, path, duration: 0, msg: 'request' });
  expect(lines.findIndex(({ msg }) => msg === 'between')).toBe(51);
});

test('long request lines are written before the buffer has many of them', async () => {
  const file = await logFile();
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const { logAccess } = createServeLogs('info', { writeErr: () => {} }, file);
  vi.useRealTimers();
  // The maximum length of a target, of characters that JSON escapes.
  for (let at = 0; at < 4; at += 1)
    logAccess({ ...ACCESS_FIELDS, path: `/${'"'.repeat(15_000)}`, duration: at });
  await waitUntil(async () => (await readFile(file, 'utf8')).endsWith('\n'));
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(4);
});

test('the line of a failed request contains the failure and its cause', async () => {
  const file = await logFile();
  const { logAccess, log } = createServeLogs('info', { writeErr: () => {} }, file);
  logAccess({
    ...ACCESS_FIELDS,
    path: '/',
    status: 502,
    duration: 1,
    failure: 'refused',
    cause: 'connect "it"',
  });
  await new Promise((resolve) => log.flush(resolve));
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
    failure: 'refused',
    cause: 'connect "it"',
  });
});

test('request lines are omitted at level warn', async () => {
  const file = await logFile();
  const { logAccess, log } = createServeLogs('warn', { writeErr: () => {} }, file);
  logAccess({ ...ACCESS_FIELDS, path: '/', duration: 1 });
  log.warn('one');
  await new Promise((resolve) => log.flush(resolve));
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(1);
});

test('a write failure of the log is reported once and does not stop the process', async () => {
  const messages: string[] = [];
  const { log } = createServeLogs('info', { writeErr: (text) => messages.push(text) }, '/dev/full');
  for (const line of ['one', 'two', 'three']) {
    log.info(line);
    log.flush();
    await sleep(50);
  }
  await waitUntil(() => messages.length > 0);
  expect(messages).toEqual([expect.stringMatching(/^waygate: the log cannot be written: .*no space left/)]);
});
