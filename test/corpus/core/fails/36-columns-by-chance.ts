const columns = process.argv.slice(2);
const { data: posts } = await client.GET('/wp/v2/posts', { query: { _fields: columns }, throw: true });
// @ts-expect-error: the site sends the members that the list names, so the title may be missing
for (const { title } of posts) console.log(title.rendered);
