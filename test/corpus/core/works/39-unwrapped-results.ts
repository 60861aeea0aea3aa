import type { Post, SearchResult } from '../../client.ts';

/** What many applications write around results: the data, or an exception. */
async function unwrap<Data>(call: Promise<{ data?: Data; error?: { message: string } }>): Promise<Data> {
  const { data, error } = await call;
  if (error || data === undefined) throw new Error(error?.message ?? 'no data');
  return data;
}
const posts: Post[] = await unwrap(client.GET('/wp/v2/posts'));
assert.ok(Array.isArray(posts));

let running: AbortController | undefined;
async function suggest(search: string): Promise<SearchResult[]> {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  return unwrap(client.GET('/wp/v2/search', { query: { search, per_page: 5 }, signal }));
}
const typed = ['Cor', 'Corp', 'Corpus'].map(suggest);
const outcomes = await Promise.allSettled(typed);
assert.deepEqual(
  outcomes.map(({ status }) => status),
  ['rejected', 'rejected', 'fulfilled'],
);
