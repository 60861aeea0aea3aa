import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
  folder = await mkdtemp(join(tmpdir(), 'waygate-empty-'));
  index = createSmallIndex();
  await run();
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => site.close());

const run = (...more: readonly string[]): Promise<CommandResult> =>
  runCommand(['generate', site.url, '--name', 'site', ...more], { cwd: folder });
const read = (): Promise<string> => readFile(join(folder, 'site.openapi.json'), 'utf8');

describe.each([[[]], [['--check']]])('waygate generate %j leaves the files unchanged', (flags) => {
  test('if the index has no routes, and exits with 3', async () => {
    const before = await read();
    index = { ...index, routes: {} };
    expect(await run(...flags)).toMatchObject({ code: 3, err: expect.stringContaining('has no routes') });
    expect(await read()).toBe(before);
  });

  test('if no route is selected, and exits with 2', async () => {
    const before = await read();
    expect(await run('--include', 'demo/v2', ...flags)).toMatchObject({
      code: 2,
      err: expect.stringContaining('"demo/v2"'),
    });
    expect(await run('--exclude', 'demo/v1', ...flags)).toMatchObject({ code: 2 });
    expect(await read()).toBe(before);
  });
});
