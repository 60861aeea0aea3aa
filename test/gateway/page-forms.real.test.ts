import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWordPress, type WordPress } from '../../scripts/wordpress/start.mjs';
import { isJsonObject, type JsonObject } from '../../src/json.ts';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { PAGE_REQUESTS } from './page-requests.ts';

/**
 * Members of `$_SERVER` that differ: those of the connection, and the fields that a proxy adds or that belong to one connection. All others
 * are those of a direct request.
 */
const OWN_MEMBERS =
  /^(?:REMOTE_PORT|REQUEST_TIME(?:_FLOAT)?|UNIQUE_ID|HTTP_(?:CONNECTION|KEEP_ALIVE|VIA|FORWARDED|X_FORWARDED_\w+|X_REAL_IP|X_REQUEST_ID|TRACEPARENT))$/;

/** What a request that the store may share is sent with: nothing of one client. */
const CLIENT_MEMBERS = /^HTTP_(?:ACCEPT\w*|USER_AGENT|SEC_\w+|CACHE_CONTROL|PRAGMA|X_SEEN)$/;

describe.each(['nginx', 'apache'] as const)('a real site at %s', (webServer) => {
  let wordpress: WordPress;
  let running: RunningGateway;
  beforeAll(async () => {
    const muPlugins = fileURLToPath(new URL('mu-plugins', import.meta.url));
    wordpress = await startWordPress({ webServer, muPlugins });
    running = await startNodeGateway({
      sites: [
        {
          url: wordpress.url,
          passthrough: true,
          unknownRoutes: 'refuse',
          cache: { pages: 60, harmlessHeaders: ['x-seen'] },
        },
      ],
    });
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    await wordpress?.stop();
  });

  const site = (): string => wordpress.url.replace(/\/$/, '');
  const send = (origin: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(origin + path, { redirect: 'manual', ...init });

  it.each(PAGE_REQUESTS)('PHP sees the same request as directly: %s', async (_why, path, init) => {
    const see = async (origin: string): Promise<unknown> => {
      const headers = new Headers(init.headers);
      // A request with an unknown field is forwarded as it is.
      headers.set('X-Seen', '1');
      headers.set('X-Unknown', '1');
      const response = await send(origin, path, { ...init, headers });
      const text = await response.text();
      if (response.headers.get('x-seen') === null || text === '') return [response.status, text.length];
      const seen: unknown = JSON.parse(text);
      if (!isJsonObject(seen) || !isJsonObject(seen['server'])) throw new Error(text);
      return { ...seen, server: withoutMembers(seen['server'], OWN_MEMBERS) };
    };
    expect(await see(running.origin)).toEqual(await see(site()));
  });

  it('does so for a read that may be shared, but for what belongs to one client', async () => {
    const see = async (origin: string): Promise<JsonObject> => {
      const answer = await exchange(
        origin,
        `GET /about/?b=1&a=2 HTTP/1.1\r\nHost: ${new URL(site()).host}\r\nX-Seen: 1\r\nConnection: close\r\n\r\n`,
      );
      const seen: unknown = JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? 'null');
      if (!isJsonObject(seen) || !isJsonObject(seen['server'])) throw new Error(answer);
      const server = withoutMembers(seen['server'], OWN_MEMBERS);
      return { ...seen, server: withoutMembers(server, CLIENT_MEMBERS) };
    };
    expect(await see(running.origin)).toEqual(await see(site()));
  });

  it.each([
    ['rest_route=/wp/v2/posts', 'application/x-www-form-urlencoded'],
    ['rest.route=/wp/v2/posts', 'application/x-www-form-urlencoded'],
    [`${'a=1&'.repeat(900)}rest+route=/wp/v2/posts`, 'Application/x-www-form-urlencoded, a'],
    [`a=${'x'.repeat(300 * 1024)}&rest_route=/wp/v2/posts`, 'application/x-www-form-urlencoded'],
    [
      "--X\r\nContent-Disposition: form-data; name='rest_route'\r\n\r\n/wp/v2/posts\r\n--X--\r\n",
      'multipart/form-data; charset=utf-8; boundary=X',
    ],
  ])('a form runs no route that the gateway took for a page: %.60s', async (body, type) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': type } };
    // Directly it does: WordPress answers with JSON.
    expect((await send(site(), '/about/', init)).headers.get('content-type')).toContain('application/json');
    expect((await send(running.origin, '/about/', init)).status).toBe(400);
  });

  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
  });

  it('a form can log in', async () => {
    const { user, loginPassword } = wordpress.users.editor;
    const sent = form({ log: user, pwd: loginPassword, testcookie: '1' });
    const response = await send(running.origin, '/wp-login.php', sent);
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie().join()).toContain('wordpress_logged_in_');
    expect(response.headers.get('Location')).toBe(`${running.origin}/wp-admin/`);
  });

  it('a form can post a comment', async () => {
    const posts: unknown = await (await send(site(), '/wp-json/wp/v2/posts?per_page=1&_fields=id')).json();
    const [{ id }] = posts as [{ id: number }];
    const fields = {
      comment_post_ID: String(id),
      comment: 'Through.',
      author: 'A reader',
      email: 'reader@example.com',
    };
    const response = await send(running.origin, '/wp-comments-post.php', form(fields));
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toContain('#comment-');
  });

  it('a form can send the password of a post', async () => {
    const fields = { post_password: 'secret', _wp_http_referer: '/about/' };
    const response = await send(running.origin, '/wp-login.php?action=postpass', form(fields));
    expect(response.status).toBe(302);
    expect(response.headers.getSetCookie().join()).toContain('wp-postpass_');
  });
});

function withoutMembers(server: JsonObject, names: RegExp): JsonObject {
  return Object.fromEntries(Object.entries(server).filter(([name]) => !names.test(name)));
}

function exchange(origin: string, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data.toString('latin1');
    });
    socket.on('end', () => resolve(received)).on('error', reject);
    socket.write(sent);
  });
}
