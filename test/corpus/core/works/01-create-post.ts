const { data: post, error } = await client.POST('/wp/v2/posts', {
  body: {
    title: 'Hello',
    content: '<p>Made by a program.</p>',
    status: 'publish',
    slug: 'corpus-create-post',
  },
});
if (error) throw new Error(`${error.code}: ${error.message}`);

const id: number = post.id;
const title: string = post.title.rendered;
assert.equal(title, 'Hello');
assert.equal(post.status, 'publish');
assert.ok(post.link.startsWith('http'));

const removed = await client.DELETE('/wp/v2/posts/{id}', { path: { id }, query: { force: true } });
assert.ok(removed.data);
assert.equal(removed.data.deleted, true);
assert.equal(removed.data.previous.id, id);
