const { data: comment } = await client.POST('/boards/v2/projects/{board_id}/tasks/{task_id}/comments', {
  path: { board_id: 1, task_id: 3 },
  body: {
    content: 'Between us: the numbers are late.',
    // @ts-expect-error: the field is privacy: 'private', the site ignores this one and shows the comment to all
    private: true,
  },
  throw: true,
});
assert.equal(comment.privacy, 'private');
