await client.PUT('/boards/v2/projects/{board_id}/tasks/{task_id}', {
  path: { board_id: 1, task_id: 3 },
  body: {
    description: 'The ferry waits for it.',
    // @ts-expect-error: the priorities are low, medium, high and urgent, the site answers 400 rest_invalid_param
    priority: 'highest',
  },
  throw: true,
});
