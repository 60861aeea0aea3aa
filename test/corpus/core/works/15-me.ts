const { data: me, error } = await client.GET('/wp/v2/users/me', { query: { context: 'edit' } });
if (error) throw new Error(`not signed in: ${error.message}`);

const roles: readonly string[] = me.roles;
assert.ok(roles.includes('administrator'));
assert.ok(me.email.includes('@'));
assert.equal(me.capabilities['edit_posts'], true);
const line: string = `${me.name} <${me.email}> (${me.username})`;
assert.match(line, /^.+ <.+@.+> \(.+\)$/);

const { data: edited } = await client.POST('/wp/v2/users/me', {
  body: { description: 'Writes programs' },
  throw: true,
});
assert.equal(edited.description, 'Writes programs');
await client.POST('/wp/v2/users/me', { body: { description: me.description }, throw: true });

const { data: card } = await client.GET('/wp/v2/users/{id}', { path: { id: me.id }, throw: true });
assert.equal(card.slug, me.slug);
assert.equal(card.avatar_urls['48'], me.avatar_urls['48']);
