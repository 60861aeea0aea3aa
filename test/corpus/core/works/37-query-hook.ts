import type { Post, RequestData, RequestMethod, RequestOptions, RequestPath } from '../../client.ts';

const client = connect({ throw: true });

/** What a library for queries (SWR, TanStack Query) makes of a key and a function. */
const cache = new Map<string, unknown>();
async function query<Data>(key: readonly unknown[], load: () => Promise<Data>): Promise<Data> {
  const data = await load();
  cache.set(JSON.stringify(key), data);
  return data;
}

function useGet<Path extends RequestPath, const Given extends readonly unknown[]>(
  path: Path,
  ...options: RequestOptions<'GET', Path, Given>
): Promise<RequestData<'GET', Path, Given>> {
  return query([path, ...options], async () => (await client.request('GET', path, ...options)).data);
}

function useMutation<Method extends RequestMethod, Path extends RequestPath<Method>>(
  method: Method,
  path: Path,
) {
  return <const Given extends readonly unknown[]>(...options: RequestOptions<Method, Path, Given>) =>
    client.request(method, path, ...options);
}

const me = await useGet('/wp/v2/users/me');
const create = useMutation('POST', '/wp/v2/posts');
const { data: created } = await create({ body: { title: 'Corpus hook', author: me.id } });
const path = { id: created.id };

const edited = await useGet('/wp/v2/posts/{id}', { path, query: { context: 'edit' } });
assert.equal(edited.title.raw, 'Corpus hook');
const few = await useGet('/wp/v2/posts', {
  query: { include: created.id, status: 'any', _fields: ['id', 'slug'] },
});
assert.deepEqual(few, [{ id: created.id, slug: edited.slug }]);
const posts: Post[] = await useGet('/wp/v2/posts');
assert.ok(posts.length <= 10);
assert.equal(cache.size, 4);

await useMutation('DELETE', '/wp/v2/posts/{id}')({ path, query: { force: true } });
