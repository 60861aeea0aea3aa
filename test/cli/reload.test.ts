import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { useFolder } from '../support/folder.ts';
import { runServer } from '../support/run.ts';
import { type TestServer, unreachableOrigin } from '../support/server.ts';
import { generateFor } from '../support/site.ts';
import { waitUntil } from '../support/wait.ts';
import { Load, send } from './load.ts';
import { type ServeProcess, useReadyProcesses } from './serve-process.ts';

const TOKEN = 'token-of-the-reload-test';
const NEXT_TOKEN = 'another-token-of-the-test';
const serve = useReadyProcesses();
const folder = useFolder('file');

/** A site of items, whose responses can be held. */
const site = {
  server: undefined as TestServer | undefined,
  reads: new Map<string, number>(),
  held: Promise.resolve(),
  routes: ['/t/v1/items/(?P<id>[\\d]+)'],
};

beforeAll(async () => {
  site.server = await runServer(async (incoming, response) => {
    const path = incoming.url ?? '';
    site.reads.set(path, (site.reads.get(path) ?? 0) + 1);
    const origin = `http://${incoming.headers.host}`;
    response.setHeader('content-type', 'application/json');
    response.setHeader('link', `<${origin}/wp-json/>; rel="https://api.w.org/"`);
    if (path.startsWith('/wp-json/t/')) {
      await site.held;
      response.end(JSON.stringify({ path }));
    } else response.end(path.startsWith('/wp-json') ? JSON.stringify(createIndex(origin)) : '"page"');
  });
});
beforeEach(() => {
  site.reads.clear();
  site.held = Promise.resolve();
});

function createIndex(url: string): object {
  const endpoints = [{ methods: ['GET'], args: { id: { type: 'integer', required: false } } }];
  const routes = site.routes.map((route) => [route, { namespace: 't/v1', methods: ['GET'], endpoints }]);
  return {
    ...{ name: 'items', url, home: url, namespaces: ['t/v1'], authentication: [] },
    routes: Object.fromEntries(routes),
  };
}

async function postReload(url = '', token = TOKEN): Promise<{ status: number; body: Json }> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, text } = await send(`${url}/-/reload`, { method: 'POST', headers });
  return { status, body: JSON.parse(text) };
}

/** The configuration of a gateway: its file, and the reload by the operation. */
class Configuration {
  readonly file = join(folder(), 'waygate.json');
  config: Record<string, unknown>;
  token: string = TOKEN;
  gateway: ServeProcess | undefined;

  constructor(config: Record<string, unknown>) {
    this.config = { port: 0, admin: { token: TOKEN }, ...config };
  }

  write(changes: Record<string, unknown> = {}): Promise<void> {
    this.config = { ...this.config, ...changes };
    return writeFile(this.file, JSON.stringify(this.config, null, 2));
  }

  async start(): Promise<ServeProcess> {
    await this.write();
    const gateway = await serve('--config', this.file);
    this.gateway = gateway;
    return gateway;
  }

  async reload(changes: Record<string, unknown> = {}): ReturnType<typeof postReload> {
    await this.write(changes);
    return this.post();
  }

  post = (): ReturnType<typeof postReload> => postReload(this.gateway?.url, this.token);
}

const createSite = (name: string, more: object = {}): object => ({
  ...{ name, url: site.server?.origin },
  cache: { rules: [{ match: '/t/v1/items/*', ttl: '1h' }] },
  ...more,
});

describe('the configuration is read again', () => {
  let configuration: Configuration;
  let gateway: ServeProcess;
  let url: string;
  beforeAll(async () => {
    configuration = new Configuration({ sites: [createSite('a')] });
    gateway = await configuration.start();
    ({ url } = gateway);
  });

  test('a configuration that cannot be used changes nothing, and says where', async () => {
    const load = new Load(url, ['/a/t/v1/items/5']);
    onTestFinished(() => load.end());
    const second = createSite('b', { hosts: ['b.example.com'] });
    const expectRefused = async (changes: Record<string, unknown>, problem: RegExp): Promise<void> => {
      const before = configuration.config;
      const { body, status } = await configuration.reload({ admin: { token: NEXT_TOKEN }, ...changes });
      expect(status).toBe(409);
      expect(JSON.stringify(body)).toMatch(problem);
      await waitUntil(() =>
        gateway.logLines.some(({ msg }) => /nothing has changed/.test(`${msg}`) && problem.test(`${msg}`)),
      );
      expect((await send(`${url}/b/t/v1/items/1`)).status).toBe(404);
      configuration.config = before;
    };
    const place = String.raw`waygate\.json:\d+:\d+: `;
    await expectRefused(
      { sites: [createSite('a'), createSite('b')], shutdownGrace: 'x' },
      new RegExp(`${place}shutdownGrace: `),
    );
    await expectRefused(
      { sites: [createSite('a'), { ...second, overlay: 'none.json' }] },
      /sites\[1\]\.overlay/,
    );
    await expectRefused(
      { sites: [createSite('a', { url: await unreachableOrigin() })] },
      new RegExp(`${place}sites\\[0\\]\\.url: the site .* cannot be served: `),
    );
    await writeFile(configuration.file, '{\n  "port": 0,\n  "sites": [}\n}');
    expect(await configuration.post()).toMatchObject({ status: 409 });
    await waitUntil(() => gateway.logLines.some(({ msg }) => /waygate\.json:3:\d+/.test(String(msg))));
    expect((await configuration.reload()).status).toBe(200);
    const away = createSite('away', { url: await unreachableOrigin() });
    const { body } = await configuration.reload({ sites: [createSite('a'), away] });
    expect(body).toMatchObject({
      changed: ['sites.away'],
      unread: [expect.stringMatching(/^sites\[1\]\.url: /)],
    });
    await load.end();
    expect(load.failures).toEqual([]);
  });

  test('a request in flight of a site that is taken away ends as if nothing were', async () => {
    await configuration.reload({ sites: [createSite('a'), createSite('b')] });
    let release = (): void => {};
    site.held = new Promise((resolve) => {
      release = resolve;
    });
    const response = send(`${gateway.url}/b/t/v1/items/9`);
    await waitUntil(() => site.reads.has('/wp-json/t/v1/items/9'));
    await configuration.reload({ sites: [createSite('a')] });
    expect((await send(`${gateway.url}/b/t/v1/items/9`)).status).toBe(404);
    release();
    expect(await response).toMatchObject({ status: 200, text: '{"path":"/wp-json/t/v1/items/9"}' });
    await waitUntil(() =>
      gateway.logLines.some(
        ({ msg, site: name, status }) => msg === 'request' && name === 'b' && status === 200,
      ),
    );
  });

  test('each part changes under load, and no request fails', async () => {
    const load = new Load(url, ['/a/t/v1/items/1', '/a/openapi.json', '/a/t/v1/items/2']);
    onTestFinished(() => load.end());
    await load.further();
    const reads = (): number => site.reads.get('/wp-json/t/v1/items/1') ?? 0;
    expect(reads()).toBeGreaterThan(0);
    const expectChanged = async (changes: Record<string, unknown>, report: object): Promise<void> => {
      expect(await configuration.reload(changes)).toMatchObject({ status: 200, body: report });
      await load.further();
      expect(load.failures).toEqual([]);
    };

    await expectChanged(
      { sites: [createSite('a'), createSite('b')] },
      { changed: ['sites.b'], needsRestart: [] },
    );
    expect((await send(`${url}/b/t/v1/items/1`)).status).toBe(200);

    await expectChanged({ sites: [createSite('a')] }, { changed: ['sites.b'] });
    expect((await send(`${url}/b/t/v1/items/1`)).status).toBe(404);

    await expectChanged({ admin: { token: NEXT_TOKEN } }, { changed: ['admin.token'] });
    expect((await configuration.post()).status).toBe(401);
    configuration.token = NEXT_TOKEN;
    expect((await configuration.post()).status).toBe(200);

    const rules = [{ match: '/t/v1/items/*', ttl: '7s' }];
    await expectChanged(
      { sites: [createSite('a', { cache: { rules } })] },
      { changed: ['sites.a.cache.rules'] },
    );
    await send(`${url}/a/t/v1/items/3`);
    await waitUntil(async () => / hit; ttl=[1-7]$/.test((await send(`${url}/a/t/v1/items/3`)).cacheStatus));
    // What was stored before stays, for as long as it was stored for.
    expect((await send(`${url}/a/t/v1/items/1`)).cacheStatus).toMatch(/ hit; ttl=3\d{3}$/);

    await expectChanged(
      { sites: [createSite('a', { timeout: '20s', concurrency: 9, exclude: ['x/v1'] })] },
      { changed: ['sites.a.exclude', 'sites.a.timeout', 'sites.a.cache.rules', 'sites.a.concurrency'] },
    );

    const other = { headers: { host: 'other.example.com' } };
    expect((await send(`${url}/a/t/v1/items/1`, other)).status).toBe(200);
    await expectChanged({ hosts: ['127.0.0.1'] }, { changed: ['hosts'] });
    expect((await send(`${url}/a/t/v1/items/1`, other)).status).toBe(421);

    const listLogged = (since: number): object[] =>
      gateway.logLines.filter(({ msg, time }) => msg === 'request' && Number(time) > since);
    await configuration.reload({ logLevel: 'warn' });
    const quiet = Date.now();
    await load.further();
    const loud = Date.now();
    await expectChanged({ logLevel: 'info' }, { changed: ['logLevel'] });
    await waitUntil(() => listLogged(loud).length > 0);
    expect(listLogged(quiet)).toEqual(listLogged(loud));

    await expectChanged(
      { host: '127.0.0.2', log: 'text', shutdownGrace: '5s' },
      { changed: ['shutdownGrace', 'log'], needsRestart: ['host'] },
    );
    const formatted = gateway.logLines.length;
    await send(`${url}/-/health`);
    const isText = ({ line }: Record<string, unknown>): boolean =>
      / 200 GET .* \/-\/health/.test(String(line));
    await waitUntil(() => gateway.logLines.slice(formatted).some(isText));
    await load.end();
    expect(load.failures).toEqual([]);
    expect(load.opened).toBe(3);
    // What stays stored is not read again: at the paths of a and b, and at another host, each first as its client sent it.
    expect(reads()).toBeLessThanOrEqual(6);
  });

  test('a stated document is read again, with its history, and the site never', async () => {
    const document = join(folder(), 'document.json');
    const writeDocument = (...routes: readonly string[]): Promise<void> => {
      const endpoints = Object.fromEntries(routes.map((route) => [`/t/v1/${route}`, 'GET']));
      return writeFile(document, JSON.stringify(generateFor(endpoints).document));
    };
    await writeDocument('first');
    const stated = createSite('stated', { document, url: `${site.server?.origin}/stated` });
    expect((await configuration.reload({ sites: [createSite('a'), stated] })).status).toBe(200);
    // Clients' credentials would go there.
    const warning =
      /sites\[1\]\.document: the document belongs to https:\/\/example\.com\. .*`upstream\.host`/;
    await waitUntil(() => gateway.logLines.some((line) => warning.test(JSON.stringify(line))));
    await writeDocument('first', 'second');
    gateway.child.kill('SIGHUP');
    const readServed = async (): Promise<string> => (await fetch(`${url}/stated/openapi.json`)).text();
    await waitUntil(async () => (await readServed()).includes('/t/v1/second'));
    const headers = { authorization: `Bearer ${configuration.token}` };
    const read = await fetch(`${url}/-/rediscover`, { method: 'POST', headers });
    expect(await read.json()).toMatchObject({
      sites: [{ site: 'a' }, { site: 'stated', discovery: { lastRead: null } }],
    });
    expect([...site.reads.keys()].filter((path) => path.startsWith('/stated'))).toEqual([]);
  });
});

describe('a program is run again, with the modules that it loads', () => {
  const name = 'gateway.config.ts';
  const write = (text: string, file = name): Promise<void> => writeFile(join(folder(), file), text);
  const writePart = (version: string): Promise<void> =>
    write(`export const version: string = '${version}';\n`, 'part.ts');
  const createProgram = (app: string, more: object = {}): string =>
    `import { defineGateway } from 'waygate';\nimport { version } from './part.ts';\n` +
    `export default defineGateway({ port: 0, admin: { token: '${TOKEN}' },\n` +
    ` sites: [${JSON.stringify(createSite('a', more))} as never],\n app${app} });\n`;
  const VERSIONED = `(app) {
    app.use('/a/t/*', async (c, next) => { await next(); c.header('x-version', version) });
    app.get('/a/own', (c) => c.text(version));
  }`;
  let gateway: ServeProcess;
  const reload = () => postReload(gateway.url);
  const readVersion = async (): Promise<string | null> =>
    (await fetch(`${gateway.url}/a/t/v1/items/5`)).headers.get('x-version');

  beforeAll(async () => {
    await writePart('none');
    await write(createProgram('() {}'));
    gateway = await serve('--config', join(folder(), name));
  });

  test('its middleware changes under load, or it is refused, and no request fails', async () => {
    await writePart('one');
    await write(createProgram(VERSIONED));
    await reload();
    const load = new Load(gateway.url, ['/a/t/v1/items/5', '/a/own', '/a/openapi.json']);
    onTestFinished(() => load.end());
    await load.further();
    expect(await readVersion()).toBe('one');
    for (const version of ['two', 'three']) {
      await writePart(version);
      expect(await reload()).toEqual({
        status: 200,
        body: { changed: ['app'], needsRestart: [], unread: [] },
      });
      expect(await readVersion()).toBe(version);
      await load.further();
    }
    await write(createProgram(`() {\n throw new Error('stop') }`));
    const { body, status } = await reload();
    expect([status, JSON.stringify(body)]).toEqual([
      409,
      expect.stringContaining('gateway.config.ts: app: stop'),
    ]);
    expect(await readVersion()).toBe('three');
    await load.further();
    await write(createProgram(`(app) { app.get('/a/other', (c) => c.text(version)) }`));
    await load.end();
    expect(load.failures).toEqual([]);
    expect(load.opened).toBe(3);
    expect((await reload()).status).toBe(200);
    expect(await readVersion()).toBe(null);
    expect((await send(`${gateway.url}/a/own`)).text).not.toBe('three');
  });

  describe('that fails at run time', () => {
    const reject = (where: string): string =>
      `void Promise.reject(new Error('lost in ${where}', { cause: new Error('its cause') }));`;
    const createFailing = (): string =>
      `setInterval(() => {}, 1_000);\n${createProgram(`(app) { ${reject('app')}
      app.get('/a/own', (c) => { ${reject('a route')} return c.text(version) });
      app.get('/a/:what', (c) => { if (c.req.param('what') === 'five') return 5 as never;
        if (c.req.param('what') === 'throws') throw new Error('a secret'); }) }`)}`;
    beforeAll(async () => {
      await writePart('one');
      await write(`${reject('the program')}\n${createFailing()}`);
      expect((await reload()).status).toBe(200);
    });

    test('promises that it does not await are logged when they are rejected, and it goes on', async () => {
      for (let count = 0; count < 2; count++) expect((await send(`${gateway.url}/a/own`)).text).toBe('one');
      for (const where of ['app', 'the program', 'a route']) {
        const err = expect.objectContaining({
          stack: expect.stringMatching(`lost in ${where}[^]*its cause`),
        });
        await waitUntil(() =>
          gateway.logLines.some((line) => JSON.stringify(line).includes(`lost in ${where}`)),
        );
        expect(gateway.logLines).toContainEqual(expect.objectContaining({ level: 50, err }));
      }
    });

    test('what its handlers throw is logged, and not shown to clients', async () => {
      for (const what of ['five', 'throws', 'nothing']) {
        const { status, text } = await send(`${gateway.url}/a/${what}`);
        expect({ status, code: JSON.parse(text).code }, what).toEqual({
          status: 500,
          code: 'gateway_failed',
        });
      }
      const isLogged = ({ msg }: Record<string, unknown>): boolean => msg === 'the gateway failed to respond';
      await waitUntil(() => gateway.logLines.filter(isLogged).length === 3);
      expect(JSON.stringify(gateway.logLines.filter(isLogged))).toMatch(/no Response.*a secret.*finalized/);
    });

    test('what it has opened does not keep the process running', async () => {
      gateway.child.kill('SIGTERM');
      expect(await gateway.exitCode).toBe(0);
    });
  });
});
