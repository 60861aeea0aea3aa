const { data: index, error } = await client.GET('/');
if (error) throw new Error(error.message);
const name: string = index.name;
assert.ok(name.length > 0);
assert.ok(index.namespaces.includes('wp/v2'));
assert.ok(new URL(index.home).host.length > 0);
assert.ok(index.url.startsWith('http'));

const posts = index.routes['/wp/v2/posts'];
assert.ok(posts);
assert.equal(posts.namespace, 'wp/v2');
assert.deepEqual(posts.methods, ['GET', 'POST']);
assert.ok(posts.endpoints.some((endpoint) => endpoint.methods.includes('POST')));

const { data: namespace } = await client.GET('/wp/v2', { throw: true });
assert.equal(namespace.namespace, 'wp/v2');
assert.ok(Object.keys(namespace.routes).includes('/wp/v2/pages'));
