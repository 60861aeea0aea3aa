// Ten calls of the stub shop, written for each client.

export const OURS = `import { createClient } from './site.ts';

const client = createClient({ baseUrl: 'https://example.com/wp-json' });
const { data: list } = await client.GET('/shop/v1/thing0s', {
  query: { per_page: 10, search: 'x', order: 'asc' },
});
export const first = list?.[0]?.property_1;
const { data: item } = await client.GET('/shop/v2/thing1s/{id}', { path: { id: 5 }, query: { context: 'edit' } });
export const title = item?.property_10;
export const created = await client.POST('/boards/v1/thing2s', { body: { field_0: 'x', field_1: 3 } });
export const updated = await client.POST('/boards/v1/thing2s/{id}', {
  path: { id: 3 },
  body: { field_0: 'y', field_4: null },
});
export const removed = await client.DELETE('/wp/v2/thing3s/{id}', { path: { id: 3 } });
const { data: shown, error } = await client.GET('/wp/v2/thing7s', {
  query: { context: 'view', include: [1, 2] },
});
if (error) throw new Error(error.message);
for (const each of shown) console.log(each.property_2);
const { data: few } = await client.GET('/wp/v2/thing11s', { query: { offset: 3, exclude: [1] } });
export const count = few?.length;
export const one = await client.GET('/wp/v2/thing15s/{id}', { path: { id: 7 } });
const { data: sorted } = await client.GET('/wp/v2/thing19s', { query: { orderby: 'title' } });
export const last = sorted?.at(-1)?.property_5;
export const changed = await client.PATCH('/wp/v2/thing19s/{id}', { path: { id: 1 }, body: { field_0: 'z' } });
`;

export const THEIRS = `import createClient from 'openapi-fetch';
import type { paths } from './site.d.ts';

const client = createClient<paths>({ baseUrl: 'https://example.com/wp-json' });
const { data: list } = await client.GET('/shop/v1/thing0s', {
  params: { query: { per_page: 10, search: 'x', order: 'asc' } },
});
export const first = list?.[0]?.property_1;
const { data: item } = await client.GET('/shop/v2/thing1s/{id}', {
  params: { path: { id: 5 }, query: { context: 'edit' } },
});
export const title = item?.property_10;
export const created = await client.POST('/boards/v1/thing2s', {
  body: { field_0: 'x', field_1: 3, field_3: {}, field_8: {} },
});
export const updated = await client.POST('/boards/v1/thing2s/{id}', {
  params: { path: { id: 3 } },
  body: { field_0: 'y', field_4: null, field_3: {}, field_8: {} },
});
export const removed = await client.DELETE('/wp/v2/thing3s/{id}', { params: { path: { id: 3 } } });
const { data: shown, error } = await client.GET('/wp/v2/thing7s', {
  params: { query: { context: 'view', include: [1, 2] } },
});
if (error) throw new Error(JSON.stringify(error));
for (const each of shown) console.log(each.property_2);
const { data: few } = await client.GET('/wp/v2/thing11s', { params: { query: { offset: 3, exclude: [1] } } });
export const count = few?.length;
export const one = await client.GET('/wp/v2/thing15s/{id}', { params: { path: { id: 7 } } });
const { data: sorted } = await client.GET('/wp/v2/thing19s', { params: { query: { orderby: 'title' } } });
export const last = sorted?.at(-1)?.property_5;
export const changed = await client.PATCH('/wp/v2/thing19s/{id}', {
  params: { path: { id: 1 } },
  body: { field_0: 'z', field_3: {}, field_8: {} },
});
`;
