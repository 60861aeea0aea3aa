import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningGateway, startNodeGateway } from '../support/gateway.ts';
import { basicAuth, useWordPress } from '../support/wordpress.ts';

/** Writes that do not pass through the gateway: the site reports them by webhook (mu-plugin). */

const SECRET = 'a-secret-of-the-tests';
const PLUGIN = fileURLToPath(new URL('../../examples/wordpress', import.meta.url));

const site = useWordPress({ muPlugins: PLUGIN });
let notified: RunningGateway;

beforeAll(async () => {
  const rules = [{ match: '/*', ttl: 3600 }];
  notified = await startNodeGateway({
    sites: [{ url: site().url, cache: { rules, webhook: SECRET } }],
    cache: 'memory',
  });
  const config = `<?php define('WAYGATE_WEBHOOK', '${notified.origin}/-/webhook/default'); define('WAYGATE_SECRET', '${SECRET}');`;
  writeFileSync(`${site().folder}wp-content/mu-plugins/0-waygate-config.php`, config);
}, 60_000);
afterAll(async () => {
  await notified.stop();
});

async function writeToSite(
  method: string,
  route: string,
  body: object = {},
): Promise<{ readonly id: number }> {
  const response = await fetch(`${site().url}wp-json${route}`, {
    method,
    headers: { authorization: basicAuth(site().users.administrator), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response.json();
}

async function getText(running: RunningGateway, route: string): Promise<string> {
  return (await running.request(route)).text();
}

describe('a write that does not pass through the gateway', () => {
  test('invalidates the responses of a gateway with a webhook', async () => {
    await getText(notified, '/wp/v2/posts/10');
    await getText(notified, '/wp/v2/posts?per_page=30');
    await writeToSite('POST', '/wp/v2/posts/10', { title: 'Told at once' });
    expect(await getText(notified, '/wp/v2/posts/10')).toContain('Told at once');
    expect(await getText(notified, '/wp/v2/posts?per_page=30')).toContain('Told at once');
  });

  test('may create or delete a post', async () => {
    await getText(notified, '/wp/v2/posts');
    const { id } = await writeToSite('POST', '/wp/v2/posts', { title: 'Made here', status: 'publish' });
    expect(await getText(notified, '/wp/v2/posts')).toContain('Made here');
    expect(await getText(notified, `/wp/v2/posts/${id}`)).toContain('Made here');
    await writeToSite('DELETE', `/wp/v2/posts/${id}?force=true`);
    expect(await getText(notified, '/wp/v2/posts')).not.toContain('Made here');
    expect(await getText(notified, `/wp/v2/posts/${id}`)).toContain('rest_post_invalid_id');
  });

  test('may change comments, terms and users', async () => {
    for (const route of ['/wp/v2/comments', '/wp/v2/categories', '/wp/v2/users'])
      await getText(notified, route);
    await writeToSite('POST', '/wp/v2/comments/1', { content: 'Other words.' });
    await writeToSite('POST', '/wp/v2/categories/2', { name: 'Other news' });
    await writeToSite('POST', '/wp/v2/users/2', { name: 'Other editor' });
    expect(await getText(notified, '/wp/v2/comments')).toContain('Other words.');
    expect(await getText(notified, '/wp/v2/categories')).toContain('Other news');
    expect(await getText(notified, '/wp/v2/users')).toContain('Other editor');
  });
});
