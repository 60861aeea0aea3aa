import { afterEach, expect, test } from 'vitest';
import type { ValidationOptions } from '../../generated/option-types.d.ts';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import { type StubSite, startStubSite } from '../support/stub-site.ts';

let gateway: Gateway | undefined;
let site: StubSite | undefined;
afterEach(async () => {
  await gateway?.stop();
  await site?.close();
});

const INDEX = {
  name: 'Stub',
  namespaces: ['a/v1'],
  routes: {
    '/a/v1/things': {
      namespace: 'a/v1',
      endpoints: [{ methods: ['GET'], args: { size: { type: 'integer', required: false } } }],
    },
  },
};

/** The site accepts every value, although its index states an integer. */
async function start(validation: ValidationOptions): Promise<{
  send(query: string, times: number): Promise<void>;
  read(): Promise<{ etag: string; agreement: string | undefined }>;
}> {
  site = await startStubSite({ index: INDEX, respond: () => ({ body: [] }) });
  const created = createGateway({ sites: [{ url: site.url, cache: 'off', validation }] });
  gateway = created;
  await created.rediscover();
  return {
    async send(query, times) {
      for (let count = 0; count < times; count += 1) {
        await (await created.request(`http://gateway.example.com/a/v1/things?${query}`)).arrayBuffer();
      }
    },
    async read() {
      const response = await created.request('http://gateway.example.com/docs/a/v1/things');
      const page = await response.text();
      return {
        etag: response.headers.get('etag') ?? '',
        agreement: /<dt>Agreement<\/dt><dd>([^<]*)/.exec(page)?.[1],
      };
    },
  };
}

test('a page shows how far the site agreed, rounded, and its tag changes with it', async () => {
  const { read, send } = await start({ mode: 'observe' });
  const fresh = await read();
  expect(fresh.agreement).toBe('No request was compared yet.');
  await send('size=1', 12);
  const seen = await read();
  expect(seen.agreement).toBe('The site agreed with the result for all of more than 10 compared requests.');
  expect(seen.etag).not.toBe(fresh.etag);
  await send('size=1', 3);
  expect(await read()).toEqual(seen);
});

test('a page shows how many rules are suspended, and neither their values nor their names', async () => {
  const { read, send } = await start({ mode: 'observe' });
  await send('size=secret-value', 11);
  const { agreement } = await read();
  expect(agreement).toBe(
    'The site agreed with the result for 90 % of more than 10 compared requests. One rule is not applied, because the site accepted requests that break it.',
  );
});

test('a page of an operation that is not validated tells no agreement', async () => {
  const { read } = await start({ mode: 'off' });
  expect((await read()).agreement).toBeUndefined();
});
