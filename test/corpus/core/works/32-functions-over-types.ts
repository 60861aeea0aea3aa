import type { Post, PostEdit, Tag } from '../../client.ts';

function headline(post: Post): string {
  return `${post.sticky ? '* ' : ''}${post.title.rendered} (${post.date?.slice(0, 10)})`;
}

function words({ content }: Pick<PostEdit, 'content'>): number {
  return content.raw.split(/\s+/).filter(Boolean).length;
}

const byName = (tags: readonly Tag[]): Map<string, Tag> => new Map(tags.map((tag) => [tag.name, tag]));

const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Typed', content: 'three short words', status: 'publish', date: '2024-05-06T07:08:09' },
  throw: true,
});
assert.equal(words(created), 3);

const { data: post } = await client.GET('/wp/v2/posts/{id}', { path: { id: created.id }, throw: true });
assert.equal(headline(post), 'Typed (2024-05-06)');

const { data: posts } = await client.GET('/wp/v2/posts', { query: { include: [created.id] }, throw: true });
const headlines: string[] = posts.map(headline);
assert.equal(headlines.length, 1);

const { data: tags } = await client.GET('/wp/v2/tags', { query: { per_page: 100 }, throw: true });
assert.equal(byName(tags).get('no such tag'), undefined);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: created.id }, query: { force: true }, throw: true });
