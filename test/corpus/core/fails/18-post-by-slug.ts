const slug = 'hello-world';
await client.GET('/wp/v2/posts', { query: { slug } });
// @ts-expect-error: the site answers 404 rest_no_route, because the route takes digits only
await client.GET('/wp/v2/posts/{id}', { path: { id: 'hello-world' } });
