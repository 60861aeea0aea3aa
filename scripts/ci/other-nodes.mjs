// @ts-check
// node scripts/ci/other-nodes.mjs [--results <folder>] [--all] [major …]: runs the default suite with the newest release of
// other major versions of Node, 22, 24 and 26 if none is named. Without --all only the tests run that use Node's own
// interfaces. npm's package `node` brings the binaries, in a temporary folder.
// Prints `N passed, N failed` and the failed tests for each version, writes <folder>/node-<major>.json in the format of
// vitest's `json` reporter, and fails if a suite fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { readOptions } from '../read-options.mjs';
import { readSuiteReport } from './suite-report.mjs';

const { values, positionals } = readOptions(import.meta.url, {
  options: { results: { type: 'string' }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const majors = positionals.length === 0 ? ['22', '24', '26'] : positionals;
const folder = mkdtempSync(join(tmpdir(), 'waygate-nodes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Tests of Node's sockets and HTTP. All others do the same with every Node that has the features of the oldest one. */
const NODE_INTERFACES = ['drain', 'endings', 'field-bytes', 'server', 'upgrade'];
const STARTS = NODE_INTERFACES.map((name) => join('test/gateway/node', name));
/** Suites of other projects. */
const SPECIAL = /\.(real|browser|package)\.test\.ts$/;
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((file) => join('test', file))
  .filter((file) => file.endsWith('.test.ts') && !SPECIAL.test(file))
  .filter((file) => values.all || STARTS.some((start) => file.startsWith(start)));
for (const start of STARTS)
  if (!files.some((file) => file.startsWith(start))) throw new Error(`no test ${start}`);

/** The longest time of a suite, in milliseconds: about four times its usual time on two cores. */
const SUITE_TIMEOUT = 600_000;

/** @type {string[]} */
const failed = [];
for (const major of majors) {
  const prefix = join(folder, major);
  const report = join(values.results ?? folder, `node-${major}.json`);
  const succeeded = install(major, prefix) && runSuite(join(prefix, 'node_modules/node/bin'), report);
  const { passed, failures } = readSuiteReport(report, succeeded);
  for (const failure of failures) console.log(`failed with Node ${major}: ${failure}`);
  console.log(`Node ${major}: ${passed} passed, ${failures.length} failed`);
  if (failures.length > 0) failed.push(major);
}
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param {string} major @param {string} prefix folder of the package */
function install(major, prefix) {
  return run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', `node@${major}`]);
}

/** @param {string} binaries folder that contains `node` @param {string} report path of the report */
function runSuite(binaries, report) {
  // Child processes of the tests run the same version: they start `process.execPath` or `node`.
  const env = { PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` };
  const node = join(binaries, 'node');
  const suite = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'default'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // One worker, because other suites run beside this one in CI.
  return (
    run(node, ['--version'], env) && run(node, [...suite, ...reporters, '--maxWorkers=1', ...files], env)
  );
}

/**
 * Runs a program and shows its output.
 *
 * @param {string} program @param {readonly string[]} args @param {Record<string, string>} [env]
 */
function run(program, args, env = {}) {
  const options = { env: { ...process.env, ...env }, timeout: SUITE_TIMEOUT };
  return spawnSync(program, args, { stdio: 'inherit', ...options }).status === 0;
}
