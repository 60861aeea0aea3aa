import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/ports.ts';
import { openGateway } from '../../../../src/open-gateway.ts';
import { closeAfterTest } from '../../../support/close-after-test.ts';
import { runStubSite } from '../../../support/run.ts';

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

/** Books whose fields only their `OPTIONS` response states. */
async function startSubject(options = true) {
  const state = { name: 'A site', field: 'year', now: Date.now(), asked: 0, status: 200 };
  const site = await runStubSite({
    index: () => ({
      name: state.name,
      namespaces: ['wp/v2'],
      routes: { '/wp/v2/books': route(), '/wp/v2/books/(?P<id>[\\d]+)': route() },
    }),
    intercept: ({ method }, response) => {
      if (method !== 'OPTIONS') return false;
      state.asked += 1;
      response.writeHead(state.status).end(JSON.stringify(route({ [state.field]: { type: 'integer' } })));
      return true;
    },
  });
  const gateway = openGateway({
    sites: [{ url: site.url, discover: { options } }],
    clock: { now: () => state.now, after: systemClock.after },
  });
  closeAfterTest(() => gateway.stop());
  const rediscover = () => gateway.rediscover();
  await rediscover();
  const listMembers = async (): Promise<readonly string[]> => {
    const { components } = await (await gateway.app.request('/openapi.json')).json();
    return Object.keys(components.schemas.Book.properties).filter((name) => name !== '_links');
  };
  return { state, rediscover, listMembers };
}

test('a gateway asks again for the fields of an unchanged index after an hour', async () => {
  const { listMembers, rediscover, state } = await startSubject();
  expect(await listMembers()).toContain('year');
  state.field = 'pages';
  state.now += 59 * 60_000;
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([1, ['id', 'link', 'year']]);
  state.now += 2 * 60_000;
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([2, ['id', 'link', 'pages']]);
});

test('a gateway asks at once for the fields of a changed index', async () => {
  const { listMembers, rediscover, state } = await startSubject();
  Object.assign(state, { name: 'A new name', field: 'pages' });
  await rediscover();
  expect([state.asked, await listMembers()]).toEqual([2, ['id', 'link', 'pages']]);
});

test('a gateway asks for no fields with options: false', async () => {
  const { listMembers, state } = await startSubject(false);
  expect([state.asked, await listMembers()]).toEqual([0, ['id', 'link']]);
});
