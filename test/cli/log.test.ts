import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../src/cli/log.ts';

test('lines are collected, and written when asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waygate-log-'));
  const file = join(folder, 'log');
  const { log } = createLog('info', { err: () => {} }, file);
  log.info({ a: 1 }, 'one');
  log.debug('not so severe');
  await new Promise((resolve) => log.flush(resolve));
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ a: 1, msg: 'one' });
  await rm(folder, { recursive: true });
});

test('a log that cannot be written is told of once, and ends nothing', async () => {
  const told: string[] = [];
  const { log } = createLog('info', { err: (text) => told.push(text) }, '/dev/full');
  for (const line of ['one', 'two', 'three']) {
    log.info(line);
    log.flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await vi.waitUntil(() => told.length > 0);
  expect(told).toEqual([expect.stringMatching(/^waygate: the log cannot be written: .*no space left/)]);
});
