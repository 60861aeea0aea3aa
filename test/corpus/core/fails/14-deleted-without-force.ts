const { data: post } = await client.POST('/wp/v2/posts', { body: { title: 'Brief' }, throw: true });
const path = { id: post.id };

const { data: trashed } = await client.DELETE('/wp/v2/posts/{id}', { path, throw: true });
assert.equal(trashed.status, 'trash');
// @ts-expect-error: the site moves the post to the trash and answers the post, which has no such member
assert.equal(trashed.deleted, true);

await client.DELETE('/wp/v2/posts/{id}', { path, query: { force: true }, throw: true });
