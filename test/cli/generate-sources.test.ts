import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
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

const read = (name: string): Promise<string> => readFile(join(folder(), name), 'utf8');
const writeJson = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder(), name), JSON.stringify(content));

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
    const { servers } = JSON.parse(await read('other/two.openapi.json'));
    expect(servers).toEqual([{ url: 'https://one.example.com' }]);
  });

  test('says whether a client and a companion are written, as the flags do', async () => {
    await writeConfig(`[{ url, out: 'api', name: 'one', tanstack: 'vue' }]`);
    await run([]);
    await run([site.url, '--out', 'flags', '--name', 'one', '--tanstack', 'vue']);
    expect(await list('api')).toContain('one.client.ts');
    for (const name of ['one.client.ts', 'one.tanstack.ts']) {
      expect(await read(`flags/${name}`)).toBe(await read(`api/${name}`));
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
      expect(await read(name)).not.toContain('A new title');
    }
    expect(await read('site.openapi.json')).toContain('A new title');
  });

  test('does not compare what a user sees with what everybody sees', async () => {
    const everybody = site.index;
    const asUser = { env: { WAYGATE_AUTH: 'ada:secret' } };
    site.index = createSmallIndex({ page: { type: 'integer' } });
    const { out } = await run([site.url, '--name', 'site'], asUser);
    expect(out).toContain('The index was read with credentials, so --check needs them too.');
    expect(await read('site.openapi.json')).not.toMatch(/ada:|:secret/);
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

describe('waygate generate --document', () => {
  test('a recorded index gives the same files as the site', async () => {
    site.index = { ...site.index, home: site.origin, url: site.origin };
    await writeJson('index.json', site.index);
    await run([site.url, '--name', 'online']);
    const start = site.requests.length;
    expect(await run(['--document', 'index.json', '--name', 'offline'])).toMatchObject({ code: 0 });
    expect(site.requests.length).toBe(start);
    expect(await read('offline.openapi.json')).toBe(await read('online.openapi.json'));
  });

  test('names the routes that pretty permalinks cannot reach, and what a plain index lacks', async () => {
    const endpoints = [{ methods: ['GET'], args: {} }];
    Object.assign(Object(site.index['routes']), { '/demo/v1/отзывы': { namespace: 'demo/v1', endpoints } });
    await writeJson('index.json', site.index);
    const { out } = await run(['--document', 'index.json']);
    expect(out).toContain('/demo/v1/отзывы');
    expect(out).toContain('?context=help');
  });

  test.each([
    ['another object', '{"posts":[]}', 'neither a root index nor an OpenAPI document'],
    ['routes of another kind of file', '{"shared":[],"routes":{}}', 'neither "name" nor "namespaces"'],
    [
      'another version',
      '{"openapi":"3.0.3","info":{},"paths":{}}',
      'not an OpenAPI 3.1 document. waygate generate',
    ],
    ['no file', undefined, 'no such file'],
  ])('exits with 2 for %s, and names the file', async (_, content, message) => {
    if (content !== undefined) await writeFile(join(folder(), 'wrong.json'), content);
    const result = await run(['--document', 'wrong.json']);
    expect(result).toMatchObject(refused(message));
    expect(result.err).toMatch(/--document \S*wrong\.json/);
  });

  test.each(['index.json', './api/site.openapi.json', 'api.yaml'])(
    'a file in place of the URL names --document: %s',
    async (file) => {
      expect(await run([file])).toMatchObject(refused(`write --document ${file}`));
    },
  );

  test('a recorded index without an address needs the URL', async () => {
    const { home: _home, url: _url, ...rest } = site.index;
    await writeJson('index.json', rest);
    expect(await run(['--document', 'index.json'])).toMatchObject(refused('Give the URL of the site'));
    expect(await run(['https://example.com/blog', '--document', 'index.json'])).toMatchObject({ code: 0 });
    const { servers } = JSON.parse(await read('example.com-blog.openapi.json'));
    expect(servers).toEqual([{ url: 'https://example.com/blog/wp-json' }]);
  });

  test.each(['json', 'yaml'])('a document in %s gives the same types, and no other file', async (format) => {
    await run([site.url, '--name', 'site', '--out', 'first', '--only', 'document,types,client']);
    if (format === 'yaml') {
      const document: unknown = JSON.parse(await read('first/site.openapi.json'));
      await writeFile(join(folder(), 'first/site.openapi.yaml'), stringify(document));
    }
    const given = ['--document', `first/site.openapi.${format}`, '--out', 'second'];
    const from = [...given, '--client'];
    expect(await run(from)).toMatchObject({ code: 0 });
    expect((await readdir(join(folder(), 'second'))).sort()).toEqual(['site.client.ts', 'site.ts']);
    expect(await read('second/site.ts')).toContain('export type * from "./site.client.js";');
    expect(await read('second/site.client.ts')).toBe(await read('first/site.client.ts'));
    expect(await run([...from, '--check'])).toMatchObject({ code: 0, out: '2 files are up to date.\n' });
    expect(await run(given)).toMatchObject({ code: 0 });
    expect(await read('second/site.ts')).toBe(await read('first/site.ts'));
  });

  test('a document is narrowed by --include and --exclude as the index of the site is', async () => {
    Object.assign(Object(site.index['routes']), {
      '/other/v1/things': { namespace: 'other/v1', endpoints: [{ methods: ['GET'], args: {} }] },
    });
    Object.assign(site.index, { home: site.origin, namespaces: ['demo/v1', 'other/v1'] });
    await writeJson('index.json', site.index);
    const only = ['--only', 'document,types,client'];
    const selection = ['--include', 'other/v1', '--name', 'other', ...only];
    await run([site.url, '--name', 'site', ...only]);
    await run([site.url, ...selection, '--out', 'online']);
    expect(await run(['--document', 'index.json', ...selection, '--out', 'index'])).toMatchObject({
      code: 0,
    });
    const { code, err } = await run(['--document', 'site.openapi.json', ...selection, '--out', 'document']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const folder of ['index', 'document']) {
      for (const file of ['other.ts', 'other.client.ts']) {
        expect(await read(`${folder}/${file}`), `${folder}/${file}`).toBe(await read(`online/${file}`));
      }
    }
    expect(Object.keys(JSON.parse(await read('document/other.openapi.json')).paths)).toEqual([
      '/other/v1/things',
    ]);
    const without =
      '--document site.openapi.json --exclude /demo/* --include * --include nothing/v1 --name rest';
    expect(await run(without.split(' '))).toMatchObject({
      code: 0,
      err: 'waygate: --document site.openapi.json: A pattern of include or exclude matches no namespace and no route. The pattern is "nothing/v1" of include.\n',
    });
    expect(await read('rest.ts')).not.toContain('/demo/v1/notes');
    // A part would replace the whole.
    expect(
      await run(['--document', 'site.openapi.json', '--include', 'other/v1', '--only', 'document']),
    ).toMatchObject(refused('is also the file to write'));
  });
});
