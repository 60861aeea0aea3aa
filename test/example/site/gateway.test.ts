import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../../../src/discovery/index.ts';
import { toOpenApi } from '../../../src/openapi/index.ts';
import { ADAPTERS, type RunningGateway } from '../../support/gateway.ts';
import { startServer } from '../../support/server.ts';
import { as, createLibrary } from './library.ts';

const site = createLibrary();
let url: string;
let close: () => Promise<unknown>;

beforeAll(async () => {
  ({ close, origin: url } = await startServer(getRequestListener(site.fetch)));
});
afterAll(() => close());

test('discovery finds the site from its front page, with all operations', async () => {
  const found = await discover(url);
  expect(found.address).toMatchObject({ root: `${url}/index.php?rest_route=/` });
  const { document, report } = toOpenApi(found);
  const operations = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.keys(path ?? {}).filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key)),
  );
  expect(operations).toHaveLength(20);
  expect(report.diagnostics.filter(({ severity }) => severity === 'warning')).toEqual([]);
});

describe.each(Object.entries(ADAPTERS))('behind %s', (_name, start) => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await start({ sites: [{ url }] });
  });
  afterAll(() => running.stop());

  test('operations respond at their documented paths with URLs of the gateway', async () => {
    const list = await running.request('/library/v1/books?per_page=1&tag=sea,sky,land');
    expect([list.status, list.headers.get('x-wp-total')]).toEqual([200, '25']);
    const created = await running.request('/library/v1/books', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as('admin') },
      body: JSON.stringify({ title: 'Through the gateway' }),
    });
    expect([created.status, await created.json()]).toMatchObject([201, { title: 'Through the gateway' }]);
    const refused = await running.request('/library/v1/books', { method: 'POST' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'rest_missing_callback_param' },
    ]);
  });
});
