// @ts-check
import { readSuiteReport } from './suite-report.mjs';

// node scripts/ci/failed-files.mjs <report>: prints the files with a failed test of a report of vitest's `json` reporter, one a line.

const [report = ''] = process.argv.slice(2);
for (const file of readSuiteReport(report, true).files) console.log(file);
