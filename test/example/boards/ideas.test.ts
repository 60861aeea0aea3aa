import { beforeEach, describe, expect, test } from 'vitest';
import { at, startBoards } from './asking.ts';

const { site, ask } = startBoards();
const AT = new Date('2026-03-03T10:00:00Z');

beforeEach(() => {
  site.reset();
  site.clock.set(AT);
});

async function post(title: string): Promise<{ id: number; slug: string }> {
  const made = await ask('POST', '/roadmaps/3/ideas', { as: 'subscriber', body: { title } });
  expect(made.status).toBe(201);
  return { id: Number(at(made.body, 'id')), slug: String(at(made.body, 'slug')) };
}

describe('an idea', () => {
  test('goes from its post to votes, a comment, a reply and another stage', async () => {
    const { id, slug } = await post('Boards in the dark');
    const read = async () => (await ask('GET', `/roadmaps/3/ideas/${slug}`)).body;
    expect(await read()).toMatchObject({
      title: 'Boards in the dark',
      stage: { slug: 'under-review' },
      votes: 0,
      author: { name: 'Sofia Rossi' },
      created_at: '2026-03-03T10:00:00Z',
    });

    for (const as of ['subscriber', 'editor', 'admin'] as const)
      expect((await ask('POST', `/roadmaps/vote-idea/${id}`, { as })).status).toBe(200);
    const said = await ask('POST', `/roadmaps/3/ideas/${id}/comments`, {
      as: 'editor',
      body: { content: 'I would use it every night.' },
    });
    const comment = at(said.body, 'id');
    await ask('POST', `/roadmaps/idea/comments/${comment}/replies`, {
      as: 'subscriber',
      body: { content: 'So would I.' },
    });
    const moved = await ask('POST', `/roadmaps/3/idea/${id}/change-stage`, {
      as: 'admin',
      body: { stage_id: 13, position: 1 },
    });
    expect(moved.status).toBe(200);

    expect(await read()).toMatchObject({ stage: { slug: 'planned' }, votes: 3, comment_count: 1 });
    const planned = await ask('GET', '/roadmaps/3/stages/planned/ideas');
    expect(at(planned.body, 0, 'id')).toBe(id);
    const history = await ask('GET', `/projects/3/tasks/${id}/activities`, { as: 'editor' });
    const actions = [history.body].flat().map((activity) => at(activity, 'action'));
    expect(actions).toEqual(['moved', 'replied', 'commented', 'voted', 'voted', 'voted', 'created']);
  });

  test('has one vote of a user, who may take it back', async () => {
    const { id } = await post('One vote');
    const vote = (body = {}) => ask('POST', `/roadmaps/vote-idea/${id}`, { as: 'editor', body });
    expect((await vote()).body).toMatchObject({ votes: 1, has_voted: true });
    expect(await vote()).toMatchObject({ status: 409, body: { code: 'already_voted' } });
    expect((await vote({ vote: false })).body).toMatchObject({ votes: 0, has_voted: false });
    expect((await vote()).body).toMatchObject({ votes: 1 });
  });

  test('waits for a manager where ideas are moderated', async () => {
    await ask('POST', '/admin/roadmap/settings', { as: 'admin', body: { moderate_ideas: true } });
    const { id, slug } = await post('Please approve');
    for (const [as, status] of [
      [null, 404],
      ['subscriber', 200],
      ['editor', 200],
    ] as const)
      expect((await ask('GET', `/roadmaps/3/ideas/${slug}`, { as })).status).toBe(status);
    for (const path of ['', '/comments'])
      expect((await ask('GET', `/projects/3/tasks/${id}${path}`)).status).toBe(404);
    await ask('PUT', '/projects/3/bulk-restore-tasks', { as: 'editor', body: { task_ids: [id] } });
    expect((await ask('GET', `/roadmaps/3/ideas/${slug}`)).status).toBe(200);
  });

  test.each([
    ['accept_ideas', '/roadmaps/3/ideas', { title: 'Too late' }],
    ['allow_votes', '/roadmaps/vote-idea/{id}', {}],
    ['allow_comments', '/roadmaps/3/ideas/{id}/comments', { content: 'Too late' }],
  ])('takes nothing where %s is off', async (setting, path, body) => {
    const { id } = await post('Closed soon');
    await ask('POST', '/admin/roadmap/settings', { as: 'admin', body: { [setting]: false } });
    const refused = await ask('POST', path.replace('{id}', String(id)), { as: 'editor', body });
    expect(refused).toMatchObject({ status: 403, body: { code: 'roadmap_closed' } });
  });

  test('is voted for only as often as the settings say', async () => {
    const ids = [await post('First'), await post('Second')].map(({ id }) => id);
    const given = site.state().votes.filter(({ userId, ideaId }) => {
      return userId === 2 && site.state().tasks.get(ideaId)?.boardId === 3;
    }).length;
    await ask('POST', '/admin/roadmap/settings', { as: 'admin', body: { votes_per_user: given + 1 } });
    const answers = [];
    for (const id of ids) answers.push(await ask('POST', `/roadmaps/vote-idea/${id}`, { as: 'editor' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
  });
});

describe('a roadmap', () => {
  test('lists its ideas by their votes, which it counts', async () => {
    const popular = [
      (await ask('GET', '/roadmaps/3/popular-ideas', { query: { per_page: 100 } })).body,
    ].flat();
    const votes = popular.map((idea) => Number(at(idea, 'votes')));
    expect(votes).toEqual(votes.toSorted((one, other) => other - one));
    const { id } = await post('Newcomer');
    const winner = Number(at(popular[0], 'votes'));
    for (let userId = 100; userId <= 100 + winner; userId++)
      site.state().votes.push({ ideaId: id, userId, at: '2026-03-03T09:00:00Z' });
    expect(at((await ask('GET', '/roadmaps/3/popular-ideas')).body, 0, 'id')).toBe(id);
  });

  test('lists its ideas by day, all of them once', async () => {
    await post('One');
    await post('Two');
    const query = { per_page: 100 };
    const days = [(await ask('GET', '/roadmaps/3/day-wise-ideas', { query })).body].flat();
    expect(at(days[0], 'date')).toBe('2026-03-03');
    expect(at(days[0], 'total')).toBe(2);
    const popular = [(await ask('GET', '/roadmaps/3/popular-ideas', { query })).body].flat();
    const total = days.reduce((sum: number, day) => sum + Number(at(day, 'total')), 0);
    expect(total).toBe(popular.length);
  });

  test('is read by nobody else once its public access is off', async () => {
    expect((await ask('GET', '/roadmaps/3/popular-ideas')).status).toBe(200);
    const off = await ask('PUT', '/projects/3/toggle-public-access', {
      as: 'admin',
      body: { enabled: false },
    });
    expect(off.status).toBe(200);
    expect((await ask('GET', '/roadmaps/3/popular-ideas')).status).toBe(401);
    expect((await ask('GET', '/roadmaps/3/popular-ideas', { as: 'editor' })).status).toBe(200);
  });

  test('is not there while the module is off', async () => {
    site.state().settings.features.roadmaps = false;
    expect(await ask('GET', '/roadmaps/3/popular-ideas')).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    });
  });
});
