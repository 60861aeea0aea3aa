import { beforeEach, describe, expect, test } from 'vitest';
import { memberAt, startBoardClient } from './board-client.ts';

const { site, call } = startBoardClient();
const AT = new Date('2026-03-03T10:00:00Z');

beforeEach(() => {
  site.reset();
  site.clock.set(AT);
});

async function post(title: string): Promise<{ id: number; slug: string }> {
  const created = await call('POST', '/roadmaps/3/ideas', { as: 'subscriber', body: { title } });
  expect(created.status).toBe(201);
  return { id: Number(memberAt(created.body, 'id')), slug: String(memberAt(created.body, 'slug')) };
}

describe('an idea', () => {
  test('an idea gets votes, a comment, a reply and another stage', async () => {
    const { id, slug } = await post('BoardClient in the dark');
    const read = async () => (await call('GET', `/roadmaps/3/ideas/${slug}`)).body;
    expect(await read()).toMatchObject({
      title: 'BoardClient in the dark',
      stage: { slug: 'under-review' },
      votes: 0,
      author: { name: 'Sofia Rossi' },
      created_at: '2026-03-03T10:00:00Z',
    });

    for (const as of ['subscriber', 'editor', 'admin'] as const)
      expect((await call('POST', `/roadmaps/vote-idea/${id}`, { as })).status).toBe(200);
    const created = await call('POST', `/roadmaps/3/ideas/${id}/comments`, {
      as: 'editor',
      body: { content: 'I would use it every night.' },
    });
    const comment = memberAt(created.body, 'id');
    await call('POST', `/roadmaps/idea/comments/${comment}/replies`, {
      as: 'subscriber',
      body: { content: 'So would I.' },
    });
    const moved = await call('POST', `/roadmaps/3/idea/${id}/change-stage`, {
      as: 'admin',
      body: { stage_id: 13, position: 1 },
    });
    expect(moved.status).toBe(200);

    expect(await read()).toMatchObject({ stage: { slug: 'planned' }, votes: 3, comment_count: 1 });
    const planned = await call('GET', '/roadmaps/3/stages/planned/ideas');
    expect(memberAt(planned.body, 0, 'id')).toBe(id);
    const history = await call('GET', `/projects/3/tasks/${id}/activities`, { as: 'editor' });
    const actions = [history.body].flat().map((activity) => memberAt(activity, 'action'));
    expect(actions).toEqual(['moved', 'replied', 'commented', 'voted', 'voted', 'voted', 'created']);
  });

  test('a user has one vote for an idea and can withdraw it', async () => {
    const { id } = await post('One vote');
    const vote = (body = {}) => call('POST', `/roadmaps/vote-idea/${id}`, { as: 'editor', body });
    expect((await vote()).body).toMatchObject({ votes: 1, has_voted: true });
    expect(await vote()).toMatchObject({ status: 409, body: { code: 'already_voted' } });
    expect((await vote({ vote: false })).body).toMatchObject({ votes: 0, has_voted: false });
    expect((await vote()).body).toMatchObject({ votes: 1 });
  });

  test('an idea is hidden until a manager approves it when ideas are moderated', async () => {
    await call('POST', '/admin/roadmap/settings', { as: 'admin', body: { moderate_ideas: true } });
    const { id, slug } = await post('Please approve');
    for (const [as, status] of [
      [null, 404],
      ['subscriber', 200],
      ['editor', 200],
    ] as const)
      expect((await call('GET', `/roadmaps/3/ideas/${slug}`, { as })).status).toBe(status);
    for (const path of ['', '/comments'])
      expect((await call('GET', `/projects/3/tasks/${id}${path}`)).status).toBe(404);
    await call('PUT', '/projects/3/bulk-restore-tasks', { as: 'editor', body: { task_ids: [id] } });
    expect((await call('GET', `/roadmaps/3/ideas/${slug}`)).status).toBe(200);
  });

  test.each([
    ['accept_ideas', '/roadmaps/3/ideas', { title: 'Too late' }],
    ['allow_votes', '/roadmaps/vote-idea/{id}', {}],
    ['allow_comments', '/roadmaps/3/ideas/{id}/comments', { content: 'Too late' }],
  ])('rejects requests while %s is off', async (setting, path, body) => {
    const { id } = await post('Closed soon');
    await call('POST', '/admin/roadmap/settings', { as: 'admin', body: { [setting]: false } });
    const refused = await call('POST', path.replace('{id}', String(id)), { as: 'editor', body });
    expect(refused).toMatchObject({ status: 403, body: { code: 'roadmap_closed' } });
  });

  test('the settings limit the votes of a user', async () => {
    const ids = [await post('First'), await post('Second')].map(({ id }) => id);
    const previousVotes = site.state().votes.filter(({ userId, ideaId }) => {
      return userId === 2 && site.state().tasks.get(ideaId)?.boardId === 3;
    }).length;
    await call('POST', '/admin/roadmap/settings', {
      as: 'admin',
      body: { votes_per_user: previousVotes + 1 },
    });
    const responses = [];
    for (const id of ids) responses.push(await call('POST', `/roadmaps/vote-idea/${id}`, { as: 'editor' }));
    expect(responses.map(({ status }) => status)).toEqual([200, 403]);
  });
});

describe('a roadmap', () => {
  test('ideas are listed by their number of votes', async () => {
    const popular = [
      (await call('GET', '/roadmaps/3/popular-ideas', { query: { per_page: 100 } })).body,
    ].flat();
    const votes = popular.map((idea) => Number(memberAt(idea, 'votes')));
    expect(votes).toEqual(votes.toSorted((one, other) => other - one));
    const { id } = await post('Newcomer');
    const winner = Number(memberAt(popular[0], 'votes'));
    for (let userId = 100; userId <= 100 + winner; userId++)
      site.state().votes.push({ ideaId: id, userId, at: '2026-03-03T09:00:00Z' });
    expect(memberAt((await call('GET', '/roadmaps/3/popular-ideas')).body, 0, 'id')).toBe(id);
  });

  test('the list by day contains every idea once', async () => {
    await post('One');
    await post('Two');
    const query = { per_page: 100 };
    const days = [(await call('GET', '/roadmaps/3/day-wise-ideas', { query })).body].flat();
    expect(memberAt(days[0], 'date')).toBe('2026-03-03');
    expect(memberAt(days[0], 'total')).toBe(2);
    const popular = [(await call('GET', '/roadmaps/3/popular-ideas', { query })).body].flat();
    const total = days.reduce((sum: number, day) => sum + Number(memberAt(day, 'total')), 0);
    expect(total).toBe(popular.length);
  });

  test('only members read a roadmap whose public access is off', async () => {
    expect((await call('GET', '/roadmaps/3/popular-ideas')).status).toBe(200);
    const off = await call('PUT', '/projects/3/toggle-public-access', {
      as: 'admin',
      body: { enabled: false },
    });
    expect(off.status).toBe(200);
    expect((await call('GET', '/roadmaps/3/popular-ideas')).status).toBe(401);
    expect((await call('GET', '/roadmaps/3/popular-ideas', { as: 'editor' })).status).toBe(200);
  });

  test('requests are rejected while the feature is off', async () => {
    site.state().settings.features.roadmaps = false;
    expect(await call('GET', '/roadmaps/3/popular-ideas')).toMatchObject({
      status: 403,
      body: { code: 'feature_disabled' },
    });
  });
});
