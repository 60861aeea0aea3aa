const { data: item, error } = await client.POST('/core/v2/media', {
  file: new File(['berth,depth\n1,4.2\n'], 'berths.csv', { type: 'text/csv' }),
  body: { title: 'Berths of today', caption: 'Measured at noon' },
});
if (error) assert.fail(error.message);
assert.equal(item.title.rendered, 'Berths of today');
assert.equal(item.mime_type, 'text/csv');
assert.match(item.source_url, /\.csv$/);

const { data: changed } = await client.POST('/core/v2/media/{id}', {
  path: { id: item.id },
  body: { alt_text: 'A table of berths', description: { raw: 'Depths in metres.' } },
  throw: true,
});
assert.equal(changed.alt_text, 'A table of berths');

const { data: files } = await client.GET('/core/v2/media', {
  query: { media_type: 'text', per_page: 100, _fields: ['id', 'media_type'] },
  throw: true,
});
assert.ok(files.some(({ id, media_type }) => id === item.id && media_type === 'file'));

// Media items do not go to the trash.
const gone = await client.DELETE('/core/v2/media/{id}', { path: { id: item.id }, query: { force: true } });
assert.equal(gone.data?.deleted, true);
