// @ts-expect-error: the site answers 400 rest_invalid_param, because per_page is a number
await client.GET('/wp/v2/posts', { query: { per_page: 'all' } });
