// @ts-expect-error: the site ignores the parameter and sends ten posts, because it is called per_page
await client.GET('/wp/v2/posts', { query: { perPage: 50 } });
