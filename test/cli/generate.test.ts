import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSmallIndex } from '../support/small-index.ts';
import { readRecordedIndex } from '../support/stub-site.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const BASIC = `Basic ${btoa('ada:secret word')}`;
const site = useSmallSite({
  intercept({ headers: { authorization = BASIC } }, response) {
    if (authorization === BASIC) return false;
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 'incorrect_password', message: 'No.', data: { status: 401 } }));
    return true;
  },
});
const { folder } = site;

const runGenerate = (...more: string[]): Promise<CommandResult> =>
  runCommand(['generate', site.url, '--out', folder(), '--name', 'site', ...more]);

describe('waygate generate', () => {
  test('writes the document and the types, and says so', async () => {
    site.index = readRecordedIndex();
    const { code, out } = await runGenerate();
    expect(code).toBe(0);
    expect((await readdir(folder())).sort()).toEqual(['site.openapi.json', 'site.ts']);
    // The recorded index has no schemas, so all that is known comes from conventions.
    expect(out).toMatch(
      /: 210 operations: 0 typed by the site, 210 by conventions; 0 compared with a response\n/,
    );
    const document = JSON.parse(await readFile(join(folder(), 'site.openapi.json'), 'utf8'));
    expect(document).toMatchObject({ openapi: '3.1.1', info: { title: 'Site A' } });
  });

  test.each([
    ['types,client', ['site.client.ts', 'site.ts']],
    ['client,tanstack', ['site.client.ts', 'site.tanstack.ts']],
    ['document,report', ['site.openapi.json', 'site.report.json']],
  ])('--only %s writes these files and no others', async (only, files) => {
    const { code, out } = await runGenerate('--only', only);
    expect(code).toBe(0);
    expect((await readdir(folder())).sort()).toEqual(files);
    const next = only.includes('client')
      ? `import createClient from ${join(folder(), 'site.client.ts')}; in CI, `
      : 'in CI, run the same command';
    expect(out).toContain(`Next: ${next}`);
    expect(await runGenerate('--only', only, '--check')).toMatchObject({ code: 0 });
    // Without the stored document it is unknown what changed, but not that something did.
    site.index = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });
    expect(await runGenerate('--only', only, '--check')).toMatchObject({ code: 1 });
  });

  test.each([
    [['--only', 'types,clients'], '--only "clients" is not one of document, types, client'],
    [['--only', ''], '--only "" is not one of'],
    [['--tanstack', 'ember'], 'react, preact, vue'],
  ])('%s exits with 2', async (flags, message) => {
    expect(await runGenerate(...flags)).toMatchObject(refused(message));
    expect(await readdir(folder())).toEqual([]);
  });

  test.each([
    [{ WAYGATE_AUTH: 'ada:secret word' }, [], 0],
    [{}, ['--auth', 'ada:secret word'], 0],
    [{}, ['--auth', 'ada:another'], 3],
    [{}, ['--auth', 'nonsense-secret'], 2],
  ] as const)(
    'credentials from %j and %j lead to exit code %i and are never printed',
    async (env, flags, expected) => {
      const args = ['generate', site.url, '--out', folder(), '--name', 's', ...flags];
      const { code, out, err } = await runCommand(args, { env });
      expect(code).toBe(expected);
      expect(out + err).not.toMatch(/secret|another/);
    },
  );
});

const TWICE = ['serve', '--site', 'a=http://a.test/', '--site', 'a=http://b.test/'];
test.each<[args: string[], code: number, message: string]>([
  [['generate'], 2, 'no site given'],
  [['generate', 'not an address'], 2, 'not an http'],
  [['generate', 'example.com'], 2, 'mean https://example.com?'],
  [['generate', 'http://127.0.0.1/', '--header', 'nothing'], 2, 'Name: value'],
  [['generate', 'http://127.0.0.1/', '--name', '../x'], 2, '--out'],
  [['generate', 'http://127.0.0.1:1/'], 3, '127.0.0.1:1'],
  [['serve'], 2, '--site'],
  // chanzuckerberg/cellxgene#1265
  [
    ['serve', '--site', 'http://a.test/', '--port', '100000000000'],
    2,
    'must be a whole number of at most 65535.',
  ],
  [TWICE, 2, 'used twice'],
  [['serve', '--site', 'http://a.test/', '--rediscover', 'often'], 2, '5m'],
  [['--help'], 0, ''],
  [['--version'], 0, ''],
])('%j exits with %i, and says why in few lines: %s', async (args, expected, message) => {
  const { code, err } = await runCommand(args);
  expect({ code, err }).toEqual({ code: expected, err: expect.stringContaining(message) });
  expect(err.split('\n').length).toBeLessThanOrEqual(4);
});

test.each([
  [
    'generate --onyl x',
    "unknown option '--onyl' (Did you mean --only?)",
    'generate --help lists the options',
  ],
  ['genrate', "unknown command 'genrate' (Did you mean generate?)", '--help lists the commands'],
  ['generate a b', 'too many arguments', 'generate --help lists the options'],
])('%s prints what is wrong, and the way to the help', async (line, message, way) => {
  const { code, err, out } = await runCommand(line.split(' '));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^waygate: .*\nwaygate .*\n$/);
  expect(err).toContain(`waygate: ${message}`);
  expect(err).toContain(`\nwaygate ${way}.\n`);
});
