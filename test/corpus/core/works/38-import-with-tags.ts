import { batch } from '../../client.ts';

const { data: known } = await client.POST('/wp/v2/tags', { body: { name: 'Corpus import' }, throw: true });
const rows = [
  { title: 'Corpus row 1', tags: ['Corpus import', 'Corpus fresh'] },
  { title: 'Corpus row 2', tags: ['Corpus fresh'] },
];

// A tag that exists is an error whose data has its id.
const names = [...new Set(rows.flatMap(({ tags }) => tags))];
const tags = await batch(
  client,
  names.map((name) => ['POST', '/wp/v2/tags', { body: { name } }] as const),
);
const ids = new Map<string, number>();
for (const [at, { data, error }] of tags.entries()) {
  const id = error?.code === 'term_exists' ? Number(error.data['term_id']) : data?.id;
  if (id !== undefined) ids.set(names[at] ?? '', id);
}
assert.equal(ids.get('Corpus import'), known.id);

const posts = await batch(
  client,
  rows.map(({ title, tags: own }) => {
    const body = { title, status: 'draft', tags: own.flatMap((tag) => ids.get(tag) ?? []) } as const;
    return ['POST', '/wp/v2/posts', { body }] as const;
  }),
  { validation: 'require-all-validate' },
);
assert.deepEqual(
  posts.flatMap(({ error }) => error?.message ?? []),
  [],
);
assert.deepEqual(
  posts.map(({ data }) => data?.tags.length),
  [2, 1],
);

for (const id of posts.flatMap(({ data }) => data?.id ?? []))
  await client.DELETE('/wp/v2/posts/{id}', { path: { id }, query: { force: true } });
for (const id of ids.values())
  await client.DELETE('/wp/v2/tags/{id}', { path: { id }, query: { force: true } });
