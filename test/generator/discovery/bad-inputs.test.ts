import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DiscoveryError } from '../../../src/base/errors.ts';
import type { FailureReason } from '../../../src/generator/discovery/failures.ts';
import { type DiscoverOptions, discover } from '../../../src/generator/discovery/index.ts';
import type { DiscoveryRuleName } from '../../../src/generator/discovery/index-values.ts';
import { createRoutesIndex } from '../../support/index-routes.ts';
import { runServer } from '../../support/run.ts';
import { unreachableOrigin } from '../../support/server.ts';
import { giveTurns } from '../../support/wait.ts';

/**
 * Responses of broken sites, sent by a real server on the loopback. The result is an error that states the request, the
 * outcome and what to try next, or an index with a diagnostic.
 */

type Responder = (response: ServerResponse, url: string) => unknown;

const serve = async (respond: Responder): Promise<string> =>
  `${(await runServer((request, response) => void respond(response, request.url ?? ''))).origin}/`;

async function serveBytes(respond: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
  });
  return `${(await runServer(server)).origin}/`;
}

const TEXT = JSON.stringify({ ...createRoutesIndex({ '/wp/v2/posts': 'GET' }, { page: {} }), name: 'Café' });

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

/** What the site sends, and with which options it is discovered. */
type FailureCase = [name: string, reason: FailureReason, respond: Responder, options?: DiscoverOptions];

const FAILURE_CASES: FailureCase[] = [
  ['a page of HTML everywhere', 'not-wordpress', htmlPage(200, '<!DOCTYPE html><title>Welcome</title>Hello')],
  [
    'a redirect to wp-login.php',
    'login-page',
    (response, url) =>
      url.startsWith('/wp-login.php')
        ? htmlPage(200, '<html><title>Anmelden</title></html>')(response, url)
        : redirectTo(() => '/wp-login.php?redirect_to=x')(response, url),
  ],
  [
    'a maintenance page with 503',
    'server-error',
    htmlPage(
      503,
      '<html><title>Maintenance</title>Briefly unavailable for scheduled maintenance. Check back',
    ),
  ],
  [
    'a bot challenge',
    'bot-challenge',
    send(403, '<!DOCTYPE html><title>Just a moment...</title>', { 'cf-mitigated': 'challenge' }),
  ],
  [
    'a connection that is closed in the index',
    'truncated',
    (response) => {
      response.writeHead(200, { 'Content-Length': '5000' }).write(TEXT);
      void giveTurns(10).then(() => response.destroy());
    },
  ],
  ['401 without a body', 'unauthorized', send(401, '')],
  [
    'a REST interface without a root index',
    'no-route',
    wordpressError(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
  ],
  ['404 everywhere', 'not-found', send(404, 'no')],
  ['407, which fetch reports as a network error', 'network-error', send(407, '')],
  [
    'a login form',
    'login-page',
    htmlPage(200, '<html><title>Log In</title><input type="password" name="pwd">'),
  ],
  ['another error of WordPress', 'site-error', wordpressError(500, 'internal_server_error', 'Broken')],
  ['429', 'too-many-requests', send(429, 'slow down')],
  ['an object without routes', 'not-an-index', send(200, '{"name":"x"}')],
  [
    'a stream without an end',
    'too-large',
    (response) => {
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    },
    { maxBytes: 200_000 },
  ],
  [
    'a gzip bomb',
    'too-large',
    send(200, gzipSync(' '.repeat(50_000_000)), { 'Content-Encoding': 'gzip' }),
    { maxBytes: 1_000_000 },
  ],
  ['a body that is not compressed', 'bad-encoding', send(200, TEXT, { 'Content-Encoding': 'gzip' })],
  ['no response', 'timeout', () => {}, { timeout: 250 }],
  ['a redirect to itself', 'redirect-loop', redirectTo((url) => url)],
  ['an endless chain of redirects', 'too-many-redirects', redirectTo((url) => `${url}x`)],
  ['a redirect without Location', 'bad-redirect', (response) => response.writeHead(301).end()],
];

async function discoverFailure(url: string, options: DiscoverOptions = {}): Promise<DiscoveryError> {
  const failure: unknown = await discover(url, options).catch((error: unknown) => error);
  if (!(failure instanceof DiscoveryError)) throw new Error('no DiscoveryError', { cause: failure });
  return failure;
}

describe('discovery fails with an error that names the cause for', () => {
  test.each(FAILURE_CASES)('%s (%s)', async (_, reason, respond, options = {}) => {
    const url = await serve(respond);
    const failure = await discoverFailure(url, options);
    expect([failure.reason, failure.exitCode]).toEqual([reason, 3]);
    expect(failure.message).toContain(url);
    expect(failure.attempts.length).toBeGreaterThan(0);
    const named = await discoverFailure(url.replace('://', '://me:hunter2@'), options);
    for (const { attempts, cause, message } of [failure, named])
      expect(JSON.stringify([message, attempts, cause])).not.toMatch(/hunter2|me:/);
  });

  test.each<[string, reason: string, () => Promise<string> | string]>([
    ['a port without a server', 'refused', async () => `${await unreachableOrigin()}/`],
    ['a host name that does not exist', 'dns', () => 'http://missing.invalid/'],
    ['https at a port of http', 'tls', async () => (await serve(send(200, TEXT))).replace('http:', 'https:')],
    ['another protocol', 'not-http', () => serveBytes((socket) => socket.end('220 mail ready\r\n'))],
    ['a closed connection', 'connection-lost', () => serveBytes((socket) => socket.destroy())],
    ['an empty address', 'invalid-url', () => ''],
    ['a host without a scheme', 'invalid-url', () => 'example.com/blog'],
    ['credentials before a broken host', 'invalid-url', () => 'https://me:hunter2@exa mple/'],
    ['credentials without a scheme', 'not-http-url', () => 'me:hunter2@example.com'],
  ])('%s (%s)', async (_, reason, start) => {
    const failure = await discoverFailure(await start());
    expect(failure.reason).toBe(reason);
    expect(failure.message).not.toContain('hunter2');
  });
});

describe('discovery returns an index and a diagnostic for', () => {
  test.each<[string, Responder, DiscoveryRuleName]>([
    ['an index with 404', send(404, TEXT), 'status-of-index'],
    ['an index without a media type', (response) => response.end(TEXT), 'found-by'],
    [
      'a link to a broken address',
      (response, url) => {
        const links = ['http://[broken/', 'ftp://x/'].map((to) => `<${to}>; rel="https://api.w.org/"`);
        response.setHeader('Link', links.join(', '));
        return (url === '/' ? htmlPage(200, '<html>') : send(200, TEXT))(response, url);
      },
      'found-by',
    ],
  ])('%s', async (_, respond, rule) => {
    const url = await serve(respond);
    const { index, diagnostics } = await discover(url);
    expect(diagnostics.map((diagnostic) => diagnostic.rule)).toContain(rule);
    expect(index.name).toBe('Café');
    const endpoints = [{ args: [{ name: 'page' }] }];
    expect(index.routes[1]).toMatchObject({ pattern: '/wp/v2/posts', endpoints });
  });
});
