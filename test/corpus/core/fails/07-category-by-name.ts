// @ts-expect-error: the site answers 400 rest_invalid_param, because categories are ids
await client.POST('/wp/v2/posts', { body: { title: 'Hello', categories: ['News'] } });
