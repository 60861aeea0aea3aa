// @ts-expect-error: the site reads raw only, and answers 400 empty_content
await client.POST('/wp/v2/posts', { body: { title: { rendered: 'Hello' } } });
