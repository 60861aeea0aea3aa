const block = '<!-- wp:paragraph -->\n<p>Some *raw* text</p>\n<!-- /wp:paragraph -->';
const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'Raw & rendered', content: block, status: 'draft' },
  throw: true,
});

const { data: post, error } = await client.GET('/wp/v2/posts/{id}', {
  path: { id: created.id },
  query: { context: 'edit' },
});
if (error) throw new Error(error.message);

const source: string = post.content.raw;
assert.equal(source, block);
assert.match(post.content.rendered, /^\s*<p>/);
assert.equal(post.title.raw, 'Raw & rendered');
assert.equal(post.title.rendered, 'Raw &#038; rendered');
assert.equal(post.password, '');
assert.ok(post.guid.raw.length > 0);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });
