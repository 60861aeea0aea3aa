// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// node scripts/ci/sum.mjs <folder>: counts the results of .ci/run. Each test counts as one, and so does each step that is
// not a suite. A suite that failed without a failed test counts as one failure. The last line is `N passed, N failed`.

const [folder = '.'] = process.argv.slice(2);
let passed = 0;
/** @type {string[]} */
const failures = [];

for (const line of readFileSync(join(folder, 'steps'), 'utf8').trim().split('\n')) {
  const [status = '', name = ''] = line.split('\t');
  const suite = name.startsWith('vitest ') ? join(folder, `${name.slice('vitest '.length)}.json`) : undefined;
  if (suite === undefined) {
    if (status === '0') passed += 1;
    else failures.push(name);
    continue;
  }
  const before = failures.length;
  if (existsSync(suite)) count(suite);
  // Vitest can fail without a failed test: an uncaught error, an unreadable file, no tests.
  if (status !== '0' && failures.length === before) failures.push(`${name} (exit ${status})`);
}

/** Adds the tests of a suite. @param {string} file a report of vitest's `json` reporter */
function count(file) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  for (const { name, status, assertionResults } of report.testResults) {
    const failed = assertionResults.filter(
      (/** @type {{ status: string }} */ { status: result }) => result === 'failed',
    );
    failures.push(...failed.map((/** @type {{ fullName: string }} */ { fullName }) => fullName));
    if (status === 'failed' && failed.length === 0) failures.push(name);
  }
}

for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
