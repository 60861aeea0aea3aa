import { cookieAuth } from '../../client.ts';

const visitor = connect({ auth: () => {} });
const refused = await visitor.POST('/wp/v2/posts', { body: { title: 'From nowhere' } });
assert.equal(refused.error?.code, 'rest_cannot_create');
assert.equal(refused.response?.status, 401);
const hidden = await visitor.GET('/wp/v2/posts', { query: { context: 'edit' } });
assert.equal(hidden.error?.code, 'rest_forbidden_context');

// A nonce that has become invalid is asked for again, once.
let refreshed = 0;
const stale = connect({
  auth: cookieAuth({
    nonce: 'expired',
    refreshNonce: async () => {
      refreshed += 1;
      return 'expired too';
    },
  }),
});
const { error, response } = await stale.GET('/wp/v2/posts');
assert.equal(refreshed, 1);
assert.equal(response?.status, 403);
assert.equal(error?.code, 'rest_cookie_invalid_nonce');

const { data: posts } = await client.GET('/wp/v2/posts', { query: { context: 'edit' } });
assert.ok(posts);
