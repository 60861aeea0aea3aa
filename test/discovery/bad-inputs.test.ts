import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { FailureReason } from '../../src/discovery/failure-reasons.ts';
import { type DiscoverOptions, discover } from '../../src/discovery/index.ts';
import type { DiscoveryRuleName } from '../../src/discovery/rules.ts';
import { DiscoveryError } from '../../src/errors.ts';

/**
 * Responses of broken sites, sent by a real server on the loopback. The result is an error that states the request, the
 * outcome and what to try next, or an index with a diagnostic.
 */

const open: { close: () => unknown; closeAllConnections?: () => void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

type Responder = (response: ServerResponse, url: string) => unknown;

async function serve(answer: Responder): Promise<string> {
  const server: Server = createServer((request, response) => answer(response, request.url ?? ''));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serveBytes(answer: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function closedPort(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

const INDEX = {
  name: 'Café',
  namespaces: ['wp/v2'],
  routes: {
    '/wp/v2/posts': {
      namespace: 'wp/v2',
      endpoints: [{ methods: ['GET'], args: { page: {} } }],
      schema: { title: 'post' },
    },
  },
};
const TEXT = JSON.stringify(INDEX);
const NOTICE = '<br />\n<b>Notice</b>: Undefined index: {x} in <b>/srv/a.php</b> on line <b>3</b><br />\n';

const send =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Responder =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', ...headers }).end(body);
const html = (status: number, body: string): Responder => send(status, body, { 'Content-Type': 'text/html' });
const refuse = (status: number, code: string, message: string): Responder =>
  send(status, JSON.stringify({ code, message, data: { status } }));
const redirect =
  (to: (url: string) => string): Responder =>
  (response, url) =>
    response.writeHead(302, { Location: to(url) }).end();

interface Failing {
  readonly answer: Responder;
  readonly options?: DiscoverOptions;
  /** Below the server. @default '' */
  readonly at?: string;
  readonly reason: FailureReason;
  readonly says: readonly (string | RegExp)[];
}

const FAILING: Readonly<Record<string, Failing>> = {
  'a page of HTML everywhere': {
    answer: html(200, '<!DOCTYPE html><title>Welcome</title><p>Hello'),
    reason: 'not-wordpress',
    says: ['no WordPress REST interface', 'none of', 'Check that the site is a WordPress'],
  },
  'a page of HTML where the index was given': {
    answer: (response, url) =>
      url.startsWith('/wp-json/')
        ? html(200, '<html><title>Shop</title>')(response, url)
        : send(404, '')(response, url),
    at: 'wp-json/',
    reason: 'not-wordpress',
    says: ['/wp-json/'],
  },
  'a login form': {
    answer: html(200, '<html><title>Log In</title><form><input type="password" name="pwd"></form>'),
    reason: 'login-page',
    says: ['"Log In": a login form', '--auth', '--header'],
  },
  'a redirect to wp-login.php': {
    answer: (response, url) =>
      url.startsWith('/wp-login.php')
        ? html(200, '<html><title>Anmelden</title></html>')(response, url)
        : redirect(() => '/wp-login.php?redirect_to=x')(response, url),
    reason: 'login-page',
    says: ['/wp-login.php', '"Anmelden"', '--auth'],
  },
  'a maintenance page with 503': {
    answer: html(
      503,
      '<html><title>Maintenance</title>Briefly unavailable for scheduled maintenance. Check back',
    ),
    reason: 'maintenance',
    says: ['503', 'a maintenance page', 'Try again'],
  },
  'a maintenance page with 200': {
    answer: html(200, '<!doctype html><title>My site is under maintenance</title>'),
    reason: 'maintenance',
    says: ['200', 'under maintenance'],
  },
  'a bot challenge': {
    answer: send(403, '<!DOCTYPE html><title>Just a moment...</title>', { 'cf-mitigated': 'challenge' }),
    reason: 'bot-challenge',
    says: ['Just a moment', 'a bot challenge'],
  },
  'an index that is cut off': {
    answer: send(200, TEXT.slice(0, 80)),
    reason: 'truncated',
    says: ['returned 200', 'ends unexpectedly after 80 characters', 'cut off'],
  },
  'an index that is cut off after a notice': {
    answer: send(200, NOTICE + TEXT.slice(0, -5)),
    reason: 'truncated',
    says: ['ends unexpectedly'],
  },
  'a connection that is closed in the index': {
    answer: (response) => {
      response.writeHead(200, { 'Content-Length': '5000' }).write(TEXT);
      setTimeout(() => response.destroy(), 50);
    },
    reason: 'truncated',
    says: ['returned 200 and then closed the connection'],
  },
  'a notice in the middle of the index': {
    answer: send(200, TEXT.replace('"endpoints":', `"endpoints":${NOTICE}`)),
    reason: 'not-json',
    says: ['without readable JSON', 'from character', '<b>Notice</b>'],
  },
  'an empty body': { answer: send(200, ''), reason: 'empty', says: ['returned 200', 'empty', 'error log'] },
  'white space alone': { answer: send(200, ' \n\ufeff'), reason: 'empty', says: ['empty'] },
  'no content': {
    answer: (response) => response.writeHead(204).end(),
    reason: 'empty',
    says: ['returned 204'],
  },
  'a fatal error of PHP with 500': {
    answer: html(
      500,
      '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function x() in /srv/a.php:3',
    ),
    reason: 'php-error',
    says: ['500', 'Call to undefined function', 'error log'],
  },
  'a fatal error of PHP with 200': {
    answer: html(
      200,
      '\n<b>Fatal error</b>:  Allowed memory size of 134217728 bytes exhausted in <b>/srv/a.php',
    ),
    reason: 'php-error',
    says: ['Allowed memory size'],
  },
  "WordPress's page for fatal errors": {
    answer: html(
      500,
      '<!DOCTYPE html><title>WordPress &rsaquo; Error</title><p>There has been a critical error on this website.</p>',
    ),
    reason: 'php-error',
    says: ['critical error'],
  },
  '401 without a body': {
    answer: send(401, ''),
    reason: 'unauthorized',
    says: ['returned 401', '--auth user:'],
  },
  '401 of WordPress': {
    answer: refuse(401, 'rest_login_required', 'REST API restricted to authenticated users.'),
    reason: 'unauthorized',
    says: ['401: rest_login_required, "REST API restricted', '--auth'],
  },
  '401 despite credentials': {
    answer: refuse(401, 'incorrect_password', 'The provided password is an invalid application password.'),
    options: { auth: { user: 'u', password: 'hunter2' } },
    reason: 'unauthorized',
    says: ['incorrect_password', 'given credentials were not accepted'],
  },
  '403 of a firewall': {
    answer: html(403, '<html><head><title>403 Forbidden</title></head></html>'),
    reason: 'forbidden',
    says: ['403 with an HTML page, "403 Forbidden"', 'firewall'],
  },
  'a REST interface that is disabled': {
    answer: refuse(403, 'rest_disabled', 'The REST API on this site has been disabled.'),
    reason: 'forbidden',
    says: ['rest_disabled, "The REST API on this site has been disabled."', '--auth'],
  },
  'a REST interface without a root index': {
    answer: refuse(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
    reason: 'no-route',
    says: ['404: rest_no_route', 'which plugin'],
  },
  'another error of WordPress': {
    answer: refuse(500, 'internal_server_error', 'Something broke'),
    reason: 'site-error',
    says: ['500: internal_server_error, "Something broke"'],
  },
  '404 everywhere': {
    answer: send(404, 'no'),
    reason: 'not-found',
    says: ['returned 404', 'addresses were tried', 'Try the front page'],
  },
  '404 of another JSON API': {
    answer: send(404, '{"error":"not found"}'),
    reason: 'not-found',
    says: ['returned 404'],
  },
  '429': { answer: send(429, 'slow down'), reason: 'too-many-requests', says: ['429', 'Try again later'] },
  '407, which fetch hides': {
    answer: send(407, ''),
    reason: 'network-error',
    says: ['could not be requested', 'a proxy that requires credentials (407)'],
  },
  '502 of a proxy': {
    answer: html(502, '<html><title>502 Bad Gateway</title></html>'),
    reason: 'server-error',
    says: ['502'],
  },
  '418': { answer: send(418, 'x'), reason: 'client-error', says: ['418'] },
  'a list': {
    answer: send(200, '[]'),
    reason: 'not-an-index',
    says: ['It is [] instead of an object', 'Try the front page'],
  },
  null: { answer: send(200, 'null'), reason: 'not-an-index', says: ['It is null instead'] },
  'a string': { answer: send(200, '"x"'), reason: 'not-an-index', says: ['It is "x" instead'] },
  'an object without routes': {
    answer: send(200, '{"name":"x"}'),
    reason: 'not-an-index',
    says: ['It has no "routes"'],
  },
  'routes that are a number': {
    answer: send(200, '{"routes":7}'),
    reason: 'not-an-index',
    says: ['"routes" are 7'],
  },
  'the index of one namespace': {
    answer: send(200, '{"namespace":"wp/v2","routes":{}}'),
    reason: 'not-an-index',
    says: ['the index of one namespace'],
  },
  'text and the start of an object': {
    answer: send(200, 'Hello {"world'),
    reason: 'truncated',
    says: ['ends unexpectedly'],
  },
  text: { answer: send(200, 'Hello world'), reason: 'not-json', says: ['It begins with "Hello world"'] },
  'bytes of an image': {
    answer: send(200, Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 1, 2, 3]), {
      'Content-Type': 'image/png',
    }),
    reason: 'not-json',
    says: ['without readable JSON'],
  },
  'JSON that nests three hundred thousand deep': {
    answer: send(200, `{"routes":${'['.repeat(300_000)}`),
    reason: 'too-deep',
    says: ['exceeds the nesting limit'],
  },
  'a stated length over the limit': {
    answer: (response) => response.writeHead(200, { 'Content-Length': '99999999' }).write('{'),
    options: { maxBytes: 10_000 },
    reason: 'too-large',
    says: ['99999999 bytes', 'limit of 10000 bytes', 'Raise the limit'],
  },
  'a stream without an end': {
    answer: (response) => {
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    },
    options: { maxBytes: 200_000 },
    reason: 'too-large',
    says: ['over the limit of 200000 bytes'],
  },
  'a gzip bomb': {
    answer: send(200, gzipSync(' '.repeat(50_000_000)), { 'Content-Encoding': 'gzip' }),
    options: { maxBytes: 1_000_000 },
    reason: 'too-large',
    says: ['over the limit of 1000000 bytes'],
  },
  'a body that is not compressed as its header states': {
    answer: send(200, TEXT, { 'Content-Encoding': 'gzip' }),
    reason: 'bad-encoding',
    says: ['could not be decompressed', 'compression'],
  },
  'no response': {
    answer: () => {},
    options: { requestTimeout: 100, timeout: 250 },
    reason: 'timeout',
    says: ['did not finish', 'raise the timeout'],
  },
  'a slow drip': {
    answer: (response) => {
      const timer = setInterval(() => response.write('{'), 20);
      response.on('close', () => clearInterval(timer));
    },
    options: { requestTimeout: 150, timeout: 400 },
    reason: 'timeout',
    says: ['returned 200 and then did not finish within 150 ms'],
  },
  'a redirect to itself': {
    answer: redirect((url) => url),
    reason: 'redirect-loop',
    says: ['which was requested before', 'siteurl'],
  },
  'two redirects in a cycle': {
    answer: redirect((url) => (url === '/a' ? '/b' : '/a')),
    reason: 'redirect-loop',
    says: ['redirects to'],
  },
  'an endless chain of redirects': {
    answer: redirect((url) => `${url}x`),
    reason: 'too-many-redirects',
    says: ['the limit is 10'],
  },
  'a redirect without Location': {
    answer: (response) => response.writeHead(301).end(),
    reason: 'bad-redirect',
    says: ['301 without a usable Location'],
  },
  'a redirect to a file': {
    answer: redirect(() => 'file:///etc/passwd'),
    reason: 'bad-redirect',
    says: ['302 without a usable Location'],
  },
};

const failureOf = async (url: string, options: DiscoverOptions = {}): Promise<DiscoveryError> => {
  const failure: unknown = await discover(url, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof DiscoveryError))
    throw new Error(`no DiscoveryError: ${String(failure)}`, { cause: failure });
  return failure;
};

describe('discovery fails with an explaining error for', () => {
  test.each(Object.entries(FAILING))('%s', async (_, { answer, options, at = '', reason, says }) => {
    const url = await serve(answer);
    const failure = await failureOf(url + at, options);
    expect(failure.reason).toBe(reason);
    expect(failure.exitCode).toBe(3);
    expect(failure.message).toContain(url);
    for (const words of says)
      expect(failure.message).toMatch(words instanceof RegExp ? words : escapeRegExp(words));
    expect(failure.attempts.length).toBeGreaterThan(0);
    expect(JSON.stringify([failure.message, failure.attempts])).not.toContain('hunter2');
  });

  test.each<[string, () => Promise<string> | string, reason: string, says: readonly string[]]>([
    [
      'a port without a server',
      closedPort,
      'refused',
      ['refused the connection (ECONNREFUSED)', 'Check the port'],
    ],
    [
      'a host name that does not exist',
      () => 'http://nobody.invalid/',
      'dns',
      ['could not be resolved', 'Check the host name'],
    ],
    [
      'https at a port that serves http',
      async () => (await serve(send(200, TEXT))).replace('http:', 'https:'),
      'tls',
      ['TLS', 'http://'],
    ],
    [
      'a server of another protocol',
      () => serveBytes((socket) => socket.end('220 mail ready\r\n')),
      'not-http',
      ['not HTTP', 'Check the port'],
    ],
    [
      'a connection that is closed at once',
      () => serveBytes((socket) => socket.destroy()),
      'connection-lost',
      ['closed the connection'],
    ],
    [
      'an empty address',
      () => '',
      'invalid-url',
      ['An empty string is not the address', 'https://example.com/'],
    ],
    ['a host without a scheme', () => 'example.com/blog', 'invalid-url', ['Try https://example.com/blog']],
    ['a file URL', () => 'file:///etc/passwd', 'not-http-url', ['neither an http nor an https address']],
    ['a script URL', () => 'javascript:alert(1)', 'not-http-url', ['neither']],
    [
      'credentials before a broken host',
      () => 'https://me:hunter2@exa mple/',
      'invalid-url',
      ['***@exa mple'],
    ],
    ['credentials without a scheme', () => 'me:hunter2@example.com', 'not-http-url', ['***@example.com']],
  ])('%s', async (_, start, reason, says) => {
    const failure = await failureOf(await start());
    expect(failure.reason).toBe(reason);
    for (const words of says) expect(failure.message).toContain(words);
    expect(failure.message).not.toContain('hunter2');
  });

  test('a site with credentials in its address, and does not show them', async () => {
    for (const { answer, options } of Object.values(FAILING)) {
      const url = (await serve(answer)).replace('://', '://me:hunter2@');
      const { auth: _, ...limits } = options ?? {};
      const failure = await failureOf(url, limits);
      expect(JSON.stringify([failure.message, failure.attempts, failure.cause])).not.toMatch(/hunter2|me:/);
    }
  });

  test('a site that never responds, within the timeout', async () => {
    const url = await serve(() => {});
    const started = performance.now();
    await failureOf(url, { timeout: 200 });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('a fetch that ignores its signal', async () => {
    const failure = await failureOf('http://127.0.0.1/', {
      timeout: 100,
      fetch: () => new Promise(() => {}),
    });
    expect(failure.reason).toBe('timeout');
  });
});

describe('discovery returns an index and a diagnostic for', () => {
  const latin1 = Uint8Array.from(TEXT, (character) => character.charCodeAt(0));
  test.each<[string, Responder, DiscoveryRuleName, string]>([
    ['a byte order mark', send(200, `\ufeff${TEXT}`), 'byte-order-mark', 'Café'],
    ['a notice before the JSON', send(200, NOTICE + TEXT), 'text-before-json', 'Café'],
    ['a notice after the JSON', send(200, TEXT + NOTICE), 'text-after-json', 'Café'],
    ['HTML after the JSON', send(200, `${TEXT}<!-- Page cached by X -->`), 'text-after-json', 'Café'],
    [
      'UTF-8 that is labelled ISO 8859-1',
      send(200, TEXT, { 'Content-Type': 'application/json; charset=iso-8859-1' }),
      'charset-label',
      'Café',
    ],
    [
      'ISO 8859-1',
      send(200, latin1, { 'Content-Type': 'application/json; charset=iso-8859-1' }),
      'foreign-charset',
      'Café',
    ],
    ['ISO 8859-1 that is labelled UTF-8', send(200, latin1), 'invalid-utf8', 'Caf\ufffd'],
    ['an index with 404', send(404, TEXT), 'status-of-index', 'Café'],
    ['an index as text/html', html(200, TEXT), 'found-by', 'Café'],
    ['an index in gzip', send(200, gzipSync(TEXT), { 'Content-Encoding': 'gzip' }), 'found-by', 'Café'],
    [
      'an index in brotli',
      send(200, brotliCompressSync(TEXT), { 'Content-Encoding': 'br' }),
      'found-by',
      'Café',
    ],
    ['an index without a media type', (response) => response.end(TEXT), 'found-by', 'Café'],
    ['an index without routes', send(200, '{"name":"Café","routes":[]}'), 'no-routes', 'Café'],
    [
      'a schema that nests a hundred thousand deep',
      send(200, TEXT.replace('"page":{}', `"page":${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`)),
      'too-deep',
      'Café',
    ],
    [
      'a link to a broken address',
      (response, url) => {
        response.setHeader(
          'Link',
          '<http://[broken/>; rel="https://api.w.org/", <ftp://x/>; rel="https://api.w.org/"',
        );
        return url === '/' ? html(200, '<html>')(response, url) : send(200, TEXT)(response, url);
      },
      'found-by',
      'Café',
    ],
  ])('%s', async (_, answer, rule, name) => {
    const url = await serve(answer);
    const { index, diagnostics } = await discover(url);
    expect(diagnostics.map((one) => one.rule)).toContain(rule);
    expect(index.name).toBe(name);
    if (rule !== 'no-routes')
      expect(index.routes).toMatchObject([
        { pattern: '/wp/v2/posts', endpoints: [{ args: [{ name: 'page' }] }] },
      ]);
  });
});

function escapeRegExp(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
