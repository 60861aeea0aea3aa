// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createFolder,
  createIndex,
  describe,
  findPort,
  format,
  Gateway,
  get,
  sendBytes,
  start,
  startGateway,
  startRedis,
  startSite,
  until,
  writeTemporary,
} from './support.mjs';

/**
 * A fault with a gateway of its own. It throws if something is not as it should be, and returns what clients saw, and what the log and
 * the metrics said.
 *
 * @typedef {{ name: string, isQuick?: boolean, run: () => Promise<readonly [saw: string, said: string]> }} OtherFault
 */

const TIMEOUTS = { connect: '1s', headers: '1s', body: '1s' };
/** @param {string} url @param {object} [more] */
const proxyOf = (url, more = {}) => ({
  url,
  discovery: 'off',
  passthrough: true,
  timeouts: TIMEOUTS,
  ...more,
});

/** @param {object} [config] @param {ConstructorParameters<typeof Gateway>[1]} [options] */
async function startBoth(config = {}, options) {
  const site = await startSite();
  const gateway = await startGateway({ sites: [proxyOf(site.url)], ...config }, options);
  return { site, gateway };
}

/** @param {Gateway} gateway */
async function assertServes(gateway) {
  assert.equal((await get(`${gateway.url}/fresh/after`)).status, 200, 'the gateway serves afterwards');
}

/** A configuration that is refused. @param {string} name @param {object | string} config @param {RegExp} message @returns {OtherFault} */
const refused = (name, config, message) => ({
  name: `configuration: ${name}`,
  isQuick: true,
  async run() {
    const gateway =
      typeof config === 'string'
        ? new Gateway({}, { args: ['--config', writeTemporary(config)] })
        : new Gateway(config);
    assert.equal(await gateway.exited, 2);
    assert.match(gateway.errors, message);
    assert.doesNotMatch(gateway.errors, /\n\s+at /, 'no stack');
    return [
      'exit code 2',
      gateway.errors
        .split('\n')
        .find((line) => message.test(line))
        ?.trim()
        .slice(0, 70) ?? '',
    ];
  },
});

const SITE = { url: 'http://127.0.0.1:9' };

/** An index that is broken at the second look. @param {string} name @param {unknown} index @param {boolean} isHeld @returns {OtherFault} */
const badIndex = (name, index, isHeld = false) => ({
  name: `index: ${name}`,
  isQuick: true,
  async run() {
    const site = await startSite();
    if (isHeld) site.index = createIndex(3);
    const gateway = await startGateway({ sites: [{ url: site.url }] });
    const document = await get(`${gateway.url}/openapi.json`);
    site.index = index;
    await gateway.admin('rediscover', 'POST');
    const readDiscovery = async () => JSON.parse((await gateway.admin('sites')).body).sites[0].discovery;
    await until(async () => !(await readDiscovery()).running);
    assert.equal(
      (await get(`${gateway.url}/openapi.json`)).body,
      document.body,
      'the last good document stays',
    );
    assert.equal((await get(`${gateway.url}/wp-json/t/v1/things-1`)).status, 200);
    const line = await gateway.logged(({ level, msg }) => Number(level) >= 40 && msg !== undefined);
    if (isHeld) assert.equal(await gateway.metric(/^waygate_site_document_held/), 1);
    else assert.notEqual((await readDiscovery()).fault, null);
    return ['the last document', String(line['msg']).slice(0, 60)];
  },
});

/** Redis is broken while the gateway runs. @param {string} name @param {(redis: import('node:child_process').ChildProcess, port: number) => unknown} breakIt @param {boolean} [isQuick] @returns {OtherFault} */
const redisFault = (name, breakIt, isQuick = false) => ({
  name: `Redis: ${name}`,
  isQuick,
  async run() {
    const port = await findPort();
    const redis = await startRedis(port);
    const { gateway } = await startBoth({ cache: { store: `redis://127.0.0.1:${port}` } });
    assert.equal((await get(`${gateway.url}/fresh/a`)).status, 200);
    await breakIt(redis, port);
    const statuses = new Set();
    for (let count = 0; count < 10; count += 1) {
      statuses.add(describe(await get(`${gateway.url}/fresh/a`)));
      statuses.add(describe(await get(`${gateway.url}/fresh/${count}`)));
      await sleep(50);
    }
    assert.deepEqual([...statuses], ['200']);
    const line = await gateway.logged(({ level }) => Number(level) >= 40, 15_000).catch(() => null);
    redis.kill('SIGCONT');
    assert.notEqual(line, null, 'the log says so');
    assert.ok(gateway.isAlive);
    return ['200', String(line?.['msg']).slice(0, 60)];
  },
});

/** @param {number} port @param {readonly string[]} args */
const redisCli = (port, args) => execFileSync('redis-cli', ['-p', String(port), ...args], { stdio: 'pipe' });

/** A site over TLS. @param {string} name @param {readonly string[]} subject @param {readonly string[]} [more] @returns {OtherFault} */
const badCertificate = (name, subject, more = []) => ({
  name: `TLS of the site: ${name}`,
  isQuick: true,
  async run() {
    const [key, cert] = ['.key', '.pem'].map((suffix) => writeTemporary('', suffix));
    const make = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${key}`, '-out', `${cert}`];
    execFileSync('openssl', [...make, '-subj', '/CN=site', ...subject], { stdio: 'pipe' });
    const port = await findPort();
    start('openssl', [
      's_server',
      '-accept',
      String(port),
      '-key',
      `${key}`,
      '-cert',
      `${cert}`,
      '-www',
      '-quiet',
      ...more,
    ]);
    await until(async () => (await sendBytes(`http://127.0.0.1:${port}`, '', 50).then(() => true)) === true);
    const gateway = await startGateway({ sites: [proxyOf(`https://127.0.0.1:${port}`)] });
    const response = await get(`${gateway.url}/x`);
    assert.equal(response.status, 502);
    assert.match(response.body, /gateway_tls/);
    const line = await gateway.logged(({ failure }) => failure === 'tls');
    assert.equal(await gateway.metric(/^waygate_site_failures_total\{.*kind="tls"/), 1);
    return ['502 gateway_tls', String(line['cause']).slice(0, 60)];
  },
});

/** Bytes of a hostile client. @param {string} name @param {string} bytes @param {RegExp} expected @returns {OtherFault} */
const badRequest = (name, bytes, expected) => ({
  name: `client: ${name}`,
  isQuick: true,
  async run() {
    const { gateway, site } = await startBoth();
    const answer = await sendBytes(gateway.url, bytes, 3_000);
    assert.match(answer, expected);
    assert.equal(site.requests.length, 0, 'nothing of it reaches the site');
    const { status } = await gateway.logged(
      ({ msg, status: logged }) => msg === 'invalid request' || Number(logged) >= 400,
    );
    await assertServes(gateway);
    return [answer.slice(9, 12), `status ${status}`];
  },
});

/** A client that goes away. @param {string} name @param {string} request @param {(socket: import('node:net').Socket) => unknown} leave @returns {OtherFault} */
const leavingClient = (name, request, leave) => ({
  name: `client: ${name}`,
  isQuick: true,
  async run() {
    const { gateway, site } = await startBoth();
    let open = 0;
    site.fault = ({ path, socket }) => {
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      if (path === '/download') socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nbegun`);
    };
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(request));
    socket.on('error', () => {}).resume();
    await until(() => open === 1);
    await sleep(100);
    const left = Date.now();
    leave(socket);
    await until(() => open === 0, 1_000);
    const taken = Date.now() - left;
    const line = await gateway.logged(({ msg }) => msg === 'request');
    assert.equal(line['status'], 499);
    site.fault = null;
    await assertServes(gateway);
    return [`the site's request ends in ${taken < 100 ? '< 0.1' : '< 1'} s`, '499'];
  },
});

const WAIT = 'GET /wait HTTP/1.1\r\nHost: a\r\n\r\n';
const DOWNLOAD = 'GET /download HTTP/1.1\r\nHost: a\r\n\r\n';
const UPLOAD = 'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nbegun';

/** @type {readonly OtherFault[]} */
export const OTHER_FAULTS = [
  {
    name: 'site: its name does not resolve',
    isQuick: true,
    async run() {
      const gateway = await startGateway({ sites: [proxyOf('http://nothing.invalid')] });
      assert.equal((await get(`${gateway.url}/x`)).status, 502);
      const line = await gateway.logged(({ failure }) => failure === 'dns');
      assert.equal(await gateway.metric(/^waygate_site_failures_total\{.*kind="dns"/), 1);
      return ['502', String(line['cause'])];
    },
  },
  {
    name: 'site: closes a connection while a read is on its way',
    isQuick: true,
    async run() {
      const { gateway, site } = await startBoth();
      await get(`${gateway.url}/fresh/first`);
      site.fault = (asked) => {
        site.fault = null;
        asked.socket.destroy();
      };
      const response = await get(`${gateway.url}/fresh/second`);
      assert.equal(response.status, 200, 'a read on a connection that was open is repeated');
      assert.equal(site.count('second'), 2);
      return ['200, asked twice', 'nothing'];
    },
  },
  {
    name: 'site: closes a connection while a write is on its way',
    isQuick: true,
    async run() {
      const { gateway, site } = await startBoth();
      await get(`${gateway.url}/fresh/first`);
      site.fault = ({ socket }) => socket.destroy();
      const response = await get(`${gateway.url}/write`, { method: 'POST', body: 'a=1' });
      assert.equal(response.status, 502);
      assert.equal(site.count('/write'), 1, 'a write is never repeated');
      await gateway.logged(({ failure }) => failure === 'connection-broken');
      return ['502, sent once', 'connection-broken'];
    },
  },
  {
    name: 'site: fails until its circuit opens',
    async run() {
      const { gateway, site } = await startBoth();
      await get(`${gateway.url}/stored`);
      await sleep(1_100);
      await site.close();
      let codes = '';
      for (let count = 0; count < 40; count += 1) codes += (await get(`${gateway.url}/x${count}`)).body;
      assert.match(codes, /gateway_circuit_open/);
      assert.equal((await get(`${gateway.url}/stored`)).status, 200);
      await gateway.logged(({ failure }) => failure === 'circuit-open');
      assert.equal(await gateway.metric(/^waygate_site_circuit_open/), 1);
      await site.open();
      await until(async () => (await get(`${gateway.url}/y`)).status === 200, 15_000);
      return ['502, then 503; stored 200', 'circuit-open'];
    },
  },
  {
    name: 'site: hangs, and 100 clients ask for one page',
    async run() {
      const { gateway, site } = await startBoth();
      site.fault = () => {};
      const seen = new Set(
        (await Promise.all(Array.from({ length: 100 }, () => get(`${gateway.url}/one`)))).map(describe),
      );
      assert.deepEqual([...seen], ['504']);
      assert.ok(site.count('/one') < 10, `the site is asked ${site.count('/one')} times`);
      return [`504, ${site.count('/one')} requests at the site`, 'timeout'];
    },
  },
  badCertificate('self-signed', ['-days', '1', '-addext', 'subjectAltName=IP:127.0.0.1']),
  {
    name: 'TLS of the site: plain HTTP at the port',
    isQuick: true,
    async run() {
      const site = await startSite();
      const gateway = await startGateway({ sites: [proxyOf(site.url.replace('http:', 'https:'))] });
      const response = await get(`${gateway.url}/x`, { limit: 15_000 });
      assert.ok([502, 504].includes(response.status));
      const line = await gateway.logged(({ failure }) => failure === 'tls' || failure === 'timeout', 15_000);
      return [`${response.status}`, String(line['failure'])];
    },
  },
  redisFault('ends', (redis) => redis.kill('SIGKILL'), true),
  redisFault('is paused', (redis) => redis.kill('SIGSTOP')),
  redisFault('is full', (_, port) =>
    redisCli(port, ['config', 'set', 'maxmemory', '1', 'maxmemory-policy', 'noeviction']),
  ),
  // Redis asks new connections alone for it: those that are open stay authenticated, so that nothing happens until they end.
  redisFault('gets a password, and disconnects', (_, port) => {
    redisCli(port, ['config', 'set', 'requirepass', 'secret']);
    execFileSync('redis-cli', ['-p', String(port), '-a', 'secret', '--no-auth-warning'], {
      input: 'client kill type normal\nclient kill type pubsub\n',
    });
  }),
  redisFault('becomes a read-only replica', (_, port) => redisCli(port, ['replicaof', '127.0.0.1', '1'])),
  {
    name: 'Redis: is away at the start',
    isQuick: true,
    async run() {
      const { gateway } = await startBoth({ cache: { store: `redis://127.0.0.1:${await findPort()}` } });
      assert.equal((await get(`${gateway.url}/fresh/a`)).status, 200);
      assert.match((await get(`${gateway.url}/-/ready`)).body, /cache-(bypassed|memory)/);
      const line = await gateway.logged(({ level }) => Number(level) >= 40);
      return ['200', String(line['msg']).slice(0, 60)];
    },
  },
  {
    name: 'disk: the log cannot be written (/dev/full)',
    isQuick: true,
    async run() {
      const site = await startSite();
      const port = await findPort();
      const full = openSync('/dev/full', 'w');
      const gateway = new Gateway({ port, sites: [proxyOf(site.url)] }, { stdout: full });
      gateway.url = `http://127.0.0.1:${port}`;
      await until(async () => (await get(`${gateway.url}/-/ready`)).status === 200, 20_000);
      for (let count = 0; count < 200; count += 1)
        assert.equal((await get(`${gateway.url}/fresh/a`)).status, 200);
      await until(() => gateway.errors !== '');
      assert.match(gateway.errors, /^waygate: the log cannot be written: ENOSPC.*\n$/);
      assert.equal(await gateway.kill('SIGTERM'), 0);
      return ['200', gateway.errors.trim().slice(9, 60)];
    },
  },
  {
    name: 'disk: a state is larger than a file may be (ulimit -f)',
    isQuick: true,
    async run() {
      const site = await startSite();
      const state = createFolder();
      const gateway = await startGateway(
        { sites: [{ url: site.url }], state },
        { limits: "trap '' XFSZ; ulimit -f 1" },
      );
      const line = await gateway.logged(({ level }) => Number(level) >= 40, 8_000);
      assert.equal((await get(`${gateway.url}/wp-json/t/v1/things-1`)).status, 200);
      assert.ok(gateway.isAlive);
      return ['200', String(line['msg']).slice(0, 60)];
    },
  },
  {
    name: 'state: its folder goes away while the gateway runs',
    isQuick: true,
    async run() {
      const state = createFolder();
      const { gateway } = await startBoth({ state });
      rmSync(state, { recursive: true });
      await assertServes(gateway);
      assert.equal(await gateway.kill('SIGTERM'), 0);
      return ['200', 'nothing'];
    },
  },
  ...[
    /** @type {const} */ ([
      'a document is cut off',
      (/** @type {string} */ path) => writeFileSync(path, '{"format":"waygate-state","ver'),
    ]),
    /** @type {const} */ (['a document is a folder', (/** @type {string} */ path) => mkdirSync(path)]),
    /** @type {const} */ ([
      'a document is a pipe',
      (/** @type {string} */ path) => execFileSync('mkfifo', [path]),
    ]),
    /** @type {const} */ ([
      'a document leads to a device',
      (/** @type {string} */ path) => symlinkSync('/dev/zero', path),
    ]),
  ].map(
    ([name, make]) =>
      /** @type {OtherFault} */ ({
        name: `state: ${name}`,
        isQuick: true,
        async run() {
          const site = await startSite();
          const state = createFolder();
          make(join(state, 'document.json'));
          const gateway = await startGateway({ sites: [{ url: site.url }], state });
          assert.equal((await get(`${gateway.url}/wp-json/t/v1/things-1`)).status, 200);
          const line = await gateway.logged(({ level }) => Number(level) >= 40);
          return ['200', String(line['msg']).slice(0, 60)];
        },
      }),
  ),
  {
    name: 'state: two gateways write one folder',
    async run() {
      const state = createFolder();
      const { gateway: first } = await startBoth({ state });
      const { gateway: second } = await startBoth({ state });
      const isWarning = (/** @type {Record<string, unknown>} */ { msg }) =>
        /another gateway/.test(String(msg));
      await second.logged(isWarning);
      const line = await first.logged(isWarning, 15_000);
      assert.equal(line['pid'], second.child.pid);
      return ['200', 'both name the other'];
    },
  },
  badIndex('is not JSON', '{"routes":'),
  badIndex('is a page', '<html>maintenance</html>'),
  badIndex('is empty', ''),
  badIndex('has no routes', { name: 'a', routes: [] }, true),
  badIndex('loses one of three routes', createIndex(2), true),
  badIndex('loses all but one of three routes', createIndex(1), true),
  badIndex('is nested 100,000 deep', `{"routes":${'['.repeat(100_000)}`),
  {
    name: 'index: hangs at the start',
    isQuick: true,
    async run() {
      const site = await startSite();
      site.fault = (asked) =>
        asked.path.includes('wp-json') && !asked.path.includes('things') ? undefined : site.respond(asked);
      const gateway = await new Gateway({ sites: [{ url: site.url, passthrough: true }] }).listening();
      assert.equal((await get(`${gateway.url}/fresh/page`)).status, 200, 'pages do not wait for the index');
      const ready = await get(`${gateway.url}/-/ready`);
      return ['200', `/-/ready ${ready.status}`];
    },
  },
  {
    name: 'index: hangs when it is read again',
    isQuick: true,
    async run() {
      const site = await startSite();
      const gateway = await startGateway({ sites: [{ url: site.url, passthrough: true }] });
      site.fault = () => {};
      const { body, status } = await gateway.admin('rediscover', 'POST');
      assert.equal(status, 202);
      assert.equal(JSON.parse(body).sites[0].discovery.running, true);
      assert.equal((await gateway.logged(({ action }) => action === 'rediscover'))['result'], 'begun');
      assert.equal((await get(`${gateway.url}/healthy/page`)).status, 200);
      return ['200; `POST /-/rediscover` 202', '`"result":"begun"`'];
    },
  },
  {
    name: 'index: 40 MB while clients ask',
    async run() {
      const site = await startSite();
      const gateway = await startGateway({ sites: [{ url: site.url, passthrough: true }] });
      await get(`${gateway.url}/fresh/page`);
      site.index = JSON.stringify({ ...createIndex(20), padding: 'x'.repeat(40_000_000) });
      const rediscovery = gateway.admin('rediscover', 'POST');
      let slowest = 0;
      for (let count = 0; count < 40; count += 1) {
        const started = performance.now();
        assert.equal((await get(`${gateway.url}/fresh/page`)).status, 200);
        slowest = Math.max(slowest, performance.now() - started);
        await sleep(25);
      }
      assert.ok(slowest < 1_500, `a hit takes ${slowest} ms`);
      await rediscovery;
      return [`200, slowest ${Math.round(slowest)} ms`, 'nothing'];
    },
  },
  refused('no YAML', 'sites: [', /waygate-faults.*|--config/),
  refused('an unknown setting', { sites: [{ ...SITE, cahce: {} }] }, /cahce/),
  refused('no URL', { sites: [{ url: 'nonsense' }] }, /url: .*URL/),
  refused('a missing file', { sites: [{ ...SITE, document: 'missing.json' }] }, /missing\.json/),
  refused('a short admin token', { sites: [SITE], admin: { token: 'a' } }, /16 characters/),
  refused('a variable that is not set', 'sites: [{ url: "${WAYGATE_NOT_SET}" }]', /WAYGATE_NOT_SET/),
  refused(
    'a state folder below a file',
    { sites: [SITE], state: '/dev/null/state' },
    /state: .*cannot be used/,
  ),
  {
    name: 'configuration: the port is taken',
    isQuick: true,
    async run() {
      const site = await startSite();
      const gateway = new Gateway({ port: site.port, sites: [proxyOf(site.url)] });
      assert.equal(await gateway.exited, 2);
      assert.match(gateway.errors, /another process uses the port/);
      return ['exit code 2', 'another process uses the port'];
    },
  },
  badRequest('garbage', 'GARBAGE\r\n\r\n', /^HTTP\/1\.1 400 /),
  badRequest(
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    /^HTTP\/1\.1 400 /,
  ),
  badRequest(
    'a head of 20 KB',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    /^HTTP\/1\.1 431 /,
  ),
  badRequest(
    'two hosts',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    /^HTTP\/1\.1 400 /,
  ),
  leavingClient('resets while it waits', WAIT, (socket) => socket.resetAndDestroy()),
  leavingClient('ends while it waits', WAIT, (socket) => socket.end()),
  leavingClient('resets a download', DOWNLOAD, (socket) => socket.resetAndDestroy()),
  leavingClient('ends an upload', UPLOAD, (socket) => socket.end()),
  leavingClient('resets an upload', UPLOAD, (socket) => socket.resetAndDestroy()),
  {
    name: 'hostile site: redirects pages to a server that only the gateway can reach',
    isQuick: true,
    async run() {
      const { gateway, site } = await startBoth();
      const hidden = await startSite();
      const target = `${hidden.url}/latest/meta-data/`;
      for (const status of [301, 302, 303, 307, 308]) {
        site.fault = ({ socket }) => socket.write(format(status, '', `Location: ${target}\r\n`));
        const response = await get(`${gateway.url}/redirect-${status}`);
        assert.equal(response.status, status);
        assert.equal(response.headers['location'], target);
      }
      assert.equal(hidden.requests.length, 0, 'the gateway follows none of them');
      return ['the redirect', 'nothing'];
    },
  },
  {
    name: 'hostile client: 50 heads of a byte now and then',
    async run() {
      const { gateway } = await startBoth();
      const port = Number(new URL(gateway.url).port);
      const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      const timer = setInterval(() => sockets.map((socket) => socket.write('X')), 100);
      const seen = new Set();
      for (let count = 0; count < 20; count += 1)
        seen.add((await get(`${gateway.url}/fresh/${count}`)).status);
      assert.deepEqual([...seen], [200]);
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await until(async () => (await gateway.metric(/^waygate_connections_open/)) < 5);
      return ['200', 'the connections are closed'];
    },
  },
  {
    name: 'client: an upload of a byte now and then',
    async run() {
      const { gateway } = await startBoth({ bodies: { minRate: '500', ratePeriod: '500ms' } });
      const answer = await sendBytes(gateway.url, UPLOAD.replace('1000000', '100'), 8_000);
      assert.match(answer, /^HTTP\/1\.1 408 /);
      await gateway.logged(({ status }) => status === 408);
      return ['408', '408'];
    },
  },
  {
    name: 'client: 300 connections without a request',
    isQuick: true,
    async run() {
      const { gateway } = await startBoth({ maxConnections: 100 });
      const sockets = Array.from({ length: 300 }, () =>
        connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {}),
      );
      const line = await gateway.logged(({ reason }) => reason === 'limit');
      for (const socket of sockets) socket.destroy();
      await until(async () => (await get(`${gateway.url}/fresh/after`)).status === 200);
      assert.ok((await gateway.metric(/^waygate_connections_refused_total\{reason="limit"/)) >= 200);
      return ['503', String(line['msg']).slice(0, 60)];
    },
  },
  {
    name: 'process: 200 clients with 96 file descriptors',
    isQuick: true,
    async run() {
      const { gateway } = await startBoth({}, { limits: 'ulimit -n 96' });
      await get(`${gateway.url}/fresh/a`);
      const host = new URL(gateway.url).host;
      const request = `GET /fresh/a HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => sendBytes(gateway.url, request, 2_000)),
      );
      const count = (/** @type {string} */ status) =>
        answers.filter((text) => text.startsWith(`HTTP/1.1 ${status} `)).length;
      assert.ok(count('200') > 0);
      assert.equal(count('200') + count('503'), 200, 'no client is left without a word');
      await gateway.logged(({ reason }) => reason === 'descriptors');
      await until(async () => (await get(`${gateway.url}/fresh/a`)).status === 200);
      const refusals = await gateway.metric(/^waygate_connections_refused_total\{reason="descriptors"/);
      assert.ok(refusals > 0);
      return [`${count('200')} × 200, ${count('503')} × 503`, `descriptors: ${refusals} refused`];
    },
  },
  {
    name: 'process: stands still for 3 s, as if the clock jumped',
    async run() {
      const { gateway, site } = await startBoth();
      await get(`${gateway.url}/stored`);
      gateway.child.kill('SIGSTOP');
      const waiting = get(`${gateway.url}/stored`);
      await sleep(3_000);
      gateway.child.kill('SIGCONT');
      assert.equal((await waiting).status, 200);
      assert.equal(site.count('/stored'), 2, 'what has become stale is asked for again');
      return ['200', 'nothing'];
    },
  },
  {
    name: 'process: stops while a client downloads',
    isQuick: true,
    async run() {
      const { gateway, site } = await startBoth({ shutdownGrace: '300ms', idleGrace: '50ms' });
      site.fault = ({ socket }) => socket.write(format(200, 'x').replace('Length: 1', 'Length: 100'));
      const download = get(`${gateway.url}/download`);
      await until(() => site.count('/download') === 1);
      await sleep(100);
      gateway.child.kill('SIGTERM');
      assert.equal(describe(await download), '200 broken');
      assert.equal(await gateway.exited, 0);
      const line = await gateway.logged(({ path }) => path === '/download');
      assert.equal(line['failure'], 'shutdown');
      await gateway.logged(({ requests }) => requests === 1);
      return ['200 broken', 'failure: shutdown'];
    },
  },
];
