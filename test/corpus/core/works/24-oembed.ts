const { data: post } = await client.POST('/wp/v2/posts', {
  body: { title: 'Embeddable', status: 'publish' },
  throw: true,
});

const { data: card, error } = await client.GET('/oembed/1.0/embed', {
  query: { url: post.link, maxwidth: 400 },
});
if (error) throw new Error(error.message);
assert.equal(card.title, 'Embeddable');
assert.equal(card.type, 'rich');
assert.equal(card.version, '1.0');
const width: number = card.width;
assert.ok(width <= 400);
assert.ok(card.html.includes('<iframe'));
assert.ok(card.provider_name.length > 0);

await client.DELETE('/wp/v2/posts/{id}', { path: { id: post.id }, query: { force: true }, throw: true });

const gone = await client.GET('/oembed/1.0/embed', { query: { url: post.link } });
assert.equal(gone.response?.status, 404);
assert.equal(gone.error?.code, 'oembed_invalid_url');
