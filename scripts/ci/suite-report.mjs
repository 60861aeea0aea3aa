// @ts-check
import { existsSync, readFileSync } from 'node:fs';

/**
 * Reads a report of vitest's `json` reporter.
 *
 * @param {string} file
 * @param {boolean} succeeded whether vitest exited with 0
 * @returns {{ passed: number, failures: string[] }} the number of passed tests, and the names of the failed tests and of the files
 * that cannot be run. There is a failure if vitest failed, also without a failed test or without a report.
 */
export function readSuiteReport(file, succeeded) {
  /** @type {string[]} */
  const failures = [];
  let passed = 0;
  if (existsSync(file)) {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    passed = report.numPassedTests;
    for (const { name, status, assertionResults } of report.testResults) {
      const failed = assertionResults.filter(
        (/** @type {{ status: string }} */ { status: result }) => result === 'failed',
      );
      failures.push(...failed.map((/** @type {{ fullName: string }} */ { fullName }) => fullName));
      if (status === 'failed' && failed.length === 0) failures.push(name);
    }
  }
  // Vitest can fail without a failed test: an uncaught error, no tests.
  if (!succeeded && failures.length === 0) failures.push('the suite failed, without a failed test');
  return { passed, failures };
}
