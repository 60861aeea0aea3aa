// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSuiteReport } from './suite-report.mjs';

// node scripts/ci/sum.mjs <folder>: counts the results of .ci/run. Each test counts as one, and so does each step that is
// not a suite. A suite that failed without a failed test counts as one failure. A test that passed when its file ran again,
// in a step with `-again` at the end of its name, counts as passed and is listed. The last line is `N passed, N failed`.

const [folder = '.'] = process.argv.slice(2);
/** End of the name of a step that runs the failed files of a suite again. */
const AGAIN = '-again';
let passed = 0;
/** @type {string[]} */
const failures = [];
/** @type {Map<string, boolean>} */
const steps = new Map();
for (const line of readFileSync(join(folder, 'steps'), 'utf8').trim().split('\n')) {
  const [status = '', name = ''] = line.split('\t');
  steps.set(name, status === '0');
}

for (const [name, succeeded] of steps) {
  if (name.endsWith(AGAIN)) continue;
  if (name.startsWith('vitest ')) {
    const suite = readSuite(name, succeeded);
    const again = steps.get(name + AGAIN);
    const remaining = again === undefined ? suite.failures : readSuite(name + AGAIN, again).failures;
    // A run that failed without one of these tests did not run them.
    const ran = again === true || suite.failures.some((failure) => remaining.includes(failure));
    const passedAgain = suite.failures.filter((failure) => ran && !remaining.includes(failure));
    for (const failure of passedAgain) console.log(`passed when it ran again: ${name}: ${failure}`);
    passed += suite.passed + passedAgain.length;
    failures.push(...(ran ? remaining : suite.failures).map((failure) => `${name}: ${failure}`));
  } else if (succeeded) passed += 1;
  else failures.push(name);
}

/** @param {string} name of the step @param {boolean} succeeded */
function readSuite(name, succeeded) {
  return readSuiteReport(join(folder, `${name.slice('vitest '.length)}.json`), succeeded);
}

for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
