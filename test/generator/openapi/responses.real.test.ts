import { beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { discover } from '../../../src/index.ts';
import {
  createResponseSurvey,
  createSurveyClient,
  type SurveyClient,
} from '../../support/response-survey.ts';
import { basicAuth, useWordPress } from '../../support/wordpress.ts';

// A site of its own, because the test fills it with one of everything.
const site = useWordPress({});

const IDENTIFIERS = ['id', 'slug', 'uuid', 'stylesheet', 'plugin', 'name'];

describe('the responses of WordPress', () => {
  let document: JsonObject;
  let client: SurveyClient;
  beforeAll(async () => {
    const { url, users } = site();
    ({ document } = toOpenApi(await discover(url)));
    client = createSurveyClient(url, basicAuth(users.administrator));
  }, 60_000);

  test('to writes are valid: created, changed, moved to the trash, deleted for good, refused', async () => {
    const { record, survey } = createResponseSurvey(document);
    const write = async (method: string, template: string, path: string, body?: unknown): Promise<Json> => {
      const response = await client.request(method, path, { body });
      record(method, template, response.status, 'edit', response.body ?? null);
      return response.body ?? null;
    };
    const fields: { readonly [base: string]: JsonObject } = {
      posts: { title: 'A', content: 'a', status: 'publish' },
      pages: { title: 'A', content: 'a', status: 'draft' },
      blocks: { title: 'A', content: 'a', status: 'publish' },
      navigation: { title: 'A', content: 'a', status: 'publish' },
      categories: { name: 'A' },
      tags: { name: 'A' },
      menus: { name: 'A' },
      'menu-items': { title: 'A', url: 'https://example.com/', status: 'publish' },
      users: { username: 'anna', email: 'anna@example.com', password: 'secret' },
      widgets: { id_base: 'text', sidebar: 'wp_inactive_widgets', instance: { raw: { text: 'a' } } },
    };
    for (const [base, body] of Object.entries(fields)) {
      const kept = readId(await write('POST', `/wp/v2/${base}`, `/wp/v2/${base}`, body));
      const change =
        base === 'widgets' ? { instance: { raw: { text: 'b' } } } : { description: 'b', content: 'b' };
      await write('POST', `/wp/v2/${base}/{id}`, `/wp/v2/${base}/${kept}`, change);
      await write('PUT', `/wp/v2/${base}/{id}`, `/wp/v2/${base}/${kept}`, { title: 'C', name: 'C' });
      const other = { ...body, name: 'B', username: 'bert', email: 'bert@example.com' };
      const gone = readId(await write('POST', `/wp/v2/${base}`, `/wp/v2/${base}`, other));
      await write('DELETE', `/wp/v2/${base}/{id}`, `/wp/v2/${base}/${gone}`);
      const force = base === 'users' ? '?force=true&reassign=1' : '?force=true';
      await write('DELETE', `/wp/v2/${base}/{id}`, `/wp/v2/${base}/${gone}${force}`);
      await write('GET', `/wp/v2/${base}/{id}`, `/wp/v2/${base}/99999`);
      await write('GET', `/wp/v2/${base}`, `/wp/v2/${base}?per_page=x&context=nope`);
      if (/^(?:posts|pages|blocks|navigation)$/.test(base)) {
        const autosaves = `/wp/v2/${base}/${kept}/autosaves`;
        await write('POST', `/wp/v2/${base}/{id}/autosaves`, autosaves, { title: 'D', content: 'd' });
        const revisions = `/wp/v2/${base}/${kept}/revisions`;
        const listed = await client.request('GET', revisions);
        const revision = readId(Array.isArray(listed.body) ? (listed.body[0] ?? null) : null);
        const template = `/wp/v2/${base}/{parent}/revisions/{id}`;
        await write('DELETE', template, `${revisions}/${revision}?force=true`);
        await client.request('POST', `/wp/v2/${base}/${kept}`, { body: { content: 'e' } });
      }
    }
    const post = await client.request('GET', '/wp/v2/posts');
    const comment = { post: readId(Array.isArray(post.body) ? (post.body[0] ?? null) : null), content: 'a' };
    const first = readId(await write('POST', '/wp/v2/comments', '/wp/v2/comments', comment));
    await write('POST', '/wp/v2/comments', '/wp/v2/comments', { ...comment, content: 'b', parent: first });
    const third = readId(
      await write('POST', '/wp/v2/comments', '/wp/v2/comments', { ...comment, content: 'c' }),
    );
    await write('DELETE', '/wp/v2/comments/{id}', `/wp/v2/comments/${third}`);
    await write('DELETE', '/wp/v2/comments/{id}', `/wp/v2/comments/${third}?force=true`);
    await write('POST', '/wp/v2/settings', '/wp/v2/settings', { description: 'b' });
    await write('POST', '/wp/v2/categories', '/wp/v2/categories', {});
    const passwords = '/wp/v2/users/{user_id}/application-passwords';
    const created = await write('POST', passwords, '/wp/v2/users/me/application-passwords', { name: 'A' });
    await write('DELETE', `${passwords}/{uuid}`, `/wp/v2/users/me/application-passwords/${readId(created)}`);
    await write('POST', '/batch/v1', '/batch/v1', {
      requests: [{ path: '/wp/v2/tags', body: { name: 'B' } }, { path: '/wp/v2/tags' }],
    });
    const page = { title: 'B', status: 'publish' };
    const parent = readId(await write('POST', '/wp/v2/pages', '/wp/v2/pages', page));
    await write('POST', '/wp/v2/pages', '/wp/v2/pages', { ...page, parent: Number(parent) });
    expect([...survey.invalid]).toEqual([]);
    expect(survey.validated).toBeGreaterThan(95);
  });
});

function readId(item: Json): string {
  if (!isJsonObject(item)) return '';
  const value = IDENTIFIERS.map((name) => item[name]).find((each) => each !== undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
