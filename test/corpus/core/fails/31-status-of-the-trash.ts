// @ts-expect-error: the site answers 400 rest_invalid_param, because posts go to the trash with DELETE
await client.POST('/wp/v2/posts/{id}', { path: { id: 1 }, body: { status: 'trash' } });
