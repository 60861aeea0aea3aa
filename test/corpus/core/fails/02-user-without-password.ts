const name = 'corpus-nobody';
const email = `${name}@example.com`;
// @ts-expect-error: the site answers 400 rest_missing_callback_param, because a user needs a password
await client.POST('/wp/v2/users', { body: { username: name, email } });
