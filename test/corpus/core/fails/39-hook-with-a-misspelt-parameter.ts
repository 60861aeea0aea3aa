import type { RequestData, RequestOptions, RequestPath } from '../../client.ts';

const client = connect({ throw: true });

async function load<Path extends RequestPath, const Given extends readonly unknown[]>(
  path: Path,
  ...options: RequestOptions<'GET', Path, Given>
): Promise<RequestData<'GET', Path, Given>> {
  return (await client.request('GET', path, ...options)).data;
}

// @ts-expect-error: the site ignores the parameter and sends ten posts, because it is called per_page
await load('/wp/v2/posts', { query: { perPage: 50 } });
