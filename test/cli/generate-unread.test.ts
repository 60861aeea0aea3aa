import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import type { StubSiteOptions } from '../support/stub-site.ts';
import { runCommand } from './run-command.ts';

const folder = useFolder();

/** Routes of a list and its items. */
function resource(path: string, title: string): JsonObject {
  const schema = { title, type: 'object', properties: { id: { type: 'integer' }, link: { type: 'string' } } };
  const route = (methods: readonly string[]): JsonObject => ({
    ...{ namespace: 'wp/v2', methods, schema },
    endpoints: methods.map((method) => ({ methods: [method], args: {} })),
  });
  return { [path]: route(['GET', 'POST']), [`${path}/(?P<id>[\\d]+)`]: route(['GET', 'PUT']) };
}

const INDEX = {
  name: 'Library',
  namespaces: ['wp/v2'],
  routes: Object.assign({}, ...['books', 'films', 'songs'].map((name) => resource(`/wp/v2/${name}`, name))),
};

/** What a plugin registers for each response to `OPTIONS`. */
const DESCRIBED = {
  ...{ namespace: 'wp/v2', methods: ['GET', 'POST'], endpoints: [{ methods: ['GET', 'POST'], args: {} }] },
  schema: {
    type: 'object',
    properties: {
      acf: { title: 'fields', type: 'object', properties: { isbn: { type: 'string' } } },
      link: { type: 'string' },
      id: { type: 'integer' },
    },
  },
};

type Failure = NonNullable<StubSiteOptions['intercept']>;
const answering =
  (status: number, body = '{}', type = 'application/json'): Failure =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };

const FAILURES: Readonly<Record<string, Failure>> = {
  '500': answering(500),
  '503': answering(503),
  '429': answering(429),
  '403': answering(403),
  '405': answering(405, 'Not allowed', 'text/plain'),
  '401': answering(401),
  'an empty 204': answering(204, ''),
  'a page': answering(200, '<!doctype html><title>Be right back</title>', 'text/html'),
  'half an answer': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"endpoints":', () => response.destroy());
    return true;
  },
  'a closed connection': (_, response) => Boolean(response.destroy()) || true,
};

/** Starts a site whose `OPTIONS` of a path can fail. */
async function start() {
  const state: { fails: RegExp; failure: Failure } = { fails: /$^/, failure: answering(503) };
  const site = await runStubSite({
    index: INDEX,
    intercept(request, response) {
      if (request.method !== 'OPTIONS') return false;
      if (state.fails.test(request.route ?? '')) return state.failure(request, response);
      return answering(200, JSON.stringify(DESCRIBED))(request, response);
    },
  });
  const run = (...flags: string[]) =>
    runCommand(['generate', site.url, '--name', 'site', '--client', ...flags], { cwd: folder() });
  const read = async (): Promise<readonly string[]> =>
    Promise.all(
      ['openapi.json', 'ts', 'client.ts'].map((end) => readFile(join(folder(), `site.${end}`), 'utf8')),
    );
  return { state, run, read };
}

describe('a resource that could not be read', () => {
  const cases = Object.entries(FAILURES).flatMap(([what, failure]) =>
    ['books', 'songs'].map((name) => ({ what, name, failure })),
  );
  test.each(cases)('keeps what is known: $what for $name', async ({ failure, name }) => {
    const { read, run, state } = await start();
    expect(await run()).toMatchObject({ code: 0 });
    const before = await read();
    expect(before[2]).toContain('isbn');
    Object.assign(state, { fails: new RegExp(`/${name}$`), failure });
    const checked = await run('--check', '--fail-on', 'any');
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining(`Not read: /wp/v2/${name} (`) });
    expect(await run('--check', '--strict-read')).toMatchObject({ code: 3 });
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('is kept') });
    expect(await read()).toEqual(before);
    // The way to end that.
    expect(await run('--check', '--no-options')).toMatchObject({ code: 1 });
  });

  test('keeps nothing of a resource that the index no longer has', async () => {
    const { read, run, state } = await start();
    await run();
    Object.assign(state, { fails: /films$/ });
    expect(await run('--exclude', '/wp/v2/books*')).toMatchObject({ code: 0 });
    const [document = ''] = await read();
    expect(Object.keys(JSON.parse(document).paths)).toEqual(
      ['films', 'songs'].flatMap((name) => [`/wp/v2/${name}`, `/wp/v2/${name}/{id}`]),
    );
    expect(document).toContain('isbn');
  });

  test('without earlier files is missing in the first, which exits with 3 and says so', async () => {
    const { read, run, state } = await start();
    Object.assign(state, { fails: /books$/ });
    const { code, out } = await run();
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('are missing in the files') });
    expect((await read())[0]).toContain('isbn');
  });
});
