import type { Post } from '../../client.ts';

const client = connect({ throw: true });

const make = (title: string) => client.POST('/wp/v2/posts', { body: { title, status: 'publish' } });
const ids = [(await make('Corpus one')).data.id, (await make('Corpus two')).data.id] as const;

// As they stand in an address: numbers as text, lists separated by commas.
const { data: few, total } = await client.GET('/wp/v2/posts', {
  query: { per_page: '5', page: '1', include: `${ids[0]},${ids[1]}`, orderby: 'include' },
});
assert.deepEqual(
  few.map(({ id }) => id),
  ids,
);
assert.equal(total, 2);

const asked = new URLSearchParams('per_page=1&fields=id,slug');
const { data: one } = await client.GET('/wp/v2/posts', {
  query: { per_page: Number(asked.get('per_page')), include: ids, _fields: asked.get('fields') ?? 'id' },
});
const first: Partial<Post> | undefined = one[0];
assert.equal(typeof first?.slug, 'string');
assert.equal(first?.title, undefined);

const columns: string[] = ['id', 'title'];
const { data: table } = await client.GET('/wp/v2/posts', { query: { include: ids, _fields: columns } });
assert.equal(table[0]?.title?.rendered.startsWith('Corpus'), true);

const { data: single } = await client.GET('/wp/v2/posts/{id}', { path: { id: `${ids[1]}` } });
assert.equal(single.id, ids[1]);

for (const id of ids) await client.DELETE('/wp/v2/posts/{id}', { path: { id }, query: { force: 'true' } });
