import { expect, test } from 'vitest';
import type { StateStore } from '../../../../src/base/ports.ts';
import { systemClock } from '../../../../src/base/ports.ts';
import { stateFolder } from '../../../../src/gateway/node/state-folder.ts';
import { useFolder } from '../../../support/folder.ts';
import { startGateway } from '../../../support/gateway.ts';
import { runStubSite } from '../../../support/run.ts';
import { waitUntil } from '../../../support/wait.ts';

const folder = useFolder();

const book = (added: object): object => ({
  title: 'book',
  type: 'object',
  properties: { id: { type: 'integer' }, link: { type: 'string' }, ...added },
});
const route = (added: object = {}): object => ({
  namespace: 'wp/v2',
  endpoints: [{ methods: ['GET'], args: {} }],
  schema: book(added),
});

/** Resources whose fields only their `OPTIONS` responses state: books, which can fail, and films. */
async function startSubject(options = true, status: number | 'hangs' = 200, store?: StateStore) {
  const state = { name: 'A site', field: 'year', now: Date.now(), asked: 0, status, isClosed: false };
  const auth = { user: 'ada', password: 'right' };
  const films = { ...route(), schema: { ...book({}), title: 'film' } };
  const site = await runStubSite({
    index: () => ({
      name: state.name,
      namespaces: ['wp/v2'],
      routes: {
        ...{ '/wp/v2/books': route(), '/wp/v2/books/(?P<id>[\\d]+)': route() },
        ...{ '/wp/v2/films': films, '/wp/v2/films/(?P<id>[\\d]+)': films },
        '/wp/v2/users/me': { namespace: 'wp/v2', endpoints: [{ methods: ['GET'], args: {} }] },
      },
    }),
    intercept: ({ method, route: path }, response) => {
      if (path === '/wp/v2/users/me') response.writeHead(state.isClosed ? 401 : 200).end('{}');
      else if (method !== 'OPTIONS') return false;
      else {
        state.asked += 1;
        const fields = { [state.field]: { type: 'integer' } };
        const isFailing = path === '/wp/v2/books' && state.status !== 200;
        if (!isFailing) response.writeHead(200).end(JSON.stringify(route(fields)));
        else if (state.status !== 'hangs') response.writeHead(state.status).end('{}');
      }
      return true;
    },
  });
  // Only a resource that hangs is asked again by a timer. In other tests its second of waiting would pass on a busy machine.
  const after = status === 'hangs' ? systemClock.after : () => () => {};
  const clock = { now: () => state.now, after };
  const unread = { document: undefined, passthrough: false, isUnread: true, inMemory: true };
  const discover = { options, auth };
  const start = () =>
    startGateway({
      ...{ ...unread, url: site.url, discover },
      gateway: { clock, ...(store === undefined ? {} : { state: store }) },
    });
  const { gateway } = await start();
  const rediscover = () => gateway.rediscover();
  const listMembers = async (schema = 'Book', from = gateway): Promise<readonly string[]> => {
    const { components } = await (await from.app.request('/openapi.json')).json();
    return Object.keys(components.schemas[schema].properties).filter((name) => name !== '_links');
  };
  return { gateway, start, state, rediscover, listMembers };
}

test('a gateway asks again for the fields of an unchanged index after an hour', async () => {
  const { listMembers, rediscover, state } = await startSubject();
  await rediscover();
  expect(await listMembers()).toContain('year');
  state.field = 'pages';
  state.now += 59 * 60_000;
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([2, ['id', 'link', 'year']]);
  state.now += 2 * 60_000;
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([4, ['id', 'link', 'pages']]);
});

test('a gateway asks for no fields with options: false', async () => {
  const { listMembers, rediscover, state } = await startSubject(false);
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([0, ['id', 'link']]);
});

test('a resource that refuses is asked again after an hour', async () => {
  const { listMembers, rediscover, state } = await startSubject(true, 403);
  await rediscover();
  await rediscover();
  expect([state.asked, await listMembers('Film')]).toEqual([2, ['id', 'link', 'year']]);
  state.now += 61 * 60_000;
  await rediscover();
  expect(state.asked).toBe(4);
});

test('only a resource that did not answer is asked again at the next discovery', async () => {
  const { listMembers, rediscover, state } = await startSubject(true, 500);
  await rediscover();
  expect([await listMembers(), await listMembers('Film')]).toEqual([
    ['id', 'link'],
    ['id', 'link', 'year'],
  ]);
  state.status = 200;
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([3, ['id', 'link', 'year']]);
});

test.each(['fails', 'is refused', 'has other credentials'])(
  'the fields of a resource stay when its next request %s',
  async (what) => {
    const { listMembers, rediscover, state } = await startSubject();
    await rediscover();
    Object.assign(state, { name: 'A new name', field: 'pages' });
    if (what === 'has other credentials') state.isClosed = true;
    else state.status = what === 'fails' ? 503 : 403;
    await rediscover();
    expect(await listMembers()).toEqual(['id', 'link', 'year']);
    Object.assign(state, { name: 'A newer name', isClosed: false, status: 200 });
    await rediscover();
    expect(await listMembers()).toEqual(['id', 'link', 'pages']);
  },
);

test('the fields of a resource that fails are those of the document that an earlier process has stored', async () => {
  const { gateway, listMembers, rediscover, start, state } = await startSubject(
    true,
    200,
    stateFolder(folder()),
  );
  await rediscover();
  await gateway.stop();
  Object.assign(state, { name: 'A new name', field: 'pages', status: 503 });
  const { gateway: next } = await start();
  await next.rediscover();
  expect(await listMembers('Film', next)).toEqual(['id', 'link', 'pages']);
  expect(await listMembers('Book', next)).toEqual(['id', 'link', 'year']);
});

test('a resource that hangs delays the first document by two seconds, and is asked again soon', async () => {
  const { gateway, listMembers, state } = await startSubject(true, 'hangs');
  const begin = performance.now();
  gateway.start();
  expect((await gateway.app.request('/wp-json/wp/v2/films')).status).not.toBe(503);
  expect(performance.now() - begin).toBeLessThan(8_000);
  expect(await listMembers('Film')).toContain('year');
  state.status = 500;
  await waitUntil(async () => (await listMembers()).length === 2 && state.asked > 2);
  state.status = 200;
  await waitUntil(async () => (await listMembers()).includes('year'));
}, 30_000);
