import { paginate } from '../../client.ts';

const ids: number[] = [];
for (const letter of 'abcde') {
  const { data } = await client.POST('/wp/v2/tags', { body: { name: `Corpus page ${letter}` }, throw: true });
  ids.push(data.id);
}

const query = { search: 'Corpus page', per_page: 2, orderby: 'name', hide_empty: false } as const;
const first = await client.GET('/wp/v2/tags', { query });
if (first.error) throw new Error(first.error.message);
assert.equal(`${first.data.length} of ${first.total} on ${first.totalPages} pages`, '2 of 5 on 3 pages');

const names: string[] = [];
for await (const tag of paginate(client, '/wp/v2/tags', { query, lookAhead: 2 })) {
  names.push(tag.name.slice(-1));
}
assert.equal(names.join(''), 'abcde');

for await (const { name } of paginate(client, '/wp/v2/tags', { query: { ...query, _fields: ['name'] } })) {
  assert.equal(name, 'Corpus page a');
  break;
}

for (const id of ids) {
  await client.DELETE('/wp/v2/tags/{id}', { path: { id }, query: { force: true }, throw: true });
}
