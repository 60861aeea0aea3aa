import type { CheckedArguments, RequestArguments, RequestData, RequestPath } from '../../client.ts';

const client = connect({ throw: true });

async function load<Path extends RequestPath, const Options extends RequestArguments<'GET', Path>>(
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): Promise<RequestData<'GET', Path, Options>> {
  return (await client.request('GET', path, ...options)).data;
}

// @ts-expect-error: the site ignores the parameter and sends ten posts, because it is called per_page
await load('/wp/v2/posts', { query: { perPage: 50 } });
