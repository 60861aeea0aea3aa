const client = connect({ throw: true });

/** The types of an application. An interface has no index signature. */
interface AbilityCall {
  readonly input: { readonly query: string; readonly limit: number };
}

const path = { namespace: 'content', ability: 'search-posts' };
const call: AbilityCall = { input: { query: 'harbour', limit: 2 } };
const { data } = await client.POST('/ext-a/v1/abilities/{namespace}/{ability}/run', { path, body: call });
assert.ok('posts' in data.output);
