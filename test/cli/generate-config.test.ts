import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSmallIndex } from '../support/small-index.ts';
import { type CommandResult, type RunOptions, refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite({
  intercept: ({ url }, response) => {
    if (!url.includes('/users/me')) return false;
    response.writeHead(401).end();
    return true;
  },
});
const { folder } = site;

const run = (args: readonly string[], options: RunOptions = {}): Promise<CommandResult> =>
  runCommand(['generate', ...args], { cwd: folder(), ...options });

const writeConfig = (sites: string, name = 'waygate.config.ts'): Promise<void> =>
  writeFile(
    join(folder(), name),
    `import { defineConfig, type WaygateConfig } from 'waygate';\nconst url: string = '${site.url}';\n` +
      `export default defineConfig({ sites: ${sites} } satisfies WaygateConfig);\n`,
  );

const list = async (path = '.'): Promise<readonly string[]> => (await readdir(join(folder(), path))).sort();

describe('waygate.config.ts', () => {
  test('flags win', async () => {
    await writeConfig(`[{ url, out: 'api', name: 'one', server: 'https://one.example.com' }]`);
    expect(await run(['--out', 'other', '--name', 'two'])).toMatchObject({ code: 0 });
    const { servers } = JSON.parse(await readFile(join(folder(), 'other/two.openapi.json'), 'utf8'));
    expect(servers).toEqual([{ url: 'https://one.example.com' }]);
  });

  test('says whether a client and a companion are written, as the flags do', async () => {
    await writeConfig(`[{ url, out: 'api', name: 'one', tanstack: 'vue' }]`);
    await run([]);
    await run([site.url, '--out', 'flags', '--name', 'one', '--tanstack', 'vue']);
    expect(await list('api')).toContain('one.client.ts');
    for (const name of ['one.client.ts', 'one.tanstack.ts']) {
      expect(await readFile(join(folder(), 'flags', name), 'utf8')).toBe(
        await readFile(join(folder(), 'api', name), 'utf8'),
      );
    }
    expect(await run(['--check'])).toMatchObject({ code: 0, out: '4 files are up to date.\n' });
  });

  test('may have another path; its paths are relative to it', async () => {
    await run([site.url, '--name', 'first', '--out', 'settings']);
    await writeConfig(`[{ url, name: 'one' }]`, 'settings/other.config.ts');
    expect(await run(['--config', 'settings/other.config.ts'])).toMatchObject({ code: 0 });
    expect(await list('settings')).toContain('one.ts');
  });

  test('names the variable with the credentials, which are not sent to other sites', async () => {
    const one = `{ url, name: 'one', authVariable: 'ONE_AUTH' }`;
    await writeConfig(`[${one}, { url, name: 'two' }]`);
    const start = site.requests.length;
    const env = { ONE_AUTH: 'ada:secret word', WAYGATE_AUTH: 'eve:other secret' };
    expect(await run([], { env })).toMatchObject({ code: 0 });
    const sent = new Set(site.requests.slice(start).map(({ headers }) => headers.authorization));
    expect(sent).toEqual(new Set([`Basic ${btoa('ada:secret word')}`, undefined]));
    expect(await run([])).toMatchObject(refused('ONE_AUTH is not set'));
  });

  test('a site that cannot be read does not stop the others', async () => {
    await writeConfig(`[{ url: 'http://127.0.0.1:1/', name: 'closed' }, { url, name: 'open' }]`);
    const { code, err } = await run([]);
    expect(code).toBe(3);
    expect(err).toContain('waygate: closed: ');
    expect(await list()).toContain('open.ts');
    expect(JSON.parse((await run(['--json'])).out)[0]).toMatchObject({ site: 'closed' });
  });

  test('--check and --json give a result per site', async () => {
    await writeConfig(`[{ url, name: 'one' }, { url, name: 'two' }]`);
    await run(['--out', '.']);
    await rm(join(folder(), 'two.ts'));
    const { code, out } = await run(['--check', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([
      { stale: false },
      { stale: true, differences: ['two.ts: missing'] },
    ]);
  });

  test.each([
    ['no sites', '[]', 'sites: at least one site'],
    ['a site without a URL', '[{}]', 'sites[0]: needs "url" or "document"'],
    ['credentials', `[{ url, authVariable: 'ada:secret' }]`, 'not the credentials'],
    ['a syntax error', '[{', 'waygate.config.ts:3:'],
    [
      'an unknown setting',
      '[{ url, oit: 1 } as object as { url: string }]',
      'unknown key; did you mean "out"?',
    ],
    [
      'an extension that matches nothing',
      `[{ url, extend: { 'GET /demo/v1/nots': { parameters: { lang: { type: 'string' } } } } }]`,
      'extend: "GET /demo/v1/nots" matches nothing: the document has no such route; did you mean "/demo/v1/notes"?',
    ],
    [
      'a variable that is not set',
      `[{ url }, { url, name: 'b', authVariable: 'NOT_SET' }]`,
      'authVariable of sites[1] of waygate.config.ts: the environment variable NOT_SET is not set',
    ],
  ])('with %s exits with 2', async (_, sites, message) => {
    await writeConfig(sites);
    const { code, err } = await run([]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
    expect(err).not.toContain('secret');
  });

  test('with several sites refuses a flag that means one', async () => {
    await writeConfig(`[{ url, out: 'a' }, { url, out: 'b' }]`);
    expect(await run(['--name', 'x'])).toMatchObject(refused('--name applies'));
  });

  test('that is missing, or is of waygate serve, exits with 2', async () => {
    const missing = refused('--config nowhere.ts: there is no such file');
    expect(await run(['--config', 'nowhere.ts'])).toMatchObject(missing);
    await writeFile(join(folder(), 'waygate.yaml'), 'sites: []\n');
    const other = refused('YAML and JSON are for waygate serve');
    expect(await run(['--config', 'waygate.yaml'])).toMatchObject(other);
  });
});

describe('waygate generate --check', () => {
  const start = (...more: readonly string[]): Promise<CommandResult> =>
    run([site.url, '--name', 'site', ...more]);
  const check = (options: RunOptions = {}, ...more: readonly string[]): Promise<CommandResult> =>
    run([site.url, '--name', 'site', '--check', ...more], options);

  test('a site with a new title is up to date, and the title is in no file that programs import', async () => {
    const outputs = ['--tanstack'];
    await start(...outputs);
    site.index = { ...createSmallIndex(undefined, 'A new title'), description: 'A new text' };
    const { code, out } = await check({}, ...outputs);
    expect(code).toBe(0);
    expect(out).toBe('4 files are up to date.\n');
    await start(...outputs);
    for (const name of ['site.ts', 'site.client.ts', 'site.tanstack.ts']) {
      expect(await readFile(join(folder(), name), 'utf8')).not.toContain('A new title');
    }
    expect(await readFile(join(folder(), 'site.openapi.json'), 'utf8')).toContain('A new title');
  });

  test('does not compare what a user sees with what everybody sees', async () => {
    const everybody = site.index;
    const asUser = { env: { WAYGATE_AUTH: 'ada:secret' } };
    site.index = createSmallIndex({ page: { type: 'integer' } });
    const { out } = await run([site.url, '--name', 'site'], asUser);
    expect(out).toContain('The index was read with credentials, so --check needs them too.');
    expect(await readFile(join(folder(), 'site.openapi.json'), 'utf8')).not.toMatch(/ada:|:secret/);
    expect(await check(asUser)).toMatchObject({ code: 0 });
    site.index = everybody;
    expect(await check({})).toEqual({
      code: 2,
      out: '',
      err: 'waygate: site.openapi.json was generated with credentials, and this run has none, so routes might be missing. Nothing was compared. Set WAYGATE_AUTH to user:application-password, or generate the files again without credentials\n',
    });
    const routes = { '/wp/v2/users/me': { namespace: 'wp/v2', endpoints: [] } };
    site.index = { ...everybody, routes: { ...Object(everybody['routes']), ...routes } };
    const wrong = await check({ env: { WAYGATE_AUTH: 'ada:wrong' } });
    expect(wrong).toMatchObject(refused('the site refused those of this run'));
    await start();
    expect(await check({})).toMatchObject({ code: 0 });
  });

  test('a text of the site cannot begin a line, and so is no workflow command', async () => {
    await start();
    const hostile = 'x\n::error::y\r\n::stop-commands::z';
    site.index = createSmallIndex({ [hostile]: { type: 'string', enum: [hostile] } }, hostile);
    const { err, out } = await check({});
    expect(`${out}\n${err}`.split(/[\r\n]/).filter((line) => line.startsWith('::'))).toEqual([]);
  });
});
