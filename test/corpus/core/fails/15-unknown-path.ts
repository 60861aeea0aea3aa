// @ts-expect-error: the site answers 404 rest_no_route
await client.GET('/wp/v2/articles');
