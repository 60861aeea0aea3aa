import type { PostEdit } from '../../client.ts';

function words(post: PostEdit): number {
  return post.content.raw.split(/\s+/).length;
}

const { data: edited } = await client.GET('/wp/v2/posts', { query: { context: 'edit' }, throw: true });
const { data: viewed } = await client.GET('/wp/v2/posts', { throw: true });
edited.map(words);
// @ts-expect-error: the posts have no content.raw, so the function throws a TypeError
viewed.map(words);
