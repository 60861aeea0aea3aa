// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// node scripts/ci/sum.mjs <folder>: counts what .ci/run did. A test counts as one, and so does a step that is no suite;
// a suite that broke before its tests could fail counts as a failure of its own. Ends with `N passed, N failed`.

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
  // Vitest can fail without a failed test: an error that nobody caught, a file that could not be read, no tests at all.
  if (status !== '0' && failures.length === before) failures.push(`${name} (exit ${status})`);
}

/** @param {string} file a report of vitest's `json` reporter */
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
