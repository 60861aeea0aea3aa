// @ts-expect-error: the site answers 404 rest_no_route, because only single posts can be deleted
await client.DELETE('/wp/v2/posts', { query: { force: true } });
