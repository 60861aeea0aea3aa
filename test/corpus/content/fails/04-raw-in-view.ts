const { data: pages } = await client.GET('/core/v2/pages', { query: { per_page: 3 }, throw: true });
const first = pages[0];
assert.ok(first);
assert.ok(first.content.rendered.length > 0);
// @ts-expect-error: raw is sent with context=edit only, here it is undefined and trim throws
const source: string = first.content.raw.trim();
assert.ok(source);
