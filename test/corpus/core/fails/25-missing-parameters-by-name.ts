const form = JSON.parse('{}');
const { error } = await client.POST('/wp/v2/tags', { body: form });

if (error?.code === 'rest_missing_callback_param') {
  // @ts-expect-error: the params are texts by name, so there is no list
  assert.ok(error.data.params.includes('name'));
}
