// @ts-expect-error: the site sends posts without any member, because none has this name
await client.GET('/wp/v2/posts', { query: { _fields: ['nope'] } });
