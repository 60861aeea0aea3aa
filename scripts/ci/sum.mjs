// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSuiteReport } from './suite-report.mjs';

// node scripts/ci/sum.mjs <folder>: counts the results of .ci/run. Each test counts as one, and so does each step that is
// not a suite. A suite that failed without a failed test counts as one failure. The last line is `N passed, N failed`.

const [folder = '.'] = process.argv.slice(2);
let passed = 0;
/** @type {string[]} */
const failures = [];
for (const line of readFileSync(join(folder, 'steps'), 'utf8').trim().split('\n')) {
  const [status = '', name = ''] = line.split('\t');
  if (name.startsWith('vitest ')) {
    const suite = readSuiteReport(join(folder, `${name.slice('vitest '.length)}.json`), status === '0');
    passed += suite.passed;
    failures.push(...suite.failures.map((failure) => `${name}: ${failure}`));
  } else if (status === '0') passed += 1;
  else failures.push(name);
}

for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
