import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createGateway, type Gateway, type SiteOptions } from '../../../src/gateway/index.ts';
import { serve, stateFolder } from '../../../src/node/index.ts';
import { type Clock, type StateStore, systemClock } from '../../../src/ports.ts';
import { type CommandResult, refused, runCommand } from '../../cli/run-command.ts';
import { useFolder } from '../../support/folder.ts';
import { type StubSite, startStubSite } from '../../support/stub-site.ts';
import { waitUntil } from '../../support/wait.ts';
import { signIn } from '../console/support/console-client.ts';

/** Routes that the site always has, so that one of the others is no large loss. */
const OTHERS = Array.from({ length: 6 }, (_, at) => `other-${at}`);

/** The index of a site: `paths` are its routes, `values` those of a parameter. */
function createIndex(paths: readonly string[], values: readonly string[] = ['asc', 'desc']): object {
  const args = { order: { type: 'string', enum: values } };
  const route = { namespace: 'demo/v1', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] };
  const routes = Object.fromEntries([...paths, ...OTHERS].map((path) => [`/demo/v1/${path}`, route]));
  return { name: 'Site', namespaces: ['demo/v1'], routes };
}

const [A, AB, ABC] = ['a', 'ab', 'abc'].map((letters) => createIndex([...letters])) as [
  object,
  object,
  object,
];
/** Milliseconds of `holdRemovals` in tests, which no other timer has. */
const HOLD = 601_000;

const folder = useFolder();
let index: object;
let site: StubSite;
let isDown: boolean;
let isHung: boolean;
let hung: ServerResponse[];
let reviews: (() => void)[];
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  [index, isDown, isHung, hung, reviews] = [AB, false, false, [], []];
  site = await startStubSite({
    index: () => index,
    intercept(_, response) {
      if (isDown) response.destroy();
      else if (isHung) hung.push(response);
      return isDown || isHung;
    },
    respond: ({ route = '' }) =>
      Object.hasOwn(Object(index).routes, route)
        ? { body: { route } }
        : { status: 404, body: { code: 'rest_no_route', message: 'No route', data: { status: 404 } } },
  });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await site.close();
});

const clock: Clock = {
  now: systemClock.now,
  after(delay, task) {
    if (delay !== HOLD) return systemClock.after(delay, task);
    reviews.push(task);
    return () => {
      reviews = reviews.filter((each) => each !== task);
    };
  },
};

interface Subject {
  readonly gateway: Gateway;
  readonly url: string;
  readonly warnings: string[];
  discover(next: object): Promise<void>;
  readonly routes: () => Promise<string>;
  readonly list: () => Promise<Listed>;
  act(body: object): Promise<Response>;
  readonly stop: () => Promise<void>;
}

interface Listed {
  readonly pinned: boolean;
  readonly served: number;
  readonly held: {
    readonly reason: string;
    readonly changes: { readonly breaking: number; readonly added: number };
  } | null;
  readonly versions: readonly {
    readonly version: number;
    readonly cause: string;
    readonly operations: number;
  }[];
}

const bearer = { authorization: 'Bearer admin' };

async function start(
  options: Partial<SiteOptions> = {},
  state: StateStore | null = stateFolder(folder()),
): Promise<Subject> {
  const warnings: string[] = [];
  const gateway = createGateway({
    sites: [{ url: site.url, ...options }],
    admin: { token: 'admin' },
    clock,
    ...(state === null ? {} : { state }),
    log: { info() {}, error() {}, warn: (_, text) => warnings.push(text) },
  });
  await gateway.rediscover();
  const server = await serve(gateway, { port: 0, shutdownGrace: 100 });
  closing.push(server.stop);
  const { url } = server;
  const read = async (path: string) => (await fetch(url + path, { headers: bearer })).json();
  return {
    gateway,
    url,
    warnings,
    async discover(next) {
      index = next;
      await gateway.rediscover();
    },
    routes: async () =>
      Object.keys((await read('/openapi.json')).paths)
        .map((path) => path.replace('/demo/v1/', ''))
        .filter((name) => !OTHERS.includes(name))
        .join(''),
    list: () => read('/-/sites/default/documents'),
    act: (body) =>
      fetch(`${url}/-/sites/default/documents`, {
        method: 'POST',
        headers: bearer,
        body: JSON.stringify(body),
      }),
    async stop() {
      closing.splice(closing.indexOf(server.stop), 1);
      await server.stop();
    },
  };
}

const PINNED = { document: 'pinned' };

describe('`document: pinned`', () => {
  test('serves the first document, and holds back each change of the site', async () => {
    const { discover, list, routes, url, warnings } = await start(PINNED);
    expect(await routes()).toBe('ab');
    expect(warnings.join()).toContain('no document is stored that could be pinned');
    for (const next of [ABC, A, createIndex(['a', 'b'], ['asc'])]) {
      await discover(next);
      expect(await routes()).toBe('ab');
      expect(await list()).toMatchObject({ pinned: true, served: 1, held: { reason: 'pinned' } });
      const { details } = await (await fetch(`${url}/-/ready`)).json();
      expect(details).toEqual([
        expect.objectContaining({
          state: 'held',
          message: expect.stringContaining('the served one is pinned'),
        }),
      ]);
    }
    expect(reviews).toEqual([]);
    await discover(AB);
    expect((await list()).held).toBeNull();
    expect((await list()).versions).toHaveLength(1);
  });

  test('serves what is promoted, and holds back the next change', async () => {
    const { act, discover, list, routes } = await start(PINNED);
    await discover(ABC);
    expect((await act({ action: 'promote' })).status).toBe(200);
    expect(await routes()).toBe('abc');
    expect(await list()).toMatchObject({ pinned: true, served: 2, held: null });
    await discover(A);
    expect((await act({ action: 'reject' })).status).toBe(200);
    await discover(A);
    expect(await list()).toMatchObject({ served: 2, held: null });
    expect(await routes()).toBe('abc');
    expect((await act({ action: 'promote' })).status).toBe(409);
    expect((await act({ action: 'reject' })).status).toBe(409);
  });

  test('serves the same document after a restart, also with other settings, and holds back what has changed since', async () => {
    await (await start(PINNED)).stop();
    index = ABC;
    isDown = true;
    const offline = await start(PINNED);
    expect(await offline.routes()).toBe('ab');
    await offline.stop();
    isDown = false;
    for (const options of [PINNED, { ...PINNED, discover: { exclude: ['/demo/v1/c'] } }]) {
      const { list, routes, stop, warnings } = await start(options);
      expect(await routes()).toBe('ab');
      expect((await list()).held?.reason).toBe(options === PINNED ? 'pinned' : undefined);
      expect(warnings.join()).not.toContain('no document is stored');
      await stop();
    }
  });

  test.each<[string, Partial<SiteOptions>, boolean]>([
    ['without state', PINNED, false],
    ['without discovery', { ...PINNED, discovery: 'off' }, true],
  ])('is refused %s', (_, options, hasState) => {
    const state = hasState ? { state: stateFolder(folder()) } : {};
    expect(() => createGateway({ sites: [{ url: site.url, ...options }], ...state })).toThrow(
      'sites[0].document: pinned needs "state" and discovery',
    );
  });

  test.each<[string, (text: string) => string]>([
    ['corrupt', (text) => text.slice(0, -20)],
    ['that of another site', (text) => text.replace(site.url, 'https://example.com')],
  ])('says that nothing is pinned if the stored document is %s', async (_, damage) => {
    await (await start(PINNED)).stop();
    const file = join(folder(), 'document.json');
    await writeFile(file, damage(await readFile(file, 'utf8')));
    index = ABC;
    const { routes, warnings } = await start(PINNED);
    expect(await routes()).toBe('abc');
    expect(warnings).toEqual([
      expect.stringMatching(/^the stored last good document is unusable: .* kept as /),
      expect.stringContaining('no document is stored that could be pinned'),
    ]);
  });
});

describe('an operator', () => {
  test('pins the document, until the site is followed again', async () => {
    const { act, discover, list, routes } = await start();
    expect((await act({ action: 'pin' })).status).toBe(200);
    await discover(ABC);
    expect(await routes()).toBe('ab');
    expect((await act({ action: 'promote' })).status).toBe(200);
    expect(await list()).toMatchObject({ pinned: false, served: 2 });
    await discover(AB);
    expect(await routes()).toBe('ab');
    await act({ action: 'pin' });
    expect((await act({ action: 'promote' })).status).toBe(200);
    expect((await act({ action: 'promote' })).status).toBe(409);
    await discover(ABC);
    expect(await routes()).toBe('abc');
  });

  test('pins it beyond a restart', async () => {
    const { act, stop } = await start();
    await act({ action: 'pin' });
    await stop();
    index = ABC;
    const { list, routes } = await start();
    expect(await routes()).toBe('ab');
    expect(await list()).toMatchObject({ pinned: true, held: { reason: 'pinned' } });
  });

  test('rolls back, which pins, and holds back what was served', async () => {
    const { act, discover, list, routes } = await start();
    await discover(ABC);
    expect((await act({ action: 'rollback' })).status).toBe(200);
    expect(await routes()).toBe('ab');
    expect(await list()).toMatchObject({
      pinned: true,
      served: 3,
      held: { reason: 'pinned', changes: { breaking: 0 } },
      versions: [
        { version: 3, cause: 'rolled-back', operations: 2 + OTHERS.length },
        { version: 2 },
        { version: 1 },
      ],
    });
    // The site has not changed, and then it does.
    await discover(ABC);
    expect(await routes()).toBe('ab');
    await discover(createIndex(['a', 'b', 'c', 'd']));
    expect((await list()).held?.changes.added).toBe(2);
    expect((await act({ action: 'rollback' })).status).toBe(409);
    await act({ action: 'promote' });
    expect(await routes()).toBe('abcd');
    expect(await list()).toMatchObject({ pinned: false, served: 4 });
  });

  test('rolls back to what was served before a restart', async () => {
    const first = await start();
    await first.discover(ABC);
    await first.discover(A);
    await first.act({ action: 'promote' });
    await first.stop();
    const { act, list, routes } = await start();
    expect(await list()).toMatchObject({ served: 3 });
    for (const [version, expected] of [
      [1, 'ab'],
      [2, 'abc'],
      [3, 'a'],
    ] as const) {
      expect((await act({ action: 'rollback', version })).status).toBe(200);
      expect(await routes()).toBe(expected);
    }
  });

  test('rolls back to the last twenty versions only', async () => {
    const { discover, stop } = await start();
    for (let version = 2; version <= 25; version += 1) await discover(version % 2 === 0 ? ABC : AB);
    await stop();
    const files = (await readdir(folder())).filter((name) => name.startsWith('version-'));
    expect(files).toHaveLength(20);
    const again = await start();
    expect((await again.list()).versions.map(({ version }) => version).at(-1)).toBe(6);
    expect((await again.act({ action: 'rollback', version: 5 })).status).toBe(404);
    expect((await again.act({ action: 'rollback', version: 6 })).status).toBe(200);
    expect(await again.routes()).toBe('abc');
  });

  test('rolls back to a version that is not written yet', async () => {
    const { act, discover, routes } = await start();
    await discover(ABC);
    expect((await act({ action: 'rollback', version: 1 })).status).toBe(200);
    expect(await routes()).toBe('ab');
  });

  test('without state pins and promotes, and cannot roll back', async () => {
    const { act, discover, list } = await start({}, null);
    await discover(ABC);
    expect((await act({ action: 'rollback', version: 1 })).status).toBe(404);
    expect(await list()).toMatchObject({ pinned: false, served: 2 });
    expect((await act({ action: 'pin' })).status).toBe(200);
  });

  test('reads the document of a version', async () => {
    const { discover, url } = await start(PINNED);
    await discover(ABC);
    const show = async (version: string) =>
      fetch(`${url}/-/sites/default/documents/${version}`, { headers: bearer });
    for (const [version, count] of [
      ['1', 2],
      ['held', 3],
    ] as const) {
      const { document } = await (await show(version)).json();
      expect(Object.keys(document.paths)).toHaveLength(count + OTHERS.length);
    }
    for (const version of ['2', '0', '-1', '1.5', 'served', '%00', '99999999999']) {
      expect([version, (await show(version)).status]).toEqual([version, 404]);
    }
  });

  test.each([
    {},
    { action: 'unpin' },
    { action: ['pin'] },
    { action: 'rollback', version: 'one' },
    { action: 'rollback', version: { valueOf: 1 } },
    { action: 'rollback', version: 1 },
    { action: 'rollback', version: 1e9 },
  ])('is refused %j', async (body) => {
    const { act, list } = await start();
    expect([400, 404]).toContain((await act(body)).status);
    expect(await list()).toMatchObject({ pinned: false, served: 1 });
  });

  test('needs the token', async () => {
    const { list, url } = await start();
    const path = `${url}/-/sites/default/documents`;
    for (const [address, method] of [
      [path, 'GET'],
      [`${path}/1`, 'GET'],
      [path, 'POST'],
    ] as const) {
      const init = { method, ...(method === 'POST' ? { body: '{"action":"pin"}' } : {}) };
      expect((await fetch(address, init)).status).toBe(401);
    }
    expect((await list()).pinned).toBe(false);
  });

  test('decides in the console', async () => {
    const { discover, list, routes, url } = await start();
    await discover(createIndex(['a', 'b', '<script>c']));
    const client = await signIn((path, init) => fetch(url + path, { redirect: 'manual', ...init }), 'admin');
    const page = async (): Promise<string> => (await client.get('/-/console/sites/default/document')).text();
    expect(await page()).toContain('Changes of the site are served as they are found.');
    await client.act('change-document', { site: 'default', action: 'rollback', version: '1' });
    expect(await routes()).toBe('ab');
    const held = await page();
    expect(held).toContain('The document is pinned: each change waits for a decision.');
    expect(held).toContain('Serve the new document');
    expect(held).toContain('c: it was added');
    expect(held).not.toContain('<script>c');
    await client.act('change-document', { site: 'default', action: 'promote' });
    expect(await list()).toMatchObject({ pinned: false, held: null, served: 4 });
    await client.act('change-document', { site: 'default', action: 'pin' });
    expect(await page()).toContain('Follow the site again');
    await client.act('change-document', { site: 'default', action: 'rollback', version: '77' });
    expect((await list()).served).toBe(4);
  });

  test('decides with waygate documents', async () => {
    const { discover, url } = await start();
    const run = (...args: readonly string[]): Promise<CommandResult> =>
      runCommand(['documents', ...args, '--gateway', url], { env: { WAYGATE_ADMIN_TOKEN: 'admin' } });
    await discover(createIndex(['a', 'b'], ['asc']));
    const { code, err, out } = await run('list');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^default: version 2 is served\.\nversion {2}served since +cause +operations {2}changes\n +2 {2}\S+ {2}\w+ +8 {2}1 change, 1 breaking\n +1 {2}\S+ {2}\w+ +8 {2}the first version\n$/,
    );
    expect((await run('show')).out).toBe(
      'version 2: 1 change, 1 breaking\n  GET /demo/v1/a, GET /demo/v1/b and 6 more: query parameter "order": the value "desc" was removed (breaking)\n',
    );
    expect(Object.keys(JSON.parse((await run('show', '1', '--json')).out).paths)).toHaveLength(
      2 + OTHERS.length,
    );
    expect((await run('rollback')).out).toContain('version 3 is served, and pinned.\nHeld back since ');
    expect(JSON.parse((await run('list', '--json')).out)).toMatchObject({ pinned: true, served: 3 });
    expect((await run('show', 'held')).out).toContain('version held: 1 change, 1 breaking');
    expect(await run('rollback')).toMatchObject(refused('Name the version.'));
    expect((await run('promote')).out).toContain('default: version 4 is served.\n');
    expect((await run('pin')).out).toContain('version 4 is served, and pinned.\n');
    expect(await run('reject')).toMatchObject(refused('No document of this site is held back.'));
    expect(await run('rollback', '9')).toMatchObject(refused('This version is not there.'));
    expect(await run('show', '9')).toMatchObject(refused('there is no version 9'));
    expect(await run('show', 'held')).toMatchObject(refused('no document is held back'));
    expect(await run('unpin')).toMatchObject(refused('the actions are list, show'));
    expect(await run('pin', '2')).toMatchObject(
      refused('documents pin 2: show and rollback alone take a version'),
    );
    expect(await run('rollback', 'held')).toMatchObject(
      refused('documents rollback held: show and rollback alone take'),
    );
    expect(await run('list', '--site', 'none')).toMatchObject(refused('No site of this name'));
  });
});

describe('a stored version is not served, and left where it is, if', () => {
  test.each<[string, (text: string) => string, RegExp | null]>([
    ['it was cut off', (text) => text.slice(0, text.length / 2), /it is not JSON/],
    ['it is of another site', (text) => text.replace(site.url, 'https://example.com'), /another site/],
    [
      'it is of another kind',
      (text) => text.replace('"kind":"version"', '"kind":"shapes"'),
      /its kind is "shapes"/,
    ],
    ['it has no document', (text) => text.replace('"document":', '"other":'), /malformed/],
    ['it is of another history', (text) => text.replace(/"seenAt":\d+/, '"seenAt":1'), null],
    ['it has another number', (text) => text.replace('"number":1,', '"number":21,'), null],
    ['its document lacks what a gateway needs', (text) => text.replace('"x-waygate":', '"x-other":'), null],
  ])('%s', async (_, damage, reason) => {
    const first = await start();
    await first.discover(ABC);
    await first.stop();
    const file = join(folder(), 'version-1.json');
    const damaged = damage(await readFile(file, 'utf8'));
    await writeFile(file, damaged);
    const { act, list, routes, warnings } = await start();
    const refusal = await act({ action: 'rollback', version: 1 });
    expect([refusal.status, (await refusal.json()).code]).toEqual([404, 'gateway_no_version']);
    expect(await routes()).toBe('abc');
    expect(await list()).toMatchObject({ pinned: false, served: 2, held: null });
    if (reason !== null) expect(warnings.join()).toMatch(reason);
    expect(await readFile(file, 'utf8')).toBe(damaged);
  });
});

test('the change log outlives a restart, with changes of texts', async () => {
  const first = await start();
  await first.discover({ ...AB, name: 'Renamed' });
  await first.discover(createIndex(['a', 'b'], ['asc', 'desc', 'rand']));
  const { versions } = await (await fetch(`${first.url}/docs/changes.json`)).json();
  expect(versions.map(({ changes }: { changes: { total: number } | null }) => changes?.total)).toEqual([
    2,
    1,
    undefined,
  ]);
  await first.stop();
  const second = await start();
  expect((await (await fetch(`${second.url}/docs/changes.json`)).json()).versions).toEqual(versions);
});

test('versions are written once the disk takes them again', async () => {
  const store = stateFolder(folder());
  let isFull = true;
  const state: StateStore = {
    ...store,
    write: (name, text) => (isFull ? Promise.reject(new Error('ENOSPC')) : store.write(name, text)),
  };
  const { act, discover, routes, stop } = await start({}, state);
  await discover(ABC);
  expect((await act({ action: 'rollback', version: 1 })).status).toBe(200);
  expect(await routes()).toBe('ab');
  isFull = false;
  await stop();
  expect((await readdir(folder())).toSorted()).toEqual(['document.json', 'version-1.json', 'version-2.json']);
});

describe('`holdRemovals`', () => {
  const OPTIONS = { holdRemovals: HOLD };

  test('keeps a site that loses something for a moment as it is', async () => {
    index = ABC;
    const { discover, list, routes } = await start(OPTIONS);
    for (const [next, reason] of [
      [AB, 'removals'],
      [createIndex(['a', 'b', 'c'], ['asc']), 'removals'],
    ] as const) {
      await discover(next);
      expect(await routes()).toBe('abc');
      expect((await list()).held?.reason).toBe(reason);
      await discover(ABC);
      expect(await list()).toMatchObject({ served: 1, held: null });
    }
    expect(reviews).toEqual([]);
  });

  test('does not hold back what only adds', async () => {
    const { discover, routes } = await start(OPTIONS);
    await discover(ABC);
    expect(await routes()).toBe('abc');
  });

  test.each([
    ['an operation', AB],
    ['all but one', { ...A, routes: { '/demo/v1/a': Object(A).routes['/demo/v1/a'] } }],
    ['a value', createIndex(['a', 'b', 'c'], ['asc'])],
  ])('serves a document without %s when the time is over, if the site still lacks it', async (_, next) => {
    index = ABC;
    const { discover, list } = await start(OPTIONS);
    await discover(next);
    expect(reviews).toHaveLength(1);
    for (const review of reviews) review();
    await waitUntil(async () => (await list()).served === 2);
    expect((await list()).versions[0]?.cause).toBe('accepted');
  });

  test('asks the site once more when the time is over', async () => {
    index = ABC;
    const { discover, list } = await start(OPTIONS);
    await discover(createIndex(['a', 'b', 'c'], ['asc']));
    isDown = true;
    for (const review of reviews.splice(0)) review();
    await waitUntil(() => reviews.length === 1);
    expect(await list()).toMatchObject({ served: 1, held: { reason: 'removals' } });
    isDown = false;
    index = ABC;
    for (const review of reviews.splice(0)) review();
    await waitUntil(async () => (await list()).held === null);
    expect((await list()).served).toBe(1);
  });

  test('is off by default', async () => {
    index = ABC;
    const { discover, routes } = await start();
    await discover(AB);
    expect(await routes()).toBe('ab');
  });
});

test('an operator does not wait for a site that hangs', async () => {
  const { act, discover, gateway, list, routes } = await start();
  await discover(ABC);
  isHung = true;
  const discovery = gateway.rediscover();
  await waitUntil(() => hung.length > 0);
  expect((await act({ action: 'rollback' })).status).toBe(200);
  expect(await routes()).toBe('ab');
  expect((await act({ action: 'promote' })).status).toBe(200);
  expect((await act({ action: 'pin' })).status).toBe(200);
  isHung = false;
  index = createIndex(['a', 'b', 'c', 'd']);
  for (const response of hung.splice(0)) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(index));
  }
  await discovery;
  await gateway.rediscover();
  expect(await routes()).toBe('abc');
  expect(await list()).toMatchObject({ pinned: true, held: { reason: 'pinned', changes: { added: 1 } } });
});

test('roll-backs under traffic fail no request and mix no two documents', async () => {
  const { act, discover, url } = await start();
  await discover(createIndex(['a', 'b'], ['asc']));
  let isRunning = true;
  const failures: unknown[] = [];
  let count = 0;
  const clients = Array.from({ length: 4 }, async () => {
    while (isRunning) {
      const { paths } = await (await fetch(`${url}/openapi.json`)).json();
      const values = ['a', 'b'].map((name) => paths[`/demo/v1/${name}`].get.parameters[0].schema.enum.join());
      const response = await fetch(`${url}/wp-json/demo/v1/a?order=asc`);
      const body = await response.json();
      if (values[0] !== values[1] || response.status !== 200 || body.route !== '/demo/v1/a') {
        failures.push([values, response.status, body]);
      }
      count += 1;
    }
  });
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await act({ action: 'rollback', version: 1 + (turn % 2) })).status).toBe(200);
  }
  const [first, second] = await Promise.all([
    act({ action: 'rollback', version: 1 }),
    act({ action: 'rollback', version: 2 }),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  await waitUntil(() => count > 50);
  isRunning = false;
  await Promise.all(clients);
  expect(failures).toEqual([]);
});
