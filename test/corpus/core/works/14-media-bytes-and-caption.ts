const { data: file } = await client.POST('/wp/v2/media', {
  file: { name: 'corpus-notes.txt', content: new TextEncoder().encode('Some notes\n'), type: 'text/plain' },
  throw: true,
});
assert.equal(file.media_type, 'file');
assert.equal(file.mime_type, 'text/plain');

const { data: edited } = await client.POST('/wp/v2/media/{id}', {
  path: { id: file.id },
  body: { title: 'Notes', caption: 'Read <em>this</em>', description: { raw: 'Notes of a program' } },
  throw: true,
});
assert.equal(edited.caption.raw, 'Read <em>this</em>');
assert.equal(edited.description.raw, 'Notes of a program');

const { data: found } = await client.GET('/wp/v2/media', {
  query: { media_type: 'application', include: file.id },
  throw: true,
});
assert.equal(found.length, 0);
const { data: texts } = await client.GET('/wp/v2/media', {
  query: { mime_type: 'text/plain', include: [file.id] },
  throw: true,
});
assert.equal(texts[0]?.source_url, file.source_url);

await client.DELETE('/wp/v2/media/{id}', { path: { id: file.id }, query: { force: true }, throw: true });
