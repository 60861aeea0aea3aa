async function explain(title: string): Promise<string> {
  const { data, error } = await client.POST('/boards/v2/projects', { body: { title } });
  if (!error) {
    await client.DELETE('/boards/v2/projects/{board_id}', { path: { board_id: data.id }, throw: true });
    return 'made';
  }
  switch (error.code) {
    case 'rest_invalid_param':
      return Object.entries(error.data.params)
        .map(([name, reason]) => `${name}: ${reason}`)
        .join('; ');
    case 'rest_missing_callback_param':
      return `missing: ${Object.keys(error.data.params).join(', ')}`;
    default:
      return error.message;
  }
}
assert.equal(await explain('Lanterns'), 'made');
assert.match(await explain(''), /^title: /);

const missing = await client.GET('/boards/v2/projects/{board_id}', { path: { board_id: 999_999 } });
assert.equal(missing.data, undefined);
assert.equal(missing.error?.code, 'board_not_found');

const stranger = connect({ auth: { username: 'subscriber', password: 'demo-subscriber-password' } });
const refused = await stranger.POST('/boards/v2/admin/general-settings', {
  body: { board_creators: 'everyone' },
});
assert.equal(refused.response?.status, 403);
assert.equal(refused.error?.code, 'rest_forbidden');
