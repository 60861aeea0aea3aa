// A transparent picture of one pixel.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));

const { data: picture } = await client.POST('/wp/v2/media', {
  file: new File([bytes], 'corpus-embed.png', { type: 'image/png' }),
  body: { alt_text: 'One pixel' },
  throw: true,
});
const { data: created } = await client.POST('/wp/v2/posts', {
  body: { title: 'With a picture', status: 'publish', featured_media: picture.id },
  throw: true,
});

const { data: post } = await client.GET('/wp/v2/posts/{id}', {
  path: { id: created.id },
  query: { _embed: true },
  throw: true,
});
const author = post._embedded.author?.[0];
const featured = post._embedded['wp:featuredmedia']?.[0];
assert.ok(author && featured);
assert.equal(author.id, post.author);
assert.ok(author.name.length > 0);
assert.equal(`<img src="${featured.source_url}" alt="${featured.alt_text}">`.includes('One pixel'), true);

const force = { force: true } as const;
await client.DELETE('/wp/v2/posts/{id}', { path: { id: created.id }, query: force, throw: true });
await client.DELETE('/wp/v2/media/{id}', { path: { id: picture.id }, query: force, throw: true });
