import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { format, type Options } from 'prettier';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSmallIndex } from '../support/small-index.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite();
const { folder } = site;
beforeEach(() => run());

const run = (...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['generate', site.url, '--name', 'site', ...more], { cwd: folder() });
const write = (name: string, text: string): Promise<void> => writeFile(join(folder(), name), text);
const read = (name: string): Promise<string> => readFile(join(folder(), name), 'utf8');

const UNCHANGED = 'The interface did not change.';

test.each<[what: string, spoil: (text: string) => string | undefined]>([
  ['has the markers of a merge conflict', (text) => `<<<<<<< HEAD\n${text}`],
  ['is nested too deeply', () => `{"paths":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`],
  ['is missing', () => undefined],
])('generate --check with a stored document that %s says that the changes are unknown', async (_, spoil) => {
  const text = spoil(await read('site.openapi.json'));
  if (text === undefined) await rm(join(folder(), 'site.openapi.json'));
  else await write('site.openapi.json', text);
  site.index = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });
  const { code, out } = await run('--check');
  expect(code).toBe(1);
  expect(out).toContain('What changed is unknown, because site.openapi.json has no earlier version');
  expect(out).not.toContain(UNCHANGED);
  const { out: json } = await run('--check', '--json');
  expect(JSON.parse(json)).toMatchObject({
    stale: true,
    changes: [],
    incomparable: expect.stringContaining('What changed is unknown'),
  });
  expect(await run()).toMatchObject({ code: 0 });
  expect(await run('--check')).toMatchObject({ code: 0 });
});

test('generate --check --document says that the changes are unknown', async () => {
  const given = ['generate', '--document', 'site.openapi.json', '--out', 'types'];
  await runCommand(given, { cwd: folder() });
  site.index = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });
  await run();
  const { code, out } = await runCommand([...given, '--check'], { cwd: folder() });
  expect([code, out]).toEqual([1, expect.stringContaining('What changed is unknown')]);
  expect(out).not.toContain(UNCHANGED);
});

describe.each([[[]], [['--check']]])('waygate generate %j leaves the files unchanged', (flags) => {
  test('if the index has no routes, and exits with 3', async () => {
    const before = await read('site.openapi.json');
    site.index = { ...site.index, routes: {} };
    expect(await run(...flags)).toMatchObject({ code: 3, err: expect.stringContaining('has no routes') });
    expect(await read('site.openapi.json')).toBe(before);
  });

  test('if no route is selected, and exits with 2', async () => {
    const before = await read('site.openapi.json');
    expect(await run('--include', 'demo/v2', ...flags)).toMatchObject(refused('"demo/v2"'));
    expect(await run('--exclude', 'demo/v1', ...flags)).toMatchObject({ code: 2 });
    expect(await read('site.openapi.json')).toBe(before);
  });
});

const TWO = { order: { type: 'string', enum: ['one', 'two'] } };
test.each<[change: string, args: object, breaking: number]>([
  ['the description of an argument', { order: { ...TWO.order, description: 'New.' } }, 0],
  ['a new argument', { ...TWO, page: { type: 'integer' } }, 0],
  ['a value that is gone', { order: { type: 'string', enum: ['one'] } }, 1],
])('after a change of %s, --fail-on decides the exit code', async (_, args, breaking) => {
  site.index = createSmallIndex(TWO);
  await run();
  site.index = createSmallIndex({ ...args });
  expect((await run('--check')).code).toBe(1);
  for (const [severity, code] of Object.entries({ any: 1, risky: breaking, breaking }))
    expect((await run('--check', '--fail-on', severity)).code).toBe(code);
});

test('--fail-on breaking fails without a file that programs import', async () => {
  await rm(join(folder(), 'site.ts'));
  expect(await run('--check', '--fail-on', 'breaking')).toMatchObject({
    code: 1,
    out: expect.stringContaining('site.ts: missing'),
  });
});

test('Biome finds nothing in generated modules', async () => {
  await run('--client', '--tanstack');
  await write('biome.json', '{ "files": { "includes": ["*.ts", "!biome.json"] } }\n');
  const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [
      biome,
      'ci',
      '--colors=off',
      '--formatter-enabled=true',
      'site.ts',
      'site.client.ts',
      'site.tanstack.ts',
    ],
    { cwd: folder() },
  );
  expect(stdout + stderr).toMatch(/Checked 3 files in \S+ No fixes applied\.\s*$/);
});

test('files that Git has checked out with CRLF are up to date', async () => {
  for (const name of ['site.ts', 'site.openapi.json']) {
    await write(name, (await read(name)).replaceAll('\n', '\r\n'));
  }
  expect(await run('--check')).toMatchObject({ code: 0 });
});

/** All files but the report. */
const ALL = [
  ...['--client', '--tanstack'],
  ...['document', 'types', 'client', 'tanstack'].flatMap((name) => ['--only', name]),
];

test('files that Prettier has formatted are up to date until a word of the client is another', async () => {
  const options: Options = {
    printWidth: 40,
    useTabs: true,
    singleQuote: true,
    trailingComma: 'none',
    semi: false,
  };
  await run(...ALL);
  const names = (await readdir(folder())).filter((name) => /\.(?:ts|json)$/.test(name));
  expect(names).toHaveLength(4);
  for (const name of names) {
    await write(name, await format(await read(name), { ...options, filepath: name }));
  }
  expect(await run(...ALL, '--check')).toMatchObject({ code: 0 });
  const client = await read('site.client.ts');
  for (const [from, to] of Object.entries({
    rest_invalid_param: 'rest_invalid',
    createClient: 'createClients',
    'retry-after': 'retry after',
    PagedOperations: 'PagedOperation',
    "'one'": "'list'",
  })) {
    expect(client).toContain(from);
    await write('site.client.ts', client.replace(from, to));
    expect(await run(...ALL, '--check'), from).toMatchObject({ code: 1 });
  }
});
