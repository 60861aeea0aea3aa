import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FailureReason } from '../../src/discovery/failures.ts';
import { type DiscoverOptions, discover } from '../../src/discovery/index.ts';
import type { DiscoveryRuleName } from '../../src/discovery/rules.ts';
import { DiscoveryError } from '../../src/errors.ts';
import { startServer, unreachableOrigin } from '../support/server.ts';

/**
 * Responses of broken sites, sent by a real server on the loopback. The result is an error that states the request, the
 * outcome and what to try next, or an index with a diagnostic.
 */

type Responder = (response: ServerResponse, url: string) => unknown;

/** Starts a server for a test; returns its URL. */
async function startSite(server: Server): Promise<string> {
  const { close, origin } = await startServer(server);
  onTestFinished(close);
  return `${origin}/`;
}

function serve(respond: Responder): Promise<string> {
  return startSite(createServer((request, response) => respond(response, request.url ?? '')));
}

function serveBytes(respond: (socket: Socket) => void): Promise<string> {
  return startSite(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => respond(socket));
    }),
  );
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
const htmlPage = (status: number, body: string): Responder =>
  send(status, body, { 'Content-Type': 'text/html' });
const wordpressError = (status: number, code: string, message: string): Responder =>
  send(status, JSON.stringify({ code, message, data: { status } }));
const redirectTo =
  (to: (url: string) => string): Responder =>
  (response, url) =>
    response.writeHead(302, { Location: to(url) }).end();

interface FailureCase {
  readonly respond: Responder;
  readonly options?: DiscoverOptions;
  /** Path below the URL of the server. @default '' */
  readonly path?: string;
  readonly reason: FailureReason;
  readonly messageParts: readonly (string | RegExp)[];
}

const FAILURE_CASES: Readonly<Record<string, FailureCase>> = {
  'a page of HTML everywhere': {
    respond: htmlPage(200, '<!DOCTYPE html><title>Welcome</title><p>Hello'),
    reason: 'not-wordpress',
    messageParts: ['no WordPress REST interface', 'none of', 'Check that the site is a WordPress'],
  },
  'a page of HTML where the index was given': {
    respond: (response, url) =>
      url.startsWith('/wp-json/')
        ? htmlPage(200, '<html><title>Shop</title>')(response, url)
        : send(404, '')(response, url),
    path: 'wp-json/',
    reason: 'not-wordpress',
    messageParts: ['/wp-json/'],
  },
  'a login form': {
    respond: htmlPage(200, '<html><title>Log In</title><form><input type="password" name="pwd"></form>'),
    reason: 'login-page',
    messageParts: ['"Log In": a login form', '--auth', '--header'],
  },
  'a redirect to wp-login.php': {
    respond: (response, url) =>
      url.startsWith('/wp-login.php')
        ? htmlPage(200, '<html><title>Anmelden</title></html>')(response, url)
        : redirectTo(() => '/wp-login.php?redirect_to=x')(response, url),
    reason: 'login-page',
    messageParts: ['/wp-login.php', '"Anmelden"', '--auth'],
  },
  'a maintenance page with 503': {
    respond: htmlPage(
      503,
      '<html><title>Maintenance</title>Briefly unavailable for scheduled maintenance. Check back',
    ),
    reason: 'maintenance',
    messageParts: ['503', 'a maintenance page', 'Try again'],
  },
  'a bot challenge': {
    respond: send(403, '<!DOCTYPE html><title>Just a moment...</title>', { 'cf-mitigated': 'challenge' }),
    reason: 'bot-challenge',
    messageParts: ['Just a moment', 'a bot challenge'],
  },
  'a truncated index': {
    respond: send(200, TEXT.slice(0, 80)),
    reason: 'truncated',
    messageParts: ['returned 200', 'ends unexpectedly after 80 characters', 'cut off'],
  },
  'a connection that is closed in the index': {
    respond: (response) => {
      response.writeHead(200, { 'Content-Length': '5000' }).write(TEXT);
      setTimeout(() => response.destroy(), 50);
    },
    reason: 'truncated',
    messageParts: ['returned 200 and then closed the connection'],
  },
  'a notice in the middle of the index': {
    respond: send(200, TEXT.replace('"endpoints":', `"endpoints":${NOTICE}`)),
    reason: 'not-json',
    messageParts: ['without readable JSON', 'from character', '<b>Notice</b>'],
  },
  'an empty body': {
    respond: send(200, ''),
    reason: 'empty',
    messageParts: ['returned 200', 'empty', 'error log'],
  },
  'a fatal error of PHP with 500': {
    respond: htmlPage(
      500,
      '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined function x() in /srv/a.php:3',
    ),
    reason: 'php-error',
    messageParts: ['500', 'Call to undefined function', 'error log'],
  },
  '401 without a body': {
    respond: send(401, ''),
    reason: 'unauthorized',
    messageParts: ['returned 401', '--auth user:'],
  },
  '401 of WordPress': {
    respond: wordpressError(401, 'rest_login_required', 'REST API restricted to authenticated users.'),
    reason: 'unauthorized',
    messageParts: ['401: rest_login_required, "REST API restricted', '--auth'],
  },
  '401 despite credentials': {
    respond: wordpressError(
      401,
      'incorrect_password',
      'The provided password is an invalid application password.',
    ),
    options: { auth: { user: 'u', password: 'hunter2' } },
    reason: 'unauthorized',
    messageParts: ['incorrect_password', 'given credentials were not accepted'],
  },
  '403 of a firewall': {
    respond: htmlPage(403, '<html><head><title>403 Forbidden</title></head></html>'),
    reason: 'forbidden',
    messageParts: ['403 with an HTML page, "403 Forbidden"', 'firewall'],
  },
  'a REST interface that is disabled': {
    respond: wordpressError(403, 'rest_disabled', 'The REST API on this site has been disabled.'),
    reason: 'forbidden',
    messageParts: ['rest_disabled, "The REST API on this site has been disabled."', '--auth'],
  },
  'a REST interface without a root index': {
    respond: wordpressError(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
    reason: 'no-route',
    messageParts: ['404: rest_no_route', 'which plugin'],
  },
  'another error of WordPress': {
    respond: wordpressError(500, 'internal_server_error', 'Something broke'),
    reason: 'site-error',
    messageParts: ['500: internal_server_error, "Something broke"'],
  },
  '404 everywhere': {
    respond: send(404, 'no'),
    reason: 'not-found',
    messageParts: ['returned 404', 'addresses were tried', 'Try the front page'],
  },
  '429': {
    respond: send(429, 'slow down'),
    reason: 'too-many-requests',
    messageParts: ['429', 'Try again later'],
  },
  '407, which fetch reports as a network error': {
    respond: send(407, ''),
    reason: 'network-error',
    messageParts: ['could not be requested', 'a proxy that requires credentials (407)'],
  },
  '502 of a proxy': {
    respond: htmlPage(502, '<html><title>502 Bad Gateway</title></html>'),
    reason: 'server-error',
    messageParts: ['502'],
  },
  'a list': {
    respond: send(200, '[]'),
    reason: 'not-an-index',
    messageParts: ['It is [] instead of an object', 'Try the front page'],
  },
  null: { respond: send(200, 'null'), reason: 'not-an-index', messageParts: ['It is null instead'] },
  'an object without routes': {
    respond: send(200, '{"name":"x"}'),
    reason: 'not-an-index',
    messageParts: ['It has no "routes"'],
  },
  'the index of one namespace': {
    respond: send(200, '{"namespace":"wp/v2","routes":{}}'),
    reason: 'not-an-index',
    messageParts: ['the index of one namespace'],
  },
  text: {
    respond: send(200, 'Hello world'),
    reason: 'not-json',
    messageParts: ['It begins with "Hello world"'],
  },
  'bytes of an image': {
    respond: send(200, Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254, 1, 2, 3]), {
      'Content-Type': 'image/png',
    }),
    reason: 'not-json',
    messageParts: ['without readable JSON'],
  },
  'JSON with three hundred thousand levels': {
    respond: send(200, `{"routes":${'['.repeat(300_000)}`),
    reason: 'too-deep',
    messageParts: ['exceeds the nesting limit'],
  },
  'a stated length over the limit': {
    respond: (response) => response.writeHead(200, { 'Content-Length': '99999999' }).write('{'),
    options: { maxBytes: 10_000 },
    reason: 'too-large',
    messageParts: ['99999999 bytes', 'limit of 10000 bytes', 'Raise the limit'],
  },
  'a stream without an end': {
    respond: (response) => {
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    },
    options: { maxBytes: 200_000 },
    reason: 'too-large',
    messageParts: ['over the limit of 200000 bytes'],
  },
  'a gzip bomb': {
    respond: send(200, gzipSync(' '.repeat(50_000_000)), { 'Content-Encoding': 'gzip' }),
    options: { maxBytes: 1_000_000 },
    reason: 'too-large',
    messageParts: ['over the limit of 1000000 bytes'],
  },
  'a body that is not compressed as its header states': {
    respond: send(200, TEXT, { 'Content-Encoding': 'gzip' }),
    reason: 'bad-encoding',
    messageParts: ['could not be decompressed', 'compression'],
  },
  'no response': {
    respond: () => {},
    options: { requestTimeout: 100, timeout: 250 },
    reason: 'timeout',
    messageParts: ['did not finish', 'raise the timeout'],
  },
  'a slow response': {
    respond: (response) => {
      const timer = setInterval(() => response.write('{'), 20);
      response.on('close', () => clearInterval(timer));
    },
    options: { requestTimeout: 150, timeout: 400 },
    reason: 'timeout',
    messageParts: ['returned 200 and then did not finish within 150 ms'],
  },
  'a redirect to itself': {
    respond: redirectTo((url) => url),
    reason: 'redirect-loop',
    messageParts: ['which was requested before', 'siteurl'],
  },
  'an endless chain of redirects': {
    respond: redirectTo((url) => `${url}x`),
    reason: 'too-many-redirects',
    messageParts: ['the limit is 10'],
  },
  'a redirect without Location': {
    respond: (response) => response.writeHead(301).end(),
    reason: 'bad-redirect',
    messageParts: ['301 without a usable Location'],
  },
};

const discoverFailure = async (url: string, options: DiscoverOptions = {}): Promise<DiscoveryError> => {
  const failure: unknown = await discover(url, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof DiscoveryError))
    throw new Error(`no DiscoveryError: ${String(failure)}`, { cause: failure });
  return failure;
};

describe('discovery fails with an error that names the cause for', () => {
  test.each(Object.entries(FAILURE_CASES))(
    '%s',
    async (_, { respond, options, path = '', reason, messageParts }) => {
      const url = await serve(respond);
      const failure = await discoverFailure(url + path, options);
      expect(failure.reason).toBe(reason);
      expect(failure.exitCode).toBe(3);
      expect(failure.message).toContain(url);
      for (const part of messageParts)
        expect(failure.message).toMatch(part instanceof RegExp ? part : escapeRegExp(part));
      expect(failure.attempts.length).toBeGreaterThan(0);
      expect(JSON.stringify([failure.message, failure.attempts])).not.toContain('hunter2');
    },
  );

  test.each<[string, () => Promise<string> | string, reason: string, messageParts: readonly string[]]>([
    [
      'a port without a server',
      async () => `${await unreachableOrigin()}/`,
      'refused',
      ['refused the connection (ECONNREFUSED)', 'Check the port'],
    ],
    [
      'a host name that does not exist',
      () => 'http://missing.invalid/',
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
    [
      'credentials before a broken host',
      () => 'https://me:hunter2@exa mple/',
      'invalid-url',
      ['***@exa mple'],
    ],
    ['credentials without a scheme', () => 'me:hunter2@example.com', 'not-http-url', ['***@example.com']],
  ])('%s', async (_, start, reason, messageParts) => {
    const failure = await discoverFailure(await start());
    expect(failure.reason).toBe(reason);
    for (const part of messageParts) expect(failure.message).toContain(part);
    expect(failure.message).not.toContain('hunter2');
  });

  test('a site with credentials in its address, and does not show them', async () => {
    for (const { respond, options } of Object.values(FAILURE_CASES)) {
      const url = (await serve(respond)).replace('://', '://me:hunter2@');
      const { auth: _, ...limits } = options ?? {};
      const failure = await discoverFailure(url, limits);
      expect(JSON.stringify([failure.message, failure.attempts, failure.cause])).not.toMatch(/hunter2|me:/);
    }
  });

  test('a fetch that ignores its signal', async () => {
    const failure = await discoverFailure('http://127.0.0.1/', {
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
      'ISO 8859-1',
      send(200, latin1, { 'Content-Type': 'application/json; charset=iso-8859-1' }),
      'foreign-charset',
      'Café',
    ],
    ['ISO 8859-1 that is labelled UTF-8', send(200, latin1), 'invalid-utf8', 'Caf\ufffd'],
    ['an index with 404', send(404, TEXT), 'status-of-index', 'Café'],
    ['an index in gzip', send(200, gzipSync(TEXT), { 'Content-Encoding': 'gzip' }), 'found-by', 'Café'],
    ['an index without a media type', (response) => response.end(TEXT), 'found-by', 'Café'],
    ['an index without routes', send(200, '{"name":"Café","routes":[]}'), 'no-routes', 'Café'],
    [
      'a schema with a hundred thousand levels',
      send(200, TEXT.replace('"page":{}', `"page":${'{"items":'.repeat(100_000)}{}${'}'.repeat(100_000)}`)),
      'route-too-large',
      'Café',
    ],
    [
      'a link to a broken address',
      (response, url) => {
        response.setHeader(
          'Link',
          '<http://[broken/>; rel="https://api.w.org/", <ftp://x/>; rel="https://api.w.org/"',
        );
        return url === '/' ? htmlPage(200, '<html>')(response, url) : send(200, TEXT)(response, url);
      },
      'found-by',
      'Café',
    ],
  ])('%s', async (_, respond, rule, name) => {
    const url = await serve(respond);
    const { index, diagnostics } = await discover(url);
    expect(diagnostics.map((diagnostic) => diagnostic.rule)).toContain(rule);
    expect(index.name).toBe(name);
    if (rule !== 'no-routes' && rule !== 'route-too-large')
      expect(index.routes).toMatchObject([
        { pattern: '/wp/v2/posts', endpoints: [{ args: [{ name: 'page' }] }] },
      ]);
  });
});

function escapeRegExp(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
