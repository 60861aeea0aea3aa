// @ts-expect-error: the capability is required, without it the site answers 400 rest_missing_callback_param
const { data } = await client.GET('/ai/v1/providers');
assert.ok(data);
