import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createServeLogs, type ServeLogs } from '../../src/cli/serve/log.ts';
import { useFolder } from '../support/folder.ts';
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

const folder = useFolder();

/** Writes to a log, and returns its lines. */
async function write(level: 'info' | 'warn', use: (logs: ServeLogs) => void): Promise<readonly Entry[]> {
  const file = join(folder(), 'log');
  const logs = createServeLogs(level, { writeErr: () => {} }, file);
  use(logs);
  await new Promise((resolve) => logs.log.flush(resolve));
  return readLines(file);
}

type Entry = Readonly<Record<string, unknown>>;

async function readLines(file: string): Promise<readonly Entry[]> {
  const text = await readFile(file, 'utf8');
  if (!text.endsWith('\n')) return [];
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('lines are buffered, and written by flush', async () => {
  const lines = await write('info', ({ log }) => {
    log.info({ a: 1 }, 'one');
    log.debug('below the level');
  });
  expect(lines).toMatchObject([{ a: 1, msg: 'one' }]);
});

test('request lines and other lines are written in order', async () => {
  const path = '/caf\xe9/"x"';
  const lines = await write('info', ({ logAccess, log }) => {
    for (let at = 0; at < 300; at += 1) {
      logAccess({ ...ACCESS_FIELDS, path, duration: at });
      if (at % 100 === 50) log.info({ at }, 'between');
    }
  });
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ duration }) => duration)).toEqual(Array.from({ length: 300 }, (_, at) => at));
  expect(lines[0]).toEqual({ level: 30, ...ACCESS_FIELDS, path, duration: 0, msg: 'request' });
  expect(lines.findIndex(({ msg }) => msg === 'between')).toBe(51);
});

test('long request lines are written before the buffer has many of them', async () => {
  const file = join(folder(), 'log');
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const { logAccess } = createServeLogs('info', { writeErr: () => {} }, file);
  vi.useRealTimers();
  // The maximum length of a target, of characters that JSON escapes.
  for (let at = 0; at < 4; at += 1)
    logAccess({ ...ACCESS_FIELDS, path: `/${'"'.repeat(15_000)}`, duration: at });
  await waitUntil(async () => (await readLines(file)).length === 4);
});

test('the line of a failed request contains the failure and its cause', async () => {
  const failed = { status: 502, duration: 1, failure: 'refused', cause: 'connect "it"' } as const;
  const lines = await write('info', ({ logAccess }) => logAccess({ ...ACCESS_FIELDS, path: '/', ...failed }));
  expect(lines).toMatchObject([failed]);
});

test('request lines are omitted at level warn', async () => {
  const lines = await write('warn', ({ logAccess, log }) => {
    logAccess({ ...ACCESS_FIELDS, path: '/', duration: 1 });
    log.warn('one');
  });
  expect(lines).toMatchObject([{ msg: 'one' }]);
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
