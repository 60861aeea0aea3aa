import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningGateway, TRANSPORTS } from '../support/gateway.ts';
import { basic, useWordPress } from '../support/wordpress.ts';

/** Writes at the site itself, past the gateway: the site tells of them (the mu-plugin), or is watched. */

const SECRET = 'a-secret-of-the-tests';
const PLUGIN = fileURLToPath(new URL('../../examples/wordpress', import.meta.url));

const site = useWordPress({ muPlugins: PLUGIN });
let told: RunningGateway;
let watching: RunningGateway;

beforeAll(async () => {
  const start = TRANSPORTS['the Node server'];
  if (start === undefined) throw new Error('the Node server is a transport');
  const rules = [{ match: '/*', ttl: 3600 }];
  told = await start({ sites: [{ url: site().url, cache: { rules, webhook: SECRET } }], cache: 'memory' });
  watching = await start({ sites: [{ url: site().url, cache: { rules, watch: 1000 } }], cache: 'memory' });
  watching.gateway.start();
  const config = `<?php define('WAYGATE_WEBHOOK', '${told.origin}/-/webhook/default'); define('WAYGATE_SECRET', '${SECRET}');`;
  writeFileSync(`${site().folder}wp-content/mu-plugins/0-waygate-config.php`, config);
}, 60_000);
afterAll(async () => {
  await told.stop();
  await watching.stop();
});

async function atTheSite(method: string, route: string, body: object = {}): Promise<{ readonly id: number }> {
  const response = await fetch(`${site().url}wp-json${route}`, {
    method,
    headers: { authorization: basic(site().users.administrator), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response.json();
}

async function textOf(running: RunningGateway, route: string): Promise<string> {
  return (await running.ask(route)).text();
}

describe('what is written at the site itself', () => {
  test('is told by the site, and asked for again', async () => {
    await textOf(told, '/wp/v2/posts/10');
    await textOf(told, '/wp/v2/posts?per_page=30');
    await atTheSite('POST', '/wp/v2/posts/10', { title: 'Told at once' });
    expect(await textOf(told, '/wp/v2/posts/10')).toContain('Told at once');
    expect(await textOf(told, '/wp/v2/posts?per_page=30')).toContain('Told at once');
  });

  test('however often within one second', async () => {
    for (const title of ['Once', 'Twice', 'Three times']) {
      await atTheSite('POST', '/wp/v2/posts/10', { title });
      expect(await textOf(told, '/wp/v2/posts/10')).toContain(title);
    }
  });

  test('new posts and those that are gone too', async () => {
    await textOf(told, '/wp/v2/posts');
    const { id } = await atTheSite('POST', '/wp/v2/posts', { title: 'Made here', status: 'publish' });
    expect(await textOf(told, '/wp/v2/posts')).toContain('Made here');
    expect(await textOf(told, `/wp/v2/posts/${id}`)).toContain('Made here');
    await atTheSite('DELETE', `/wp/v2/posts/${id}?force=true`);
    expect(await textOf(told, '/wp/v2/posts')).not.toContain('Made here');
    expect(await textOf(told, `/wp/v2/posts/${id}`)).toContain('rest_post_invalid_id');
  });

  test('comments, terms and users too', async () => {
    for (const route of ['/wp/v2/comments', '/wp/v2/categories', '/wp/v2/users']) await textOf(told, route);
    await atTheSite('POST', '/wp/v2/comments/1', { content: 'Other words.' });
    await atTheSite('POST', '/wp/v2/categories/2', { name: 'Other news' });
    await atTheSite('POST', '/wp/v2/users/2', { name: 'Other editor' });
    expect(await textOf(told, '/wp/v2/comments')).toContain('Other words.');
    expect(await textOf(told, '/wp/v2/categories')).toContain('Other news');
    expect(await textOf(told, '/wp/v2/users')).toContain('Other editor');
  });

  test('leaves alone what has nothing to do with it', async () => {
    await textOf(told, '/wp/v2/posts/12');
    await atTheSite('POST', '/wp/v2/posts/11', { title: 'Another' });
    const response = await told.ask('/wp/v2/posts/12');
    expect(response.headers.get('cache-status')).toContain('hit');
  });

  test('is seen by a gateway that watches, before long', async () => {
    await textOf(watching, '/wp/v2/posts/14');
    await textOf(watching, '/wp/v2/pages/30');
    // The first look only learns where to begin.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await atTheSite('POST', '/wp/v2/posts/14', { title: 'Seen before long' });
    await atTheSite('POST', '/wp/v2/pages/30', { title: 'A page, seen too' });
    await vi.waitFor(
      async () => {
        expect(await textOf(watching, '/wp/v2/posts/14')).toContain('Seen before long');
        expect(await textOf(watching, '/wp/v2/pages/30')).toContain('A page, seen too');
      },
      { timeout: 20_000, interval: 500 },
    );
  }, 40_000);
});
