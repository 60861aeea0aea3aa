import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import METRICS from '../../src/admin/metrics.json' with { type: 'json' };
import { ROOT } from '../project/source-files.ts';
import { MAIN, useReadyProcesses } from './serve-process.ts';
import { useSmallSite } from './small-site.ts';

const TOKEN = 'a-long-secret-text';
const site = useSmallSite();
const { folder } = site;
const serve = useReadyProcesses({ WAYGATE_ADMIN_TOKEN: TOKEN });
const document = readFileSync(join(ROOT, 'docs/operators/operations.md'), 'utf8');

/** What the output of a command contains, by a part of the command, and its exit code if that is not 0. */
const EXPECTED: readonly (readonly [part: string, output: RegExp, code?: number])[] = [
  ['export', /^$/],
  ['/-/sites', /"url":"http/],
  ['health $GATEWAY --ready', /^200 .*"ready"/],
  ['health $GATEWAY', /^200 .*"alive"/],
  ['/-/ready', /"ready"/],
  ['/-/drain', /"draining":true/],
  ['/-/undrain', /"draining":false/],
  ['why $GATEWAY', /^Store: /],
  ['why $(curl', /^Request: /],
  ['/-/metrics', /^waygate_/m],
  ['-D - $GATEWAY', /^HTTP\/1\.1 200/],
  ['"all":true', /"purged"/],
  ['"route"', /"purged"/],
  ['check', /no problems/],
  ['/-/reload', /"needsRestart":\[\]/],
  ['/-/rediscover', /^\{/],
  ['tar', /^$/],
  ['--version', /^\d+\.\d+\.\d+ \(commit /],
];

test('each command of docs/operators/operations.md does what it says', async () => {
  const state = join(folder(), '.waygate');
  mkdirSync(state);
  const gateway = await serve('--site', site.url, '--passthrough', '--state', state);
  const plain = `{ url: ${site.origin}, discovery: 'off', passthrough: true }`;
  writeFileSync(join(folder(), 'waygate.yaml'), `sites: [${plain}]\n`);
  writeFileSync(join(folder(), 'npx'), `#!/bin/sh\nshift\nexec ${process.execPath} ${MAIN} "$@"\n`, {
    mode: 0o755,
  });
  const commands = [...document.matchAll(/^```sh\n((?:.|\n)*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
  expect(commands.length).toBeGreaterThan(10);
  const env = {
    ...process.env,
    GATEWAY: gateway.url,
    WAYGATE_ADMIN_TOKEN: TOKEN,
    PATH: `${folder()}:${process.env['PATH']}`,
  };
  for (const command of commands) {
    const [, output, code = 0] = EXPECTED.find(([part]) => command.includes(part)) ?? [];
    expect(output, `nothing is expected of: ${command}`).toBeDefined();
    const result = await new Promise<{ code: unknown; text: string }>((resolve) => {
      execFile('sh', ['-c', command], { cwd: folder(), env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, text: out + err }),
      );
    });
    expect(result.text, command).toMatch(output ?? /$^/);
    expect(result.code, command).toBe(code);
  }
});

test('the metrics that docs/operators/operations.md names exist', () => {
  const named = document.match(/\bwaygate_[a-z_]+/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !Object.hasOwn(METRICS, name))).toEqual([]);
});
