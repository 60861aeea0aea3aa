import { beforeEach, describe, expect, test } from 'vitest';
import { startBoardClient, toQuery } from '../support/site-client.ts';

const { site, call } = startBoardClient();
const AT = new Date('2026-03-03T10:00:00Z');

beforeEach(() => {
  site.reset();
  site.clock.set(AT);
});

async function post(title: string): Promise<{ id: number; slug: string }> {
  const created = await call('subscriber', 'POST /roadmaps/3/ideas', { title });
  expect(created.status).toBe(201);
  return { id: created.body.id, slug: created.body.slug };
}

describe('an idea', () => {
  test('an idea gets votes, a comment, a reply and another stage', async () => {
    const { id, slug } = await post('BoardClient in the dark');
    const read = async () => (await call(null, `GET /roadmaps/3/ideas/${slug}`)).body;
    expect(await read()).toMatchObject({
      title: 'BoardClient in the dark',
      stage: { slug: 'under-review' },
      votes: 0,
      author: { name: 'Sofia Rossi' },
      created_at: '2026-03-03T10:00:00Z',
    });

    for (const as of ['subscriber', 'editor', 'admin'] as const)
      expect((await call(as, `POST /roadmaps/vote-idea/${id}`)).status).toBe(200);
    const created = await call('editor', `POST /roadmaps/3/ideas/${id}/comments`, {
      content: 'I would use it every night.',
    });
    const comment = created.body.id;
    await call('subscriber', `POST /roadmaps/idea/comments/${comment}/replies`, { content: 'So would I.' });
    const moved = await call('admin', `POST /roadmaps/3/idea/${id}/change-stage`, {
      stage_id: 13,
      position: 1,
    });
    expect(moved.status).toBe(200);

    expect(await read()).toMatchObject({ stage: { slug: 'planned' }, votes: 3, comment_count: 1 });
    const planned = await call(null, 'GET /roadmaps/3/stages/planned/ideas');
    expect(planned.body[0].id).toBe(id);
    const history = await call('editor', `GET /projects/3/tasks/${id}/activities`);
    const actions = [history.body].flat().map((activity) => activity.action);
    expect(actions).toEqual(['moved', 'replied', 'commented', 'voted', 'voted', 'voted', 'created']);
  });

  test('a user has one vote for an idea and can withdraw it', async () => {
    const { id } = await post('One vote');
    const vote = (body = {}) => call('editor', `POST /roadmaps/vote-idea/${id}`, body);
    expect((await vote()).body).toMatchObject({ votes: 1, has_voted: true });
    expect((await vote()).outcome).toBe('409 already_voted');
    expect((await vote({ vote: false })).body).toMatchObject({ votes: 0, has_voted: false });
    expect((await vote()).body).toMatchObject({ votes: 1 });
  });

  test('an idea is hidden until a manager approves it when ideas are moderated', async () => {
    await call('admin', 'POST /admin/roadmap/settings', { moderate_ideas: true });
    const { id, slug } = await post('Please approve');
    for (const [as, status] of [
      [null, 404],
      ['subscriber', 200],
      ['editor', 200],
    ] as const)
      expect((await call(as, `GET /roadmaps/3/ideas/${slug}`)).status).toBe(status);
    for (const path of ['', '/comments'])
      expect((await call(null, `GET /projects/3/tasks/${id}${path}`)).status).toBe(404);
    await call('editor', 'PUT /projects/3/bulk-restore-tasks', { task_ids: [id] });
    expect((await call(null, `GET /roadmaps/3/ideas/${slug}`)).status).toBe(200);
  });

  test.each([
    ['accept_ideas', '/roadmaps/3/ideas', { title: 'Too late' }],
    ['allow_votes', '/roadmaps/vote-idea/{id}', {}],
    ['allow_comments', '/roadmaps/3/ideas/{id}/comments', { content: 'Too late' }],
  ])('rejects requests while %s is off', async (setting, path, body) => {
    const { id } = await post('Closed soon');
    await call('admin', 'POST /admin/roadmap/settings', { [setting]: false });
    const refused = await call('editor', `POST ${path.replace('{id}', String(id))}`, body);
    expect(refused.outcome).toBe('403 roadmap_closed');
  });

  test('the settings limit the votes of a user', async () => {
    const ids = [await post('First'), await post('Second')].map(({ id }) => id);
    const previousVotes = site.state().votes.filter(({ userId, ideaId }) => {
      return userId === 2 && site.state().tasks.get(ideaId)?.boardId === 3;
    }).length;
    await call('admin', 'POST /admin/roadmap/settings', { votes_per_user: previousVotes + 1 });
    const responses = [];
    for (const id of ids) responses.push(await call('editor', `POST /roadmaps/vote-idea/${id}`));
    expect(responses.map(({ status }) => status)).toEqual([200, 403]);
  });
});

describe('a roadmap', () => {
  test('ideas are listed by their number of votes', async () => {
    const popular = [(await call(null, 'GET /roadmaps/3/popular-ideas?per_page=100')).body].flat();
    const votes = popular.map((idea) => idea.votes);
    expect(votes).toEqual(votes.toSorted((one, other) => other - one));
    const { id } = await post('Newcomer');
    const winner = popular[0].votes;
    for (let userId = 100; userId <= 100 + winner; userId++)
      site.state().votes.push({ ideaId: id, userId, at: '2026-03-03T09:00:00Z' });
    expect((await call(null, 'GET /roadmaps/3/popular-ideas')).body[0].id).toBe(id);
  });

  test('the list by day contains every idea once', async () => {
    await post('One');
    await post('Two');
    const query = { per_page: 100 };
    const days = [(await call(null, `GET /roadmaps/3/day-wise-ideas?${toQuery(query)}`)).body].flat();
    expect(days[0].date).toBe('2026-03-03');
    expect(days[0].total).toBe(2);
    const popular = [(await call(null, `GET /roadmaps/3/popular-ideas?${toQuery(query)}`)).body].flat();
    const total = days.reduce((sum: number, day) => sum + day.total, 0);
    expect(total).toBe(popular.length);
  });

  test('only members read a roadmap whose public access is off', async () => {
    expect((await call(null, 'GET /roadmaps/3/popular-ideas')).status).toBe(200);
    const off = await call('admin', 'PUT /projects/3/toggle-public-access', { enabled: false });
    expect(off.status).toBe(200);
    expect((await call(null, 'GET /roadmaps/3/popular-ideas')).status).toBe(401);
    expect((await call('editor', 'GET /roadmaps/3/popular-ideas')).status).toBe(200);
  });

  test('requests are rejected while the feature is off', async () => {
    site.state().settings.features.roadmaps = false;
    expect((await call(null, 'GET /roadmaps/3/popular-ideas')).outcome).toBe('403 feature_disabled');
  });
});
