// @ts-expect-error: the site reads no field from a number, and answers 400 empty_content
await client.POST('/wp/v2/posts', { body: 5 });
