const post = 5;

// @ts-expect-error: the address keeps {id}, and the site answers 404 rest_no_route
await client.GET('/wp/v2/posts/{id}', { path: { post } });
