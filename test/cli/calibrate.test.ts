import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPluginIndex, respondAsPlugin } from '../gateway/validating/plugin-site.ts';
import { useFolder } from '../support/folder.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { runCommand } from './run-command.ts';

let site: StubSite;
const folder = useFolder();
const listeners = process.listenerCount('SIGINT');
/** Called with the number of each request. */
let onRequest: (count: number) => void = () => {};

beforeEach(async () => {
  onRequest = () => {};
  const index = createPluginIndex({
    '/plugin/v1/things': { POST: { state: { type: 'string', enum: ['open', 'closed'] } } },
  });
  let count = 0;
  site = await startStubSite({
    index,
    respond: respondAsPlugin,
    intercept: () => {
      count += 1;
      onRequest(count);
      return false;
    },
  });
});
afterEach(async () => {
  await site.close();
});

async function run(args: readonly string[], replies?: readonly boolean[]) {
  const base = ['calibrate', site.url, '--rate', '10000/s', '--include', 'plugin/v1'];
  const result = await runCommand([...base, ...args], replies === undefined ? {} : { replies });
  const writes = site.requests.filter(({ method }) => method !== 'GET').length;
  return { ...result, writes };
}

test('prints what was confirmed and overruled, and stores the evidence', async () => {
  const { code, out, writes } = await run(['--state', folder(), '--name', 'blog']);
  expect(code).toBe(0);
  expect(out).toMatch(/ {2}\d+ confirmed: mode enforce refuses by these\n {4}plugin\/v1 \w+ rest_/);
  expect(out).toMatch(/2 overruled: .*\n {4}plugin\/v1 /);
  expect(out).toContain(`waygate serve --state ${folder()} --mode enforce`);
  expect(await readdir(folder())).toEqual(['calibration.blog.json']);
  expect(writes).toBe(0);
});

test('prints JSON with --json', async () => {
  const { out } = await run(['--json']);
  expect(JSON.parse(out)).toMatchObject({ format: 1, site: site.url });
});

test('--methods all sends nothing without a terminal and without --yes', async () => {
  const { code, err } = await run(['--methods', 'all']);
  expect(code).toBe(2);
  expect(err).toContain('--methods all needs --yes');
  expect(site.requests).toEqual([]);
});

test('--methods all asks on a terminal', async () => {
  expect(await run(['--methods', 'all'], [false])).toMatchObject({ code: 2, writes: 0 });
  const { code, err, writes } = await run(['--methods', 'all'], [true]);
  expect({ code, isAnyWritten: writes > 0 }).toEqual({ code: 0, isAnyWritten: true });
  expect(err).toMatch(/sends POST, PUT, PATCH and DELETE requests to 127\.0\.0\.1.*Continue\?\n$/s);
  const unasked = await run(['--methods', 'all', '--yes']);
  expect([unasked.code, unasked.err.includes('Continue?'), unasked.writes > writes]).toEqual([
    0,
    false,
    true,
  ]);
});

test.each(['0', 'fast', '-1', '10/m'])('--rate %s is refused', async (rate) => {
  expect(await run(['--rate', rate])).toMatchObject({ code: 2 });
  expect(site.requests).toEqual([]);
});

describe('an interruption', () => {
  const interruptAt = (request: number, signal: 'SIGINT' | 'SIGTERM'): void => {
    onRequest = (count) => {
      if (count === request) process.emit(signal, signal);
    };
  };

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends with the exit code %i, and the findings so far', async (signal, code) => {
    interruptAt(6, signal);
    const result = await run(['--state', folder()]);
    expect(result).toMatchObject({ code, err: '' });
    expect(result.out).toContain('Interrupted. The same command continues.');
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  test('while the index is read stops at once', async () => {
    interruptAt(1, 'SIGINT');
    const result = await run([]);
    expect(result).toMatchObject({ code: 130, out: '' });
    expect(result.err).toContain('interrupted before the first request that violates a rule');
  });
});
