import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { type CommandResult, type RunOptions, runCommand } from './run-command.ts';

let site: StubSite;
const folder = useFolder();
let index: Record<string, unknown>;
let isDown = false;

beforeAll(async () => {
  site = await startStubSite({
    index: () => index,
    intercept: (_, response) => {
      if (!isDown) return false;
      response.writeHead(503).end();
      return true;
    },
  });
});
beforeEach(async () => {
  isDown = false;
  index = createSmallIndex();
});
afterAll(() => site.close());

const run = (args: readonly string[], options: RunOptions = {}): Promise<CommandResult> =>
  runCommand(['generate', ...args], { cwd: folder(), ...options });
const read = (name: string): Promise<string> => readFile(join(folder(), name), 'utf8');
const write = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder(), name), JSON.stringify(content));

describe('waygate generate --from', () => {
  test('a recorded index gives the same files as the site', async () => {
    index = { ...index, home: site.origin, url: site.origin };
    await write('index.json', index);
    await run([site.url, '--name', 'online', '--schemas', 'off']);
    const start = site.requests.length;
    expect(await run(['--from', 'index.json', '--name', 'offline'])).toMatchObject({ code: 0 });
    expect(site.requests.length).toBe(start);
    expect(await read('offline.openapi.json')).toBe(await read('online.openapi.json'));
  });

  test.each([
    ['png', '\u0089PNG', 'neither a root index nor an OpenAPI document'],
    [
      'json',
      '{"openapi":"3.0.3","info":{},"paths":{}}',
      'not an OpenAPI 3.1 document. waygate generate writes',
    ],
  ])('names the .%s file that is something else', async (ending, content, message) => {
    await writeFile(join(folder(), `wrong.${ending}`), content);
    const { code, err } = await run(['--from', `wrong.${ending}`]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
    expect(err).toContain(`--from wrong.${ending}`);
  });

  test('is not for a URL', async () => {
    const { code, err } = await run(['--from', 'https://ada:secret@example.com/wp-json']);
    expect(code).toBe(2);
    expect(err).toContain('Give the URL without it: waygate generate https://example.com/wp-json');
    expect(err).not.toContain('secret');
  });

  test('a recorded index without an address needs the URL', async () => {
    const { home: _home, url: _url, ...rest } = index;
    await write('index.json', rest);
    expect(await run(['--from', 'index.json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give the URL of the site'),
    });
    expect(await run(['https://example.com/blog', '--from', 'index.json'])).toMatchObject({ code: 0 });
    const { servers } = JSON.parse(await read('example.com-blog.openapi.json'));
    expect(servers).toEqual([{ url: 'https://example.com/blog/wp-json' }]);
  });

  test.each(['json', 'yaml'])('a document in %s gives the same types, and no other file', async (format) => {
    await run([site.url, '--name', 'site', '--out', 'first', '--only', 'document,yaml,types']);
    expect(
      await run(['--from', `first/site.openapi.${format}`, '--out', 'second', '--client']),
    ).toMatchObject({
      code: 0,
    });
    expect((await readdir(join(folder(), 'second'))).sort()).toEqual(['site.client.ts', 'site.ts']);
    expect(await read('second/site.ts')).toBe(await read('first/site.ts'));
    const check = ['--from', `first/site.openapi.${format}`, '--out', 'second', '--client', '--check'];
    expect(await run(check)).toMatchObject({ code: 0, out: '2 files are up to date.\n' });
  });

  test('a document is narrowed by --include and --exclude as the index of the site is', async () => {
    Object.assign(Object(index['routes']), {
      '/other/v1/things': { namespace: 'other/v1', endpoints: [{ methods: ['GET'], args: {} }] },
    });
    Object.assign(index, { home: site.origin, namespaces: ['demo/v1', 'other/v1'] });
    await write('index.json', index);
    const only = ['--only', 'document,types,client'];
    const selection = ['--include', 'other/v1', '--name', 'other', ...only];
    await run([site.url, '--name', 'site', ...only]);
    await run([site.url, ...selection, '--out', 'online']);
    expect(await run(['--from', 'index.json', ...selection, '--out', 'index'])).toMatchObject({ code: 0 });
    const { code, err } = await run(['--from', 'site.openapi.json', ...selection, '--out', 'document']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const folder of ['index', 'document']) {
      for (const file of ['other.ts', 'other.client.ts']) {
        expect(await read(`${folder}/${file}`), `${folder}/${file}`).toBe(await read(`online/${file}`));
      }
    }
    expect(Object.keys(JSON.parse(await read('document/other.openapi.json')).paths)).toEqual([
      '/other/v1/things',
    ]);
    const without = [
      '--from',
      'site.openapi.json',
      '--exclude',
      '/demo/*',
      '--include',
      '*',
      '--include',
      'nothing/v1',
    ];
    expect(await run([...without, '--name', 'rest'])).toMatchObject({
      code: 0,
      err: 'waygate: --from site.openapi.json: A pattern of include or exclude matches no namespace and no route. The pattern is "nothing/v1" of include.\n',
    });
    expect(await read('rest.ts')).not.toContain('/demo/v1/notes');
    expect(await run(['--from', 'site.openapi.json', '--include', 'nothing/v1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'No route of the document is left by include "nothing/v1". Its namespaces are demo/v1, other/v1.',
      ),
    });
    // A part would replace the whole.
    expect(
      await run(['--from', 'site.openapi.json', '--include', 'other/v1', '--only', 'document']),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('is also the file to write'),
    });
  });

  test.each([
    ['neither an index nor a document', { posts: [] }, 'neither a root index nor an OpenAPI document'],
    [
      'another version of OpenAPI',
      { openapi: '3.0.0', info: {}, paths: {} },
      'is not an OpenAPI 3.1 document',
    ],
    ['a list', [], 'neither a root index'],
  ])('%s exits with 2', async (_, content, message) => {
    await write('input.json', content);
    expect(await run(['--from', 'input.json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    });
  });

  test('a missing file exits with 2', async () => {
    expect(await run(['--from', 'nowhere.json'])).toMatchObject({ code: 2 });
  });
});

describe('waygate generate --watch', () => {
  test('writes only what changed, prints the changes, survives a failure of the site and stops on SIGINT', async () => {
    let output = '';
    let onText = (): void => {};
    const seen = (text: string): Promise<void> =>
      new Promise((resolve) => {
        onText = () => {
          if (output.includes(text)) resolve();
        };
        onText();
      });
    const requests = site.requests.length;
    const command = run([site.url, '--name', 'site', '--watch', '100ms', '--schemas', 'off'], {
      onOutput: (text) => {
        output += text;
        onText();
      },
    });
    await seen('Written: site.openapi.json, site.ts\n');
    const written = output;
    await expect.poll(() => site.requests.length, { timeout: 10_000 }).toBeGreaterThan(requests + 4);
    expect(output).toBe(written);
    isDown = true;
    await seen('waygate: ');
    const whileDown = site.requests.length;
    await expect.poll(() => site.requests.length, { timeout: 10_000 }).toBeGreaterThan(whileDown + 100);
    // The site may go down within a generation, whose reason is then another one.
    expect(output.split('waygate: ').length - 1).toBeLessThanOrEqual(2);
    isDown = false;
    index = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });
    await seen('query parameter "order": the value "desc" was removed (breaking)\n');
    await seen('waygate: the generation works again\n');
    process.emit('SIGINT');
    expect((await command).code).toBe(0);
    expect(await read('site.ts')).toContain('order?: "asc";');
  });

  test.each([
    ['an interval that is too short', ['--watch', '1ms'], '100ms'],
    ['no duration', ['--watch', 'often'], '250ms'],
    ['together with --check', ['--watch', '--check'], '--check'],
  ])('%s exits with 2', async (_, flags, message) => {
    expect(await run([site.url, ...flags])).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
