/** A typed list, which the pages of all places show. */
import { createClient, type Post } from './api/site.client.ts';

export interface ListedPost {
  readonly id: Post['id'];
  readonly title: string;
}

/** @param baseUrl of the REST root */
export async function listPosts(baseUrl: string): Promise<readonly ListedPost[]> {
  const site = createClient({ baseUrl, throw: true });
  const query = { per_page: 3, _fields: ['id', 'title'] } as const;
  const { data, totalPages } = await site.GET('/core/v2/posts', { query });
  if (totalPages === undefined || totalPages < 2) throw new Error('the example site has more posts');
  return data.map(({ id, title }) => ({ id, title: title.rendered }));
}
