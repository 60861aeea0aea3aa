import { afterEach, expect, test } from 'vitest';
import { createGateway, type Gateway } from '../../src/gateway/index.ts';
import type { JsonObject } from '../../src/json.ts';
import type { ValidationOptions } from '../../src/option-types.ts';
import { createTestDocs } from '../support/rendered-docs.ts';
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

test('a page tells that an operation is not enforced yet', async () => {
  const { read, send } = await start({ mode: 'strict', afterAgreement: 20 });
  await send('size=1', 19);
  expect((await read()).agreement).toContain('It is observed only, until the site has agreed often enough.');
  await send('size=1', 1);
  expect((await read()).agreement).not.toContain('observed only');
});

test('a page of an operation that is not validated tells no agreement', async () => {
  const { read } = await start({ mode: 'off' });
  expect((await read()).agreement).toBeUndefined();
});

test('a page lists what was repaired in the description of an operation', async () => {
  const parameter = (name: string, schema: JsonObject, rest: JsonObject = {}): JsonObject => ({
    name,
    in: 'query',
    schema,
    ...rest,
  });
  const render = createTestDocs({
    openapi: '3.1.1',
    info: { title: 'Test', version: '1' },
    'x-waygate': { namespaces: ['a/v1'] },
    paths: {
      '/a/v1/things': {
        post: {
          parameters: [
            parameter('status', { type: 'array', items: { type: 'string' }, 'x-waygate-default': 'publish' }),
            parameter('terms', { oneOf: [{ type: 'array' }], 'x-waygate-type': ['object', 'array'] }),
            parameter('untyped', { enum: [1], 'x-waygate-type': null }),
            parameter('name', { type: 'string' }, { 'x-waygate-part-of': 'whole' }),
          ],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } },
          },
          responses: {},
        },
      },
    },
    components: {
      schemas: {
        Body: {
          type: 'object',
          properties: {
            list: { type: 'array', items: { type: 'string', 'x-waygate-pcre': '<b>(?R)</b>' } },
            self: { $ref: '#/components/schemas/Body' },
          },
        },
      },
    },
  });
  const page = (await render('/a/v1/things'))?.text ?? '';
  const repairs = page.slice(page.indexOf('<dt>Repairs'), page.indexOf('</dl>', page.indexOf('<dt>Repairs')));
  for (const repair of [
    '<code>status</code>: The site&#39;s default &quot;publish&quot; is none of the values that the site allows.',
    '<code>terms</code>: The site states the type [&quot;object&quot;, &quot;array&quot;].',
    '<code>untyped</code>: The site states no type. The document derives it from the other rules.',
    '<code>name</code>: It is a part of the site&#39;s parameter whole, which contains a slash.',
    '<code>list[]</code>: The site&#39;s pattern &quot;&lt;b&gt;(?R)&lt;/b&gt;&quot; has no equivalent in JavaScript and is left out.',
  ]) {
    expect(repairs).toContain(repair);
  }
});
