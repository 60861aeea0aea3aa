import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Config } from '../../src/base/option-types.ts';
import { createServeLogs, type ServeLogs } from '../../src/cli/serve/log.ts';
import type { AccessLogEntry } from '../../src/gateway/node/index.ts';
import { useFolder } from '../support/folder.ts';
import { giveTurns, waitUntil } from '../support/wait.ts';

const ACCESS_FIELDS = {
  time: 1,
  requestId: 'r',
  client: '::1',
  method: 'GET',
  site: null,
  route: null,
  operation: 'a"b',
  status: 200,
  host: 'example.com',
  userAgent: 'curl "8"',
  httpVersion: '1.1',
  cache: 'hit',
  cacheStatus: 'waygate; hit; ttl=59',
  bytes: 12_345,
  siteDuration: undefined,
  sent: 200,
  end: 'complete',
} as const;

/** The settings of a log. */
const settings = (log: Config['log'] = 'json', logLevel: Config['logLevel'] = 'info') => ({ log, logLevel });

const folder = useFolder();

/** Writes entries in a format, and returns the text of the file and of standard error. */
async function writeAs(
  log: Config['log'],
  use: (logs: ServeLogs) => void,
): Promise<readonly [text: string, errors: string]> {
  const file = join(folder(), 'log');
  let errors = '';
  const io = { writeErr: (text: string) => (errors += text) };
  const logs = createServeLogs(settings(log), io, file);
  use(logs);
  await new Promise((resolve) => logs.log.flush(resolve));
  return [await readFile(file, 'utf8'), errors];
}

test('request lines and other lines are written in order', async () => {
  const path = '/caf\xe9/"x"';
  const [text] = await writeAs('json', ({ logAccess, log }) => {
    for (let at = 0; at < 300; at += 1) {
      logAccess({ ...ACCESS_FIELDS, path, duration: at });
      if (at % 100 === 50) log.info({ at }, 'between');
    }
  });
  const lines: readonly Readonly<Record<string, unknown>>[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ duration }) => duration)).toEqual(Array.from({ length: 300 }, (_, at) => at));
  const { end, httpVersion, sent, siteDuration, ...shown } = ACCESS_FIELDS;
  expect(lines[0]).toEqual({
    ...{ level: 30, ...shown, protocol: `HTTP/${httpVersion}`, path, duration: 0, msg: 'request' },
  });
  expect([end, sent, siteDuration]).toEqual(['complete', 200, undefined]);
  expect(lines.findIndex(({ msg }) => msg === 'between')).toBe(51);
});

test('a write failure of the log is reported once and does not stop the process, and the lines that it costs are counted', async () => {
  const messages: string[] = [];
  const logs = createServeLogs(settings(), { writeErr: (text) => messages.push(text) }, '/dev/full');
  const line = 'x'.repeat(40_000);
  for (let at = 0; at < 120; at += 1) {
    for (let time = 0; time < 2; time += 1) logs.log.warn({}, line);
    await giveTurns(5);
  }
  await waitUntil(() => messages.length > 0);
  await giveTurns(50);
  const refusals = messages.filter((text) =>
    /^waygate: the log cannot be written: .*no space left/.test(text),
  );
  expect(refusals).toHaveLength(1);
  // Four megabytes of them wait for room on the disk.
  expect(logs.countLost()).toBeGreaterThan(100);
  expect(logs.countLost()).toBeLessThan(240);
});

test('long texts of clients cost no lines', async () => {
  const file = join(folder(), 'log');
  const logs = createServeLogs(settings(), { writeErr: () => {} }, file);
  const entry: AccessLogEntry = { ...ACCESS_FIELDS, path: '/x', duration: 3, referer: 'x'.repeat(30_000) };
  for (let at = 0; at < 70; at += 1) {
    logs.logAccess(entry);
    await new Promise((resolve) => logs.log.flush(resolve));
  }
  expect(logs.countLost()).toBe(0);
});

const FAILED: AccessLogEntry = {
  ...{ ...ACCESS_FIELDS, path: '/x', duration: 3, time: Date.UTC(2026, 10, 3, 7, 8, 9) },
  query: '?page=2&_wpnonce=secret',
  ...{ status: 502, failure: 'connection-broken', cause: 'reset\u001b[2J', end: 'site', cache: 'miss' },
};

test('text is for people: no character controls their terminal, and no value behind a semicolon or without a name is shown', async () => {
  const [text] = await writeAs('text', ({ log, logAccess }) => {
    logAccess(FAILED);
    log.warn({ site: 'shop', err: new Error('no "index"\u001b') }, 'discovery failed');
    logAccess({ ...FAILED, query: '?page=2;token=secret&c2VjcmV0' });
  });
  expect(text).toMatch(
    /^\d\d:\d\d:09 502 GET {5}miss {9}3 ms {4}12 kB r {11}\/x\?page=2&_wpnonce=… ended by the site connection-broken: reset\\u001b\[2J\n/,
  );
  expect(text).not.toMatch(/\u001b/);
  expect(text).toContain(' /x?page=2&token=…&… ');
});

test.each(['a file', '/dev/null'])('no line is lost in %s, however many come in a turn', async (output) => {
  const file = output === 'a file' ? join(folder(), 'busy') : output;
  let errors = '';
  const logs = createServeLogs(settings(), { writeErr: (text) => (errors += text) }, file);
  const path = `/${'a'.repeat(500)}`;
  for (let turn = 0; turn < 20; turn += 1) {
    // More than 500 connections can send in a turn.
    for (let at = 0; at < 800; at += 1) logs.logAccess({ ...ACCESS_FIELDS, path, duration: at });
    // As often as the threads of the system's calls have had time for another one.
    for (let call = 0; call < 3; call += 1) await stat(folder());
  }
  await new Promise((resolve) => logs.log.flush(resolve));
  expect([logs.countLost(), errors]).toEqual([0, '']);
  if (output === 'a file') expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(20 * 800 + 1);
});
