import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runBatch } from '../../../src/client/runtime/batch.ts';
import { createRawClient } from '../../../src/client/runtime/client.ts';
import { paginateItems } from '../../../src/client/runtime/paginate.ts';
import type { RawClient } from '../../../src/client/runtime/types.ts';
import { withProgress } from '../../../src/client/runtime/upload-progress.ts';
import { type RunningExample, startExample } from '../../example/gateway/running.ts';

const AUTH = { username: 'admin', password: 'demo-admin-password' };

let example: RunningExample;
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.stop());

/** The REST roots of the content site: at the site, and in the two spellings at the gateway. */
const ROOTS: Readonly<Record<string, () => string>> = {
  'the site': () => `${example.siteUrls.content}wp-json/`,
  'the gateway': () => `${example.origin}/content`,
  'the gateway in the spelling of the site': () => `${example.origin}/content/index.php?rest_route=/`,
};

describe.each(Object.entries(ROOTS))('a client of %s', (_, root) => {
  const client = (): RawClient => createRawClient({ baseUrl: root(), auth: AUTH });

  test('creates, edits, and deletes', async () => {
    const created = await client().POST('/core/v2/posts', { body: { title: 'Größe', status: 'draft' } });
    expect(created.error).toBeUndefined();
    const path = { id: (created.data as { id: number }).id };
    const query = { context: 'edit', _fields: ['title.raw', 'status'] };
    const read = await client().GET('/core/v2/posts/{id}', { path, query });
    expect(read.data).toEqual({ title: { raw: 'Größe' }, status: 'draft' });
    const [deleted] = await runBatch(client(), [
      ['DELETE', '/core/v2/posts/{id}', { path, query: { force: true } }],
    ]);
    expect(deleted).toMatchObject({ status: 200, data: { deleted: true, previous: path } });
    expect((await client().GET('/core/v2/posts/{id}', { path })).error?.code).toBe('rest_post_invalid_id');
  });

  test('uploads a file with fields', async () => {
    const content = new TextEncoder().encode('A text.');
    const { data, error } = await client().POST('/core/v2/media', {
      file: { name: 'grüße "1".txt', content, type: 'text/plain' },
      body: { alt_text: 'ä', title: 'Text' },
      send: withProgress(() => undefined),
    });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ alt_text: 'ä', mime_type: 'text/plain', title: { raw: 'Text' } });
  });

  test('reads all pages', async () => {
    const ids = new Set<number>();
    const { total } = await client().HEAD('/core/v2/posts');
    const query = { per_page: 100, _fields: ['id'] };
    for await (const item of paginateItems(client(), '/core/v2/posts', { query, lookAhead: 2 })) {
      ids.add((item as { id: number }).id);
    }
    expect(ids.size).toBe(total);
  });

  test('reads which parameters are refused', async () => {
    const { error } = await client().GET('/core/v2/posts', { query: { per_page: 1000 } });
    expect(error).toMatchObject({ code: 'rest_invalid_param', status: 400 });
    expect(Object.keys(error?.data['params'] ?? {})).toEqual(['per_page']);
  });
});

test('errors of the gateway are told apart from those of a site', async () => {
  const nowhere = createRawClient({ baseUrl: `${example.origin}/nowhere` });
  expect((await nowhere.GET('/core/v2/posts')).error).toMatchObject({ source: 'gateway', status: 404 });
  const content = createRawClient({ baseUrl: `${example.origin}/content` });
  expect((await content.GET('/core/v2/posts/0')).error).toMatchObject({ source: 'site', status: 404 });
});
