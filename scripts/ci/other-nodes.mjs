// @ts-check
// node scripts/ci/other-nodes.mjs [major …]: runs the default suite with the newest release of other major versions of Node,
// 22, 24 and 26 if none is named. npm's package `node` brings the binaries, in a temporary folder. Fails if a suite fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const requested = process.argv.slice(2);
const majors = requested.length === 0 ? ['22', '24', '26'] : requested;
const folder = mkdtempSync(join(tmpdir(), 'waygate-nodes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** @type {string[]} */
const failed = [];
for (const major of majors) {
  const prefix = join(folder, major);
  const installed = run(
    'npm',
    ['install', '--prefix', prefix, '--no-audit', '--no-fund', `node@${major}`],
    {},
  );
  const binaries = join(prefix, 'node_modules/node/bin');
  // Child processes of the tests run the same version: they start `process.execPath`.
  const env = { PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` };
  const passed =
    installed &&
    run(join(binaries, 'node'), ['--version'], env) &&
    run(join(binaries, 'node'), ['node_modules/vitest/vitest.mjs', 'run', '--project', 'default'], env);
  if (!passed) failed.push(major);
}
console.log(
  failed.length === 0 ? `passed with Node ${majors.join(', ')}` : `failed with Node ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a program and shows its output. @param {string} program @param {readonly string[]} args @param {Record<string, string>} env */
function run(program, args, env) {
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;
}
