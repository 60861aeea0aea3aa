const modified = '2024-01-01T00:00:00';

// @ts-expect-error: the site ignores the read-only field and stores the time of the request
await client.POST('/wp/v2/posts', { body: { title: 'Hello', modified } });
