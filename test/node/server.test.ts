import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, type Log, type SiteOptions } from '../../src/gateway/index.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/node/index.ts';
import { deadOrigin, type EchoSite, startEchoSite } from '../support/echo-site.ts';

type Line = Readonly<Record<string, unknown>>;

let site: EchoSite;
const running = new Set<RunningServer>();

beforeAll(async () => {
  site = await startEchoSite(({ url, headers }, response) => {
    if (url === '/moved') response.writeHead(302, { location: `http://${headers['host']}/there` }).end();
    else if (url === '/late') setTimeout(() => response.end('late'), 700);
    else if (url === '/half') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    } else return false;
    return true;
  });
});
afterEach(async () => {
  await Promise.all(Array.from(running, (server) => server.stop()));
  running.clear();
});
afterAll(() => site.close());

/** A plain reverse proxy in front of the site, on a free port. */
async function start(
  options: ServeOptions = {},
  more: readonly SiteOptions[] = [],
): Promise<{ url: string; port: number; lines: Line[] }> {
  const lines: Line[] = [];
  const note = (facts: object, msg: string): void => void lines.push({ ...facts, msg });
  const log: Log = { info: note, warn: note, error: note };
  const plain: SiteOptions = { url: site.origin, discovery: 'off', passthrough: true };
  const server = await serve(createGateway({ sites: [plain, ...more] }), { port: 0, log, ...options });
  running.add(server);
  return { url: server.url, port: Number(new URL(server.url).port), lines };
}

/** Sends bytes as they are and gives back what comes until the connection is closed. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen within five seconds');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('what is no request', () => {
  test.each([
    ['not HTTP at all', 'GARBAGE\r\n\r\n', 400, 'gateway_bad_request'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'gateway_bad_request',
    ],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 400, 'gateway_bad_request'],
    [
      'more headers than there is room for',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'gateway_headers_too_large',
    ],
    ['a head that never ends', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'gateway_request_timeout'],
  ])('%s is answered with a problem, logged, and the connection closed', async (_, bytes, status, code) => {
    const { port, lines } = await start({ idleTimeout: 300 });
    const [head = '', body = ''] = (await exchange(port, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('content-type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status, code });
    expect(lines).toMatchObject([{ client: '127.0.0.1', status, msg: 'invalid request' }]);
  });

  test('does not get into an answer that has begun', async () => {
    const { port } = await start();
    const answer = await exchange(port, 'GET /half HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n');
    expect(answer.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2);
  });
});

describe('patience', () => {
  test('is for callers: a site that takes longer is waited for', async () => {
    const { url } = await start({ idleTimeout: 200 });
    expect(await (await fetch(`${url}/late`)).text()).toBe('late');
  });

  test('ends where a caller stops in the middle of a body', async () => {
    const { port } = await start({ idleTimeout: 200 });
    const began = Date.now();
    await exchange(port, 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    expect(Date.now() - began).toBeLessThan(5_000);
  });
});

describe('a caller', () => {
  test('who names no host, as in HTTP/1.0, is given addresses that lead back here', async () => {
    const { port } = await start();
    expect(await exchange(port, 'GET /moved HTTP/1.0\r\n\r\n')).toContain(
      `\r\nlocation: http://127.0.0.1:${port}/there\r\n`,
    );
  });

  test('who expects more than 100-continue is answered all the same', async () => {
    const { port } = await start();
    const answer = await exchange(
      port,
      'GET /x HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain('"expect"');
  });
});

describe('the line of a request says', () => {
  test('that the site broke its answer off', async () => {
    const { url, lines } = await start();
    await expect((await fetch(`${url}/half`)).text()).rejects.toThrow();
    await until(() => lines.length === 1);
    expect(lines).toMatchObject([{ path: '/half', status: 200, failure: 'connection-broken' }]);
  });

  test('that the site was not there, and why', async () => {
    const url = await deadOrigin();
    const gateway = await start({}, [{ name: 'down', url, discovery: 'off', passthrough: true }]);
    expect((await fetch(`${gateway.url}/down/x`)).status).toBe(502);
    await until(() => gateway.lines.length === 1);
    expect(gateway.lines).toMatchObject([
      { status: 502, failure: 'refused', cause: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  test('that the caller left', async () => {
    const { url, lines } = await start();
    await expect(fetch(`${url}/late`, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
    await until(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ path: '/late', status: 499 });
    expect(lines[0]).not.toHaveProperty('failure');
  });
});

test('a caller who leaves in the middle of a body is one line of the log', async () => {
  const { port, lines } = await start();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    setTimeout(() => socket.end(), 100);
  });
  await until(() => lines.length > 0 && socket.destroyed);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(lines).toMatchObject([{ msg: 'request', status: 499 }]);
});

test('a connection that was made and not used holds no stop up', async () => {
  const { port } = await start();
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve).resume());
  const began = Date.now();
  await Promise.all(Array.from(running, (server) => server.stop()));
  await closed;
  expect(Date.now() - began).toBeLessThan(2_000);
});

test('a request that nothing here was made for is answered with 500, and the next one as ever', async () => {
  const gateway = createGateway({ sites: [{ url: site.origin, discovery: 'off', passthrough: true }] });
  const { plan } = gateway;
  expect(plan({ ...HEAD, target: '/x' }).kind).toBe('proxy');
  const broken = {
    ...HEAD,
    get target(): string {
      throw new Error('no target');
    },
  };
  const failed = plan(broken);
  if (failed.kind !== 'answer') throw new Error('it was planned');
  expect((await failed.respond(new Request('http://a/'))).status).toBe(500);
});

const HEAD = {
  method: 'GET',
  target: '/',
  headers: ['Host', 'a'],
  peer: '127.0.0.1',
  protocol: 'http',
  httpVersion: '1.1',
} as const;
