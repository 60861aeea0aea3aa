const { data: roadmaps } = await client.GET('/boards/v2/projects/list-of-boards', {
  query: { type: 'roadmap' },
  throw: true,
});
const roadmap = roadmaps[0];
assert.ok(roadmap);

const { data: popular } = await client.GET('/boards/v2/roadmaps/{board_id}/popular-ideas', {
  path: { board_id: roadmap.id },
  query: { per_page: 2 },
  throw: true,
});
const [idea, runnerUp] = popular;
assert.ok(idea && runnerUp);
assert.ok(idea.votes >= runnerUp.votes);

const { data: voted } = await client.POST('/boards/v2/roadmaps/vote-idea/{idea_id}', {
  path: { idea_id: idea.id },
  body: { vote: !idea.has_voted },
  throw: true,
});
assert.equal(Math.abs(voted.votes - idea.votes), 1);

// The idea is read by its name in addresses.
const { data: read } = await client.GET('/boards/v2/roadmaps/{board_id}/ideas/{task_id}', {
  path: { board_id: roadmap.id, task_id: idea.slug },
  throw: true,
});
assert.equal(read.has_voted, !idea.has_voted);

const { data: column } = await client.GET('/boards/v2/roadmaps/{board_id}/stages/{stage_id}/ideas', {
  path: { board_id: roadmap.id, stage_id: idea.stage.slug },
  query: { orderby: 'popular' },
  throw: true,
});
assert.ok(column.every(({ stage }) => stage.id === idea.stage.id));

await client.POST('/boards/v2/roadmaps/vote-idea/{idea_id}', {
  path: { idea_id: idea.id },
  body: { vote: idea.has_voted },
  throw: true,
});
