#!/usr/bin/env node
// @ts-check
// node scripts/agents/conformance.mjs: runs the conformance suite of the Model Context Protocol against `/mcp` of the example site, by
// what each revision requires of a server. npm brings the suite in a temporary folder (52 MB), and Node 24 (190 MB) for a Node below
// 22, which lacks `fs.globSync`. Requires npm run build. Prints each scenario, and the reason why a check does not apply; the exit code
// is 1 if another check fails, or if a reason is none any more.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2025-11-25', '2026-07-28'];

/** Checks that do not apply, by `scenario/check`. */
const NOT_APPLICABLE = /** @type {const} */ ([
  [/^(?:prompts-|input-required-result-non-tool)|prompts-list-caching/, 'waygate has no prompts'],
  [/^completion-/, 'waygate completes no arguments'],
  [
    /^logging-|^tools-call-with-logging|no-log-without-loglevel/,
    'waygate logs for the operator, not for clients',
  ],
  [/^tasks-/, 'an extension that waygate does not offer: a call lasts as long as the site takes'],
  [/^http-custom-header/, 'no tool takes an argument from a header'],
  [
    /sampling|elicitation|input-required-result|list-roots|(?:undeclared|missing)-capability|no-independent-requests/,
    'asks by a tool of the example server of the suite',
  ],
  [/^tools-call-|^json-schema-2020-12/, 'calls a tool of the example server of the suite'],
  [/^resources-|resource-not-found|resources-(?:list|read|templates)/, 'waygate has no resources'],
]);

const folder = mkdtempSync(join(tmpdir(), 'waygate-conformance-'));
const isOld = Number(process.versions.node.split('.')[0]) < 22;
const packages = isOld ? [SUITE, 'node@24'] : [SUITE];
spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages], {
  stdio: 'inherit',
});
const node = isOld ? join(folder, 'node_modules/node/bin/node') : process.execPath;
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const gateway = spawn(process.execPath, ['dist/cli/main.js', 'example', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => {
  gateway.kill();
  rmSync(folder, { recursive: true, force: true });
});
let url = '';
for await (const line of createInterface({ input: gateway.stdout })) {
  url = /http:\S+\/content\/mcp$/.exec(line)?.[0] ?? '';
  if (url !== '') break;
}

let failures = 0;
/** @type {Set<string>} */
const used = new Set();

/** @param {string} check */
function reasonOf(check) {
  const [, reason] = NOT_APPLICABLE.find(([pattern]) => pattern.test(check)) ?? [];
  if (reason !== undefined) used.add(reason);
  return reason;
}

for (const revision of REVISIONS) {
  const results = join(folder, revision);
  const flags = ['server', '--url', url, '--requirements', revision, '--output-dir', results];
  spawnSync(node, [suite, ...flags], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 });
  const counts = { scenarios: 0, checks: 0, skipped: 0 };
  for (const name of readdirSync(results).toSorted()) {
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
    /** @type {readonly { id: string, status: string, errorMessage?: string }[]} */
    const checks = JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'));
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    const reasons = new Set();
    for (const { errorMessage, id } of failed) {
      const reason = reasonOf(`${scenario}/${id}`);
      if (reason === undefined) failures += 1;
      reasons.add(reason ?? `FAILED ${id}: ${errorMessage}`);
    }
    counts.scenarios += Number(failed.length === 0);
    counts.checks += passed;
    counts.skipped += failed.length;
    const skipped = reasons.size === 0 ? '' : `, ${failed.length} not: ${[...reasons].join('; ')}`;
    console.log(`${revision} ${scenario}: ${passed} passed${skipped}`);
  }
  if (counts.scenarios === 0) failures += 1;
  console.log(`${revision}: ${JSON.stringify(counts)}`);
}
for (const [, reason] of NOT_APPLICABLE.filter(([, reason]) => !used.has(reason))) {
  failures += 1;
  console.log(`no check was skipped because ${reason}: remove the reason`);
}
process.exit(failures === 0 ? 0 : 1);
