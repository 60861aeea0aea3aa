await client.GET('/wp/v2/posts', { query: { orderby: 'modified', order: 'asc' } });
// @ts-expect-error: the site answers 400 rest_invalid_param, because posts have no such order
await client.GET('/wp/v2/posts', { query: { orderby: 'popularity' } });
