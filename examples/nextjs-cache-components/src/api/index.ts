import { cacheLife, cacheTag } from 'next/cache';
import { cacheTags, createClient, retry } from './site.client';

const site = createClient({
  baseUrl: process.env['SITE_URL'] ?? 'http://127.0.0.1:8080/wp-json',
  throw: true,
  retries: retry(2),
});

export async function readPosts() {
  'use cache';
  cacheLife({ revalidate: 300 });
  cacheTag(...cacheTags('/wp/v2/posts'));
  const { data } = await site.GET('/wp/v2/posts', { query: { per_page: 5, _fields: ['id', 'title'] } });
  return data;
}

export async function readPost(id: number) {
  'use cache';
  const path = { id };
  cacheLife({ revalidate: 300 });
  cacheTag(...cacheTags('/wp/v2/posts/{id}', { path }));
  const { data, error } = await site.GET('/wp/v2/posts/{id}', { path, throw: false });
  if (error && error.code !== 'rest_post_invalid_id') throw new Error(error.message);
  return data;
}
