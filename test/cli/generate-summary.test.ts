import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSmallIndex } from '../support/small-index.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';
import { type CommandResult, runCommand } from './run-command.ts';

let site: StubSite;
let folder: string;
let index: Record<string, unknown>;

beforeAll(async () => {
  site = await startStubSite({ index: () => index });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waygate-summary-'));
  index = createSmallIndex({
    order: { type: 'string', required: 'yes' },
    date: { type: 'string', readonly: true, context: ['view'] },
    broken: 5,
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => site.close());

const run = (...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['generate', site.url, '--name', 'site', ...more], { cwd: folder });

describe('the summary of waygate generate', () => {
  test('begins with what was written, what needs attention and what to do next', async () => {
    const { out } = await run('--out', 'api');
    expect(out.split('\n').slice(0, 3)).toEqual([
      'api/site.{openapi.json,ts}: 1 operation, 0 with a typed response',
      'Attention: the index has no response schemas; try --schemas options, or waygate reconcile.',
      "Next: import { type paths } from './api/site.ts'; in CI, the same command with --check.",
    ]);
  });

  test('then has counts, in which harmless normalisations are apart from losses', async () => {
    const { out } = await run();
    expect(out).toMatch(/^ {2}1 route, 1 endpoint → 1 path, 1 operation$/m);
    expect(out).toMatch(/^ {2}\d+ findings: 1 for attention, 1 with a loss, \d harmless$/m);
    expect(out).not.toContain('argument-not-an-object');
  });

  test('names each rule with --verbose, with an example of those that matter, and the files', async () => {
    const { out } = await run('--verbose');
    expect(out).toMatch(
      /argument-not-an-object +1\n +such as "\/demo\/v1\/notes": The declaration of an argument/,
    );
    expect(out).toMatch(/^ {4}readonly +\d+$/m);
    expect(out).toMatch(/Files:\n {2}site\.openapi\.json\n/);
  });

  test('names --schemas options if a recorded index has no schemas', async () => {
    await writeFile(join(folder, 'index.json'), JSON.stringify(index));
    const { out } = await runCommand(['generate', '--from', 'index.json'], { cwd: folder });
    expect(out.split('\n')[1]).toBe(
      "Attention: 1 response unknown; record the index with ?context=help, or give the site's URL in place of --from and --schemas options, or use waygate reconcile <site-url>.",
    );
    const { out: off } = await run('--schemas', 'off');
    expect(off).toContain(`1 response unknown; try --schemas options, or waygate reconcile ${site.url}.`);
  });

  test('says how unknown responses are learned, if the index has schemas', async () => {
    index = createSmallIndex();
    Object.assign((index['routes'] as Record<string, object>)['/demo/v1/notes'] ?? {}, {
      schema: { type: 'string' },
    });
    Object.assign(index['routes'] as object, {
      '/demo/v1/other': {
        namespace: 'demo/v1',
        endpoints: [{ methods: ['GET'], args: {} }],
        schema: { type: 'string' },
      },
      '/demo/v1/third': { namespace: 'demo/v1', endpoints: [{ methods: ['GET'], args: {} }] },
    });
    expect((await run()).out).toContain(
      `Attention: 1 response unknown; waygate reconcile ${site.url} learns them from the site.`,
    );
    const url = site.url.replace('//', '//admin:secret@');
    const { out } = await runCommand(['generate', url, '--name', 'site'], { cwd: folder });
    expect(out).toContain(`waygate reconcile ${site.url} learns`);
    expect(out).not.toContain('secret');
  });
});

test('--upstream-host reads the site under its public name', async () => {
  const { code, out } = await run('--upstream-host', 'www.example.com', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out).site).toBe('http://www.example.com/');
  expect(site.requests.at(-1)?.headers.host).toBe('www.example.com');
});

test('--upstream-ca exits with 2 if the file has no certificate', async () => {
  expect(await run('--upstream-ca', 'nowhere.pem')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--upstream-ca'),
  });
});
