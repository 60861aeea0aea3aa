interface Teaser {
  readonly id: number;
  readonly headline: string;
  readonly url: string;
  readonly year: string;
}

const { data, error, total, totalPages } = await client.GET('/core/v2/posts', {
  query: {
    per_page: 5,
    status: 'publish',
    categories: 1,
    orderby: 'date',
    order: 'desc',
    _fields: 'id,title,link,date',
  },
});
if (error) throw new Error(`${error.code}: ${error.message}`);

const teasers: Teaser[] = data.map((post) => ({
  id: post.id,
  headline: post.title.rendered,
  url: post.link,
  year: (post.date ?? '').slice(0, 4),
}));
assert.equal(teasers.length, 5);
assert.ok(teasers.every(({ year }) => /^\d{4}$/.test(year)));
assert.ok(total !== undefined && total >= 5);
assert.equal(totalPages, Math.ceil(total / 5));

const [newest] = data;
assert.ok(newest);
const { data: same } = await client.GET('/core/v2/posts', { query: { include: [newest.id] }, throw: true });
assert.deepEqual(
  same.map(({ id }) => id),
  [newest.id],
);
