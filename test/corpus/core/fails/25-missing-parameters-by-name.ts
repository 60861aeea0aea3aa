import assert from 'node:assert/strict';
import { connect } from '../../setup.ts';

const client = connect();

const form = JSON.parse('{}');
const { error } = await client.POST('/wp/v2/tags', { body: form });

if (error?.code === 'rest_missing_callback_param') {
  assert.ok(error.data.params.includes('name'));
  // @ts-expect-error: the site sends a list of names, so the member is undefined
  assert.ok(error.data.params.name);
}
