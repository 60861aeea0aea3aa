// A transparent picture of one pixel.
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));

const { data: image, error } = await client.POST('/wp/v2/media', {
  file: new File([bytes], 'corpus-pixel.png', { type: 'image/png' }),
  body: { title: 'A pixel', alt_text: 'Nothing to see' },
});
if (error) throw new Error(error.message);
assert.equal(image.title.rendered, 'A pixel');
assert.equal(image.alt_text, 'Nothing to see');
assert.equal(image.media_type, 'image');
assert.equal(image.mime_type, 'image/png');
assert.equal(image.media_details.width, 1);
assert.match(image.source_url, /corpus-pixel.*\.png$/);

const removed = await client.DELETE('/wp/v2/media/{id}', { path: { id: image.id }, query: { force: true } });
assert.equal(removed.data?.deleted, true);
