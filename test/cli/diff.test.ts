import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import WORDPRESS from '../fixtures/wordpress-7.1-index-help.json' with { type: 'json' };
import { BASE, type Edit, edited } from '../generator/changes/documents.ts';
import { startGateway } from '../support/gateway.ts';
import { createSmallIndex } from '../support/small-index.ts';
import { type CommandResult, refused, runCommand } from './run-command.ts';
import { useSmallSite } from './small-site.ts';

const site = useSmallSite();
const { folder } = site;

const POST = 'components schemas Post';
/** The `order` of the small site without one of its values, which breaks. */
const NARROWED = createSmallIndex({ order: { type: 'string', enum: ['asc'] } });

const write = (name: string, content: unknown): Promise<void> =>
  writeFile(join(folder(), name), typeof content === 'string' ? content : JSON.stringify(content));
const diff = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
  runCommand(['diff', ...args], { cwd: folder(), env });

/** Compares the base document with an edited one. */
async function diffEdited(edits: readonly Edit[], ...flags: readonly string[]): Promise<CommandResult> {
  await write('new.json', edited(BASE, ...edits));
  return diff(['old.json', 'new.json', ...flags]);
}

const RISKY: Edit = [`${POST} properties status enum`, ['draft', 'publish', 'trash']];
const BREAKING: Edit = [`${POST} properties link`, undefined];
const COMPATIBLE: Edit = [`${POST} properties slug`, { type: 'string' }];
const TEXT: Edit = ['info title', 'Site B'];
const ALL = [RISKY, BREAKING, COMPATIBLE, TEXT];

beforeEach(() => write('old.json', BASE));

describe('the exit code of waygate diff is', () => {
  test.each<[number, string, readonly Edit[], string]>([
    [0, 'no change', [], 'breaking'],
    [0, 'a risky change', [RISKY], 'breaking'],
    [1, 'a risky change', [RISKY], 'risky'],
    [1, 'a breaking change', [BREAKING], 'breaking'],
    [1, 'a breaking change', [BREAKING], 'risky'],
    [0, 'a compatible change and a text', [COMPATIBLE, TEXT], 'risky'],
  ])('%i for %s: %j --fail-on %s', async (code, _, edits, failOn) => {
    expect(await diffEdited(edits, '--fail-on', failOn)).toMatchObject({ code, err: '' });
  });
});

describe('waygate diff prints', () => {
  test('a line for each change, the severest first, with its rule', async () => {
    const { out } = await diffEdited(ALL);
    const operations = 'GET /posts and GET /posts/{id}: response schema Post, member';
    expect(out).toBe(`1 breaking change, 1 risky change, 1 other change
  ${operations} "link": it was removed (breaking) [member-removed]
  ${operations} "status": the value "trash" was added (risky) [value-added]
  ${operations} "slug": it was added [member-added]
`);
    expect((await diffEdited([])).out).toBe('no changes\n');
    expect((await diffEdited([TEXT])).out).toBe('only texts or data for the gateway differ\n');
  });

  test('one breaking change for the operations of a route that is gone, and none for the names of their schemas', async () => {
    const tags = Object.entries(WORDPRESS.routes).filter(([route]) => !route.startsWith('/wp/v2/tags'));
    await write('without.json', { ...WORDPRESS, routes: Object.fromEntries(tags) });
    await write('with.json', WORDPRESS);
    const rulesOf = async (...files: readonly string[]) =>
      Array.from((await diff(files)).out.matchAll(/\[([\w-]+)\]$/gm), ([, rule]) => rule);
    const embedded = Array.from({ length: 3 });
    expect(await rulesOf('with.json', 'without.json')).toEqual([
      'operation-removed',
      ...embedded.fill('alternative-removed'),
    ]);
    expect(await rulesOf('without.json', 'with.json')).toEqual([
      ...embedded.fill('alternative-added'),
      'operation-added',
    ]);
  });

  test('JSON', async () => {
    const { out } = await diffEdited([RISKY], '--json');
    const change = {
      ...{ rule: 'value-added', severity: 'risky', operations: ['GET /posts', 'GET /posts/{id}'] },
      ...{
        subject: 'response schema Post, member "status"',
        text: 'the value "trash" was added',
        to: 'trash',
      },
    };
    expect(JSON.parse(out)).toEqual({ old: 'old.json', new: 'new.json', changes: [change], omitted: 0 });
  });
});

describe('waygate diff reads', () => {
  test('a document, a recorded index, a site and a site behind a gateway', async () => {
    const read = { url: site.url, name: 'notes', document: undefined, passthrough: false };
    const { gateway, origin } = await startGateway(read);
    await runCommand(['generate', site.url, '--name', 'site'], { cwd: folder() });
    await write('index.json', site.index);
    const sources = [site.url, 'site.openapi.json', 'index.json', `${origin}/notes`];
    for (const source of sources) {
      const { code, err, out } = await diff(['site.openapi.json', source]);
      expect([source, code, err, out.includes('breaking')]).toEqual([source, 0, '', false]);
    }
    site.index = NARROWED;
    await write('index.json', site.index);
    await gateway.rediscover();
    for (const source of [site.url, 'index.json', `${origin}/notes`, `${origin}/notes/`]) {
      const { code, out } = await diff(['site.openapi.json', source]);
      expect([source, code]).toEqual([source, 1]);
      expect(out).toContain('the value "desc" was removed (breaking)');
    }
  });

  test('only what --include selects, of every kind of source', async () => {
    await write('index.json', NARROWED);
    const flags = ['--exclude', '/demo/v1/notes'];
    expect(await diff([site.url, 'index.json', ...flags])).toMatchObject(refused('No route of'));
  });
});

describe('waygate diff refuses', () => {
  test.each([
    ['a file that is missing', ['none.json', 'old.json'], 'none.json: there is no such file'],
    ['a file that is no document', ['text', 'old.json'], 'text'],
    ['a document of OpenAPI 3.0', ['old.json', 'older.json'], 'older.json is not an OpenAPI 3.1 document'],
    ['another severity', ['old.json', 'old.json', '--fail-on', 'compatible'], 'Allowed choices are'],
    ['one source', ['old.json'], "missing required argument 'new'"],
  ])('%s', async (_, args, message) => {
    await write('text', 'not: [a document');
    await write('older.json', { ...BASE, openapi: '3.0.3' });
    const result = await diff(args);
    expect(result).toMatchObject(refused(message));
    expect(result.err).not.toContain('--document');
  });

  test('to send credentials to two hosts', async () => {
    const others = [site.url, 'https://staging.example.com'];
    const message = 'two sites would get the same credentials';
    const secret = 'user:secret-password';
    expect(await diff([...others, '--auth', secret])).toMatchObject(refused(message));
    expect(await diff(others, { WAYGATE_AUTH: secret })).toMatchObject(refused(message));
    expect(await diff([...others, '--header', 'x-key: 1'])).toMatchObject(refused(message));
    expect((await diff([site.url, `${site.url}?a=1`], { WAYGATE_AUTH: secret })).code).toBe(0);
  });
});

test('waygate diff exits with 3 if a site cannot be read', async () => {
  const closed = 'http://127.0.0.1:9';
  const { code, err, out } = await diff(['old.json', closed]);
  expect([code, out]).toEqual([3, '']);
  expect(err).toContain(closed);
});
