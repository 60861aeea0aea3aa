import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { runStubSite } from '../support/run.ts';
import { type StubSiteOptions, startStubSite } from '../support/stub-site.ts';
import { waitUntil } from '../support/wait.ts';
import { runCommand } from './run-command.ts';
import { MAIN } from './serve-process.ts';

const folder = useFolder();

const route = (title: string, added: object = {}): object => ({
  namespace: 'wp/v2',
  endpoints: [{ methods: ['GET'], args: {} }],
  schema: {
    ...{ title, type: 'object' },
    properties: { id: { type: 'integer' }, link: { type: 'string' }, ...added },
  },
});
const NAMES = ['books', 'films', 'songs'];
const INDEX = {
  name: 'A site',
  namespaces: ['wp/v2'],
  routes: Object.fromEntries(
    NAMES.flatMap((name) => [
      [`/wp/v2/${name}`, route(name)],
      [`/wp/v2/${name}/(?P<id>[\\d]+)`, route(name)],
    ]),
  ),
};

type Failure = (response: ServerResponse) => unknown;
const status =
  (code: number, headers = {}, body = '{"code":"no","message":"No."}'): Failure =>
  (response) =>
    response.writeHead(code, headers).end(body);

/** How a proxy fails an `OPTIONS` request, what is said of it, and whether a later request can succeed. */
const FAILURES: Readonly<Record<string, readonly [fail: Failure, sentence: string, isTemporary: boolean]>> = {
  '503': [status(503), 'returned 503', true],
  '503 with Retry-After': [status(503, { 'retry-after': '2' }), 'returned 503', true],
  '429': [status(429, { 'retry-after': '1' }), 'returned 429', true],
  'a closed connection': [(response) => response.destroy(), 'closed the connection', true],
  'a body that stops': [
    (response) => {
      response.writeHead(200, { 'content-length': '900' }).write('{"end');
      setTimeout(() => response.destroy(), 20);
    },
    'returned 200 and then closed',
    true,
  ],
  'a page': [status(200, {}, '<!doctype html><title>Wait</title>'), 'returned no readable JSON', true],
  '500': [status(500), 'returned 500', true],
  '504 with a page': [
    status(504, { 'content-type': 'text/html' }, '<h1>Time-out</h1>'),
    'returned 504',
    true,
  ],
  'JSON that ends early': [
    status(200, {}, '{"endpoints":[{"methods":["GE'),
    'returned no readable JSON',
    true,
  ],
  'an error that prints before': [
    status(200, {}, '<b>Fatal error</b>: Allowed memory size'),
    'returned no readable JSON',
    true,
  ],
  'a challenge': [
    status(403, { server: 'cloudflare' }, '<title>Just a moment...</title>'),
    'returned 403',
    false,
  ],
  '404': [status(404), 'returned 404', false],
  'an answer of something else': [status(200, {}, '{"id":7}'), 'returned', false],
  '410': [status(410), 'returned 410', false],
  'an empty body': [status(200, {}, ''), 'returned no readable JSON', true],
  '401': [status(401), 'returned 401', false],
  '403': [status(403), 'returned 403', false],
  '405': [status(405), 'returned 405', false],
  '204': [status(204), 'returned 204', false],
  'a redirect to a login': [status(302, { location: '/wp-login.php' }), 'returned 302', false],
};

function generateFrom(url: string, cwd: string) {
  const run = (...flags: readonly string[]) =>
    runCommand(['generate', url, '--name', 'site', ...flags], { cwd });
  const read = (): Promise<readonly string[]> =>
    Promise.all(['site.openapi.json', 'site.ts'].map((name) => readFile(join(cwd, name), 'utf8')));
  return { run, read };
}

/** A site whose resources state `acf` in `OPTIONS` only, and fail as told. */
function failingSite(failure: Failure) {
  const state = { failing: [] as readonly string[], times: 0 };
  const options: StubSiteOptions = {
    index: () => INDEX,
    intercept: ({ method, route: path = '' }, response) => {
      if (method !== 'OPTIONS') return false;
      if (state.failing.includes(path) && state.times > 0) {
        state.times -= 1;
        failure(response);
      } else {
        const name = path.replace('/wp/v2/', '');
        response.writeHead(200).end(JSON.stringify(route(name, { acf: { type: 'object' } })));
      }
      return true;
    },
  };
  return { options, state };
}

const CASES = Object.entries(FAILURES)
  .flatMap(([name, failure]) =>
    [1, Number.POSITIVE_INFINITY].map((times) => [name, times, ...failure] as const),
  )
  .map(([name, times, ...failure], at) => [name, times, `/wp/v2/${NAMES[at % 3]}`, ...failure] as const);

test.concurrent.for(CASES)(
  'a resource that answers OPTIONS with %s, %d times, keeps what is known of %s',
  { timeout: 60_000 },
  async ([, times, path, fail, sentence, isTemporary], { expect, onTestFinished }) => {
    const { options, state } = failingSite(fail);
    const site = await startStubSite(options);
    const cwd = await mkdtemp(join(tmpdir(), 'waygate-unread-'));
    onTestFinished(async () => {
      await site.close();
      await rm(cwd, { recursive: true });
    });
    const { read, run } = generateFrom(site.url, cwd);
    expect(await run()).toMatchObject({ code: 0 });
    const before = await read();
    expect(before[0]).toContain('"acf"');
    const failing = [path];
    const isUnread = times > 1 || !isTemporary;
    for (const flags of [['--check'], ['--check', '--strict-read'], []]) {
      Object.assign(state, { failing, times });
      const begin = site.requests.length;
      const { code, out } = await run(...flags);
      const asked = site.requests.slice(begin).filter((each) => each.route === path).length;
      expect(asked).toBe(isTemporary ? 2 : 1);
      expect(code).toBe(flags.length === 2 && isUnread && isTemporary ? 3 : 0);
      expect(out.includes(`${path} ${sentence}`)).toBe(isUnread);
    }
    expect(await read()).toEqual(before);
  },
);

test.each<[string, Failure]>([
  ['503', status(503)],
  ['403', status(403)],
  ['a closed connection', (response) => response.destroy()],
])('a site that answers every OPTIONS with %s loses no field', async (_, fail) => {
  const { options, state } = failingSite(fail);
  const { read, run } = generateFrom((await runStubSite(options)).url, folder());
  await run();
  const before = await read();
  for (const flags of [['--check', '--fail-on', 'breaking'], []]) {
    Object.assign(state, { failing: NAMES.map((name) => `/wp/v2/${name}`), times: 99 });
    expect(await run(...flags)).toMatchObject({ code: 0 });
  }
  expect(await read()).toEqual(before);
});

test('a first generation of which a third is missing writes its files, says so, and exits with 3', async () => {
  const { options, state } = failingSite(status(503));
  const { read, run } = generateFrom((await runStubSite(options)).url, folder());
  Object.assign(state, { failing: ['/wp/v2/films'], times: 9 });
  expect(await run()).toMatchObject({ code: 3, out: expect.stringContaining('/wp/v2/films returned 503') });
  expect((await read())[0]).toContain('"acf"');
  expect(await run('--no-options')).toMatchObject({ code: 0 });
  expect((await read())[0]).not.toContain('"acf"');
});

test('ten runs write the same bytes, in whatever order the site answers', async () => {
  const { options } = failingSite(status(503));
  let turn = 0;
  const site = await runStubSite({
    ...options,
    intercept: (request, response) => {
      if (request.method !== 'OPTIONS') return false;
      turn += 1;
      // Each run gets its answers in another order.
      setTimeout(() => options.intercept?.(request, response), (turn * 7) % 20);
      return true;
    },
  });
  const { read, run } = generateFrom(site.url, folder());
  await run();
  const first = await read();
  for (let at = 1; at < 10; at += 1) {
    await rm(join(folder(), 'site.openapi.json'));
    expect(await run()).toMatchObject({ code: 0 });
    expect(await read()).toEqual(first);
  }
});

test('Ctrl-C while the site is asked leaves every file as it was', async () => {
  const { options } = failingSite(status(503));
  let isWaiting = false;
  let asked = 0;
  const site = await runStubSite({
    ...options,
    intercept: (request, response) => {
      if (!isWaiting || request.method !== 'OPTIONS') return options.intercept?.(request, response) ?? false;
      asked += 1;
      return true;
    },
  });
  const { read, run } = generateFrom(site.url, folder());
  await run();
  const before = await read();
  const names = await readdir(folder());
  isWaiting = true;
  const child = spawn(process.execPath, [MAIN, 'generate', site.url, '--name', 'site', '--client'], {
    cwd: folder(),
  });
  await waitUntil(() => asked > 0);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const [code, signal] = await ended;
  expect(code !== 0 || signal === 'SIGINT').toBe(true);
  expect(await read()).toEqual(before);
  expect(await readdir(folder())).toEqual(names);
});

test('nothing is kept of a resource that the index no longer has', async () => {
  const { options, state } = failingSite(status(503));
  const { read, run } = generateFrom((await runStubSite(options)).url, folder());
  await run();
  Object.assign(state, { failing: ['/wp/v2/films'], times: 9 });
  expect(await run('--exclude', '/wp/v2/books*')).toMatchObject({ code: 0 });
  const { paths, 'x-waygate': site } = JSON.parse((await read())[0] ?? '');
  expect(Object.keys(paths)).not.toContain('/wp/v2/books');
  expect(Object.keys(site.options)).toEqual(['/wp/v2/films', '/wp/v2/songs']);
});

test.each([1, 9])('an index whose schemas fail %d times changes nothing', async (failures) => {
  let left = 0;
  const site = await runStubSite({
    index: () => INDEX,
    intercept: ({ query, route: path }, response) => {
      if (path !== '/' || !query.has('context') || left === 0) return false;
      left -= 1;
      response.writeHead(503).end();
      return true;
    },
  });
  const { read, run } = generateFrom(site.url, folder());
  await run();
  const before = await read();
  for (const flags of [['--check'], ['--check', '--strict-read'], []]) {
    left = failures;
    const { code, out } = await run(...flags);
    expect(code).toBe(failures > 1 && flags.length === 2 ? 3 : 0);
    expect(out.includes('the site did not answer')).toBe(failures > 1);
  }
  expect(await read()).toEqual(before);
});
