import assert from 'node:assert/strict';
import { connect } from '../../setup.ts';

const client = connect();

const { error } = await client.GET('/wp/v2/posts/{id}', { path: { id: 999_999_999 } });
assert.ok(error);
assert.equal(typeof error.message, 'string');
// @ts-expect-error: the error is rest_post_invalid_id, which has no params, so the program throws a TypeError
assert.deepEqual(Object.keys(error.data.params), ['id']);
