import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type CommandResult, type RunOptions, refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite();
const { folder } = site;

const run = (args: readonly string[], options: RunOptions = {}): Promise<CommandResult> =>
  runCommand(['generate', ...args], { cwd: folder(), ...options });
const read = (name: string): Promise<string> => readFile(join(folder(), name), 'utf8');
const write = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder(), name), JSON.stringify(content));

describe('waygate generate --document', () => {
  test('a recorded index gives the same files as the site', async () => {
    site.index = { ...site.index, home: site.origin, url: site.origin };
    await write('index.json', site.index);
    await run([site.url, '--name', 'online']);
    const start = site.requests.length;
    expect(await run(['--document', 'index.json', '--name', 'offline'])).toMatchObject({ code: 0 });
    expect(site.requests.length).toBe(start);
    expect(await read('offline.openapi.json')).toBe(await read('online.openapi.json'));
  });

  test('names the routes that pretty permalinks cannot reach, and what a plain index lacks', async () => {
    const endpoints = [{ methods: ['GET'], args: {} }];
    Object.assign(Object(site.index['routes']), { '/demo/v1/отзывы': { namespace: 'demo/v1', endpoints } });
    await write('index.json', site.index);
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
    await write('index.json', rest);
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
    await write('index.json', site.index);
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
