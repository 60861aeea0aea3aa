import './device';
import { createClient, paginate, retry } from './api/site.client.ts';
import { listPosts } from './posts.ts';
import { SITE_URL } from './site-url.ts';

async function run() {
  const baseUrl = `${SITE_URL}/wp-json`;
  const { signal } = new AbortController();
  const auth = { username: 'editor', password: 'demo-editor-password' };
  const site = createClient({ baseUrl, auth, retries: retry(2), signal });
  const ids: number[] = [];
  for await (const { id } of paginate(site, '/core/v2/posts', { query: { per_page: 5 }, signal }))
    ids.push(id);
  const path = { id: ids[0] ?? 0 };
  const { data } = await site.POST('/core/v2/posts/{id}', { path, body: { title: 'From a phone' } });
  const { error } = await site.GET('/core/v2/posts/{id}', { path: { id: 999_999 } });
  return { posts: await listPosts(baseUrl), count: ids.length, title: data?.title.raw, code: error?.code };
}

run().then(
  (result) => print(JSON.stringify(result)),
  (error) => print(`${error}\n${error.stack}`),
);
