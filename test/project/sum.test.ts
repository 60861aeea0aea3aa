import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SUM = fileURLToPath(new URL('../../scripts/ci/sum.mjs', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waygate-sum-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a vitest JSON report from a number of passed tests and the names of failed tests and unreadable files. */
const report = (passed: number, failed: readonly string[], unreadable: readonly string[] = []) => ({
  numPassedTests: passed,
  testResults: [
    {
      name: 'a.test.ts',
      status: failed.length > 0 ? 'failed' : 'passed',
      assertionResults: failed.map((fullName) => ({ status: 'failed', fullName })),
    },
    ...unreadable.map((name) => ({ name, status: 'failed', assertionResults: [] })),
  ],
});

const SUITE = '1\tvitest a\n';

test.each<[string, string, Record<string, object>, string, number]>([
  ['each step counts as one', '0\tnpm ci\n0\tnpm run check\n', {}, '2 passed, 0 failed', 0],
  ['a failed step is a failure', '0\tnpm ci\n1\tnpm run check\n', {}, '1 passed, 1 failed', 1],
  ['tests are added up', '0\tnpm ci\n0\tvitest a\n', { a: report(7, []) }, '8 passed, 0 failed', 0],
  ['each failed test counts as one', SUITE, { a: report(7, ['x', 'y']) }, '7 passed, 2 failed', 1],
  ['an unreadable file is a failure', SUITE, { a: report(7, [], ['b']) }, '7 passed, 1 failed', 1],
  ['a suite fails without a failed test', SUITE, { a: report(7, []) }, '7 passed, 1 failed', 1],
  ['a suite without a report is a failure', SUITE, {}, '0 passed, 1 failed', 1],
])('%s', (_, steps, reports, last, status) => {
  writeFileSync(join(folder, 'steps'), steps);
  for (const [name, content] of Object.entries(reports)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  }
  const result = spawnSync(process.execPath, [SUM, folder], { encoding: 'utf8' });
  expect(result.stdout.trim().split('\n').at(-1)).toBe(last);
  expect(result.status).toBe(status);
});
