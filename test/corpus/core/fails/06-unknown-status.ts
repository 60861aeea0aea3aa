// @ts-expect-error: the site answers 400 rest_invalid_param, because the status is called publish
await client.POST('/wp/v2/posts', { body: { title: 'Hello', status: 'published' } });
