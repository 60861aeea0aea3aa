import type { PostEdit } from '../../client.ts';

const client = connect({ throw: true });

const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Corpus draft', content: 'One' },
});
const path = { id: created.id };

// Members as they were read are values that can be sent; what is not sent stays.
const { data: post } = await client.GET('/wp/v2/posts/{id}', { path, query: { context: 'edit' } });
const { data: renamed } = await client.POST('/wp/v2/posts/{id}', {
  path,
  body: { title: `${post.title.raw}, renamed`, slug: post.slug },
});
assert.equal(renamed.title.raw, 'Corpus draft, renamed');
assert.equal(renamed.content.raw, 'One');

const save = ({ id, title, excerpt }: PostEdit) =>
  client.PUT('/wp/v2/posts/{id}', { path: { id }, body: { title, excerpt } });
const { data: saved } = await save({ ...renamed, excerpt: { ...renamed.excerpt, raw: 'In short' } });
assert.equal(saved.excerpt.raw, 'In short');
assert.equal(saved.title.raw, renamed.title.raw);

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true } });
