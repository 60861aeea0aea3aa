import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { toJsonObject } from '../../src/json.ts';
import { readRecorded } from '../support/recorded-indexes.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';
import { MAIN } from './serve-process.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite({ respond: () => ({ body: { title: 'a' } }) }, () =>
  createSmallIndex({
    order: { type: 'string', required: 'yes' },
    date: { type: 'string', readonly: true, context: ['view'] },
    broken: 5,
  }),
);
const { folder } = site;

const run = (...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['generate', site.url, '--name', 'site', ...more], { cwd: folder() });

describe('the summary of waygate generate', () => {
  test('begins with what was written, what needs attention and what to do next', async () => {
    const url = site.url.replace('//', '//admin:secret@');
    const { out } = await runCommand(['generate', url, '--name', 'site', '--out', 'api'], { cwd: folder() });
    expect(out.split('\n').slice(0, 5)).toEqual([
      'api/site.{openapi.json,ts}: 1 operation, 0 with a typed response',
      'Attention: the index has no response schemas of plugins (/wp-json/?context=help has them); 1 response of unknown type.',
      'To learn their types from the site, with GET requests only:',
      `  npx waygate reconcile ${site.url} --out api --name site`,
      "Next: import { type paths } from './api/site.ts'; in CI, run the same command with --check.",
    ]);
  });

  test('says how many responses have a type: a schema that is named and not described is none', async () => {
    const recorded = readRecorded('wordpress-7.1-index-help.json');
    const route = { namespace: 'x/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args: {} }] };
    const named = { ...route, schema: { title: 'thing' } };
    const routes = { ...toJsonObject(recorded['routes']), '/x/v1/other': route, '/x/v1/thing': named };
    const index = join(folder(), 'index.json');
    await writeFile(index, JSON.stringify({ ...recorded, routes }));
    const args = ['generate', 'http://site.example.com', '--from', index, '--out', folder()];
    const { out } = await runCommand(args);
    expect(out).toMatch(
      /: 259 operations, 257 with a typed response\nAttention: .*2 responses of unknown type/,
    );
  });

  test('ends with what a person can act on; --verbose adds the counts and an example of each finding', async () => {
    const { out } = await run();
    expect(out.trimEnd().split('\n')).toHaveLength(5);
    const verbose = await run('--verbose');
    expect(verbose.out.replace(/, such as .*/g, '')).toBe(
      `${out}${site.url}
  1 route, 1 endpoint → 1 path, 1 operation
  7 findings about the index
    1 to look at: see Attention above
      1 no-schemas
    1 that lose something: the document lacks it, or accepts more than the site
      1 argument-not-an-object
    5 repaired without a loss
      1 context
      1 empty-list-for-object
      1 found-by
      1 readonly
      1 required-not-boolean
`,
    );
    expect(verbose.out).toContain(', such as "/demo/v1/notes": "required" is "yes".\n');
  });

  test.each([
    ['a command line', ['--out', "it's api", '--include', '/demo/v1/*']],
    ['a configuration', []],
  ])('names a command that can be pasted into a shell as it stands, with %s', async (kind, flags) => {
    const config = `export default { sites: [{ url: '${site.url}', out: "it's api", name: 'site', include: ['/demo/v1/*'] }] };`;
    if (flags.length === 0) await writeFile(join(folder(), 'waygate.config.mjs'), config);
    const args = flags.length === 0 ? ['generate'] : ['generate', site.url, '--name', 'site', ...flags];
    const { out } = await runCommand(args, { cwd: folder() });
    const [, line = ''] = /^ {2}(npx waygate reconcile.*)$/m.exec(out) ?? [];
    if (kind === 'a configuration') expect(line).toBe('npx waygate reconcile');
    // The program in place of the installed package.
    await writeFile(join(folder(), 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
      mode: 0o755,
    });
    const { stdout } = await promisify(execFile)('sh', ['-c', line], {
      cwd: folder(),
      env: { ...process.env, PATH: `${folder()}:${process.env['PATH']}` },
    });
    expect(stdout).toContain("Written: it's api/site.overlay.json, 1 action");
    const again = await runCommand(args, { cwd: folder() });
    expect(again.out).toMatch(/^it's api\/site.*: 1 operation, 1 with a typed response\nAttention: /);
    expect(again.out).toContain('1 overlay action applied');
  });
});

test('--upstream-host reads the site under its public name', async () => {
  const { code, out } = await run('--upstream-host', 'www.example.com', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out).site).toBe('http://www.example.com/');
  expect(site.requests.at(-1)?.headers.host).toBe('www.example.com');
});

test('--upstream-ca exits with 2 if the file has no certificate', async () => {
  expect(await run('--upstream-ca', 'nowhere.pem')).toMatchObject(refused('--upstream-ca'));
});
