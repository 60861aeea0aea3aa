// @ts-expect-error: the site ignores the field, and nothing of it is stored
await client.POST('/wp/v2/posts', { body: { title: 'Hello', nonsense: 1 } });
