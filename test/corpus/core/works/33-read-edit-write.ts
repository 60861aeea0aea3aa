import { batch, type PostEdit } from '../../client.ts';

const client = connect({ throw: true });

const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Corpus draft', content: 'One' },
});
const path = { id: created.id };

// The whole post goes back, with members that the site ignores.
const { data: post } = await client.GET('/wp/v2/posts/{id}', { path, query: { context: 'edit' } });
const { data: renamed } = await client.POST('/wp/v2/posts/{id}', {
  path,
  body: { ...post, title: 'Corpus title' },
});
assert.equal(renamed.title.raw, 'Corpus title');
assert.equal(renamed.content.raw, 'One');

const save = (changed: PostEdit) =>
  client.PUT('/wp/v2/posts/{id}', { path: { id: changed.id }, body: changed });
const { data: saved } = await save({ ...renamed, excerpt: { ...renamed.excerpt, raw: 'In short' } });
assert.equal(saved.excerpt.raw, 'In short');

// A post as the public sees it, and one that is in the trash: its status is not one that a request may choose.
const { data: viewed } = await client.GET('/wp/v2/posts/{id}', { path });
await client.PATCH('/wp/v2/posts/{id}', { path, body: { ...viewed, slug: 'corpus-draft' } });
const { data: trashed } = await client.DELETE('/wp/v2/posts/{id}', { path });
assert.equal(trashed.status, 'trash');
const [kept] = await batch(client, [
  ['POST', '/wp/v2/posts/{id}', { path, body: { ...trashed, title: 'Corpus end' } }],
]);
assert.equal(kept.data?.title.raw, 'Corpus end');

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true } });
