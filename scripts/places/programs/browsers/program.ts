/** Calls all parts of the client and a validator. */
import {
  batch,
  cacheTags,
  cookieAuth,
  createClient,
  paginate,
  retry,
  withProgress,
} from './api/site.client.ts';
import { CreatePostBody } from './api/site.validators.ts';
import { listPosts } from './posts.ts';

export async function useClient() {
  const baseUrl = '/wp-json';
  const site = createClient({
    baseUrl,
    auth: { username: 'editor', password: 'demo-editor-password' },
    retries: retry(2),
    signal: new AbortController().signal,
    throw: true,
  });
  const titles: string[] = [];
  const signal = AbortSignal.timeout(30_000);
  for await (const { title } of paginate(site, '/core/v2/posts', { query: { per_page: 5 }, signal }))
    titles.push(title.rendered);

  const { data: created } = await site.POST('/core/v2/posts', {
    body: { title: 'A', date: new Date('2026-01-02T03:04:05Z') },
  });
  const path = { id: created.id };
  const cookies = createClient({ baseUrl, auth: cookieAuth({ nonce: 'expired' }) });
  const refused = await cookies.POST('/core/v2/posts/{id}', { path, body: { title: 'B' } });
  const deletions = await batch(site, [['DELETE', '/core/v2/posts/{id}', { path, query: { force: true } }]]);
  const deleted = await site.GET('/core/v2/posts/{id}', { path, throw: false });

  const reports: number[] = [];
  const { data: media } = await site.POST('/core/v2/media', {
    file: new File(['x'.repeat(100_000)], 'a "b".txt', { type: 'text/plain' }),
    send: withProgress(({ loaded, total }) => reports.push(loaded / total)),
  });
  await site.DELETE('/core/v2/media/{id}', { path: { id: media.id }, query: { force: true } });
  const { issues } = await CreatePostBody['~standard'].validate({ status: 'nowhere' });
  return {
    posts: await listPosts(baseUrl),
    all: titles.length,
    date: created.date_gmt,
    codes: [refused.error?.code, deleted.error?.code],
    deletions: deletions.map(({ status }) => status),
    uploaded: reports.at(-1),
    issues: issues?.length,
    tags: cacheTags('/core/v2/posts'),
  };
}
