const { data: post } = await client.GET('/wp/v2/posts/{id}', { path: { id: 1 }, throw: true });
// @ts-expect-error: the site ignores the read-only field and keeps the address
await client.POST('/wp/v2/posts/{id}', { path: { id: post.id }, body: { title: 'New', link: post.link } });
