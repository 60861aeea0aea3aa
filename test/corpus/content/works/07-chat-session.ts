const { data: models } = await client.GET('/ext-a/v1/chat/models', { throw: true });
const [model] = [...models].sort((a, b) => b.context - a.context);
assert.ok(model);

const { data: session } = await client.POST('/ext-a/v1/chat/sessions', {
  body: { title: 'Ferry questions', model: model.id },
  throw: true,
});
const sessionId: string = session.id;
assert.equal(session.model, model.id);
assert.equal(session.pending, null);

await client.POST('/ext-a/v1/chat/consent', { body: { granted: true }, throw: true });
const { data: step } = await client.POST('/ext-a/v1/chat/model-step', {
  body: { session: sessionId, message: 'Good morning' },
  throw: true,
});
assert.equal(step.session, sessionId);
assert.ok(step.message.length > 0);

const { data: read } = await client.GET('/ext-a/v1/chat/sessions/{id}', {
  path: { id: sessionId },
  throw: true,
});
const roles = read.messages.map((message) => `${message.role}: ${message.text.slice(0, 12)}`);
assert.equal(roles[0], 'user: Good morning');

const { data: sessions } = await client.GET('/ext-a/v1/chat/sessions', { throw: true });
assert.ok(sessions.some((each) => each.id === sessionId && !each.archived));

await client.DELETE('/ext-a/v1/chat/sessions/{id}', { path: { id: sessionId }, throw: true });
await client.POST('/ext-a/v1/chat/consent', { body: { granted: false }, throw: true });
