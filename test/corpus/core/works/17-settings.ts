const { data: settings, error } = await client.GET('/wp/v2/settings');
if (error) throw new Error(error.message);
const title: string = settings.title;
const perPage: number = settings.posts_per_page;
assert.ok(title.length > 0);
assert.ok(perPage > 0);
assert.ok(settings.use_smilies === true || settings.use_smilies === false);

const { data: changed } = await client.POST('/wp/v2/settings', {
  body: { description: 'Changed by a program', posts_per_page: perPage + 1, start_of_week: 0 },
  throw: true,
});
assert.equal(changed.description, 'Changed by a program');
assert.equal(changed.posts_per_page - perPage, 1);

const { data: restored } = await client.POST('/wp/v2/settings', {
  body: {
    description: settings.description,
    posts_per_page: perPage,
    start_of_week: settings.start_of_week,
  },
  throw: true,
});
assert.deepEqual(restored, settings);
