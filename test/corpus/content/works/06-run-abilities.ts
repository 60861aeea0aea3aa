// The extension's routes declare no body; abilities read `input` all the same.
const { data: found, error } = await client.POST('/ext-a/v1/abilities/{namespace}/{ability}/run', {
  path: { namespace: 'content', ability: 'search-posts' },
  body: { input: { query: 'harbour', limit: 3 } },
});
if (error) throw new Error(error.message);
assert.equal(found.ability, 'content/search-posts');
assert.ok('posts' in found.output);

const { data: counted } = await client.POST('/ext-a/v1/abilities/{namespace}/{ability}/run', {
  path: { namespace: 'site', ability: 'describe' },
  throw: true,
});
assert.ok('pages' in counted.output);

const unknown = await client.POST('/ext-a/v1/abilities/{namespace}/{ability}/run', {
  path: { namespace: 'site', ability: 'sink' },
  body: { input: {} },
});
assert.equal(unknown.response?.status, 404);
assert.equal(unknown.error?.code, 'ext_a_ability_not_found');

const { data: safe } = await client.POST('/ext-a/v1/visual-safe-backend-tools/discover', { throw: true });
assert.ok(safe.tools.length > 0);
