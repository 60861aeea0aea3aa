import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { readSmallIndex } from '../support/stub-site.ts';
import { ADMIN, connectAgent, failed, insist, tagOf, useAgentShop } from './agent.ts';

const runShop = useAgentShop();
const RIGHTS = { writes: ['draft', 'publish', 'manage'], unasked: true };

interface StoredCase {
  readonly id: string;
  readonly body: object;
  /** What the site has after the write, beside its id. */
  readonly item: object;
  readonly text: string;
  readonly isError?: boolean;
}

/** What a site has kept of a write is what its item shows, whatever the status was. */
test.each<[name: string, row: StoredCase]>([
  [
    'metadata that nobody has registered',
    {
      id: 'createPost',
      body: { title: 'A', meta: { _yoast_wpseo_title: 'B' } },
      item: { title: { raw: 'A' }, meta: { footnotes: '' } },
      text: 'HTTP 200. The site has not stored meta._yoast_wpseo_title',
    },
  ],
  [
    'a stock that is not managed',
    {
      id: 'updateProduct',
      body: { stock_quantity: 5 },
      item: { stock_quantity: null, manage_stock: false },
      text: 'HTTP 200. The site has not stored stock_quantity (manage_stock is false)',
      isError: true,
    },
  ],
  [
    'a category that is not there',
    {
      id: 'createProduct',
      body: { categories: [{ id: 99_999 }], name: 'Cup' },
      item: { name: 'Cup', categories: [{ id: 15, name: 'Uncategorized', slug: 'uncategorized' }] },
      text: 'HTTP 200. The site has stored categories without [{"id":99999}]',
    },
  ],
  [
    'a member that the address of an order has not',
    {
      id: 'createOrder',
      body: { shipping: { city: 'Berlin', phone: '1' } },
      item: { shipping: { city: 'Berlin' } },
      text: 'HTTP 200. The site has not stored shipping.phone',
    },
  ],
  [
    'what the site has stored in its own words',
    {
      id: 'createProduct',
      body: {
        name: 'Cup',
        regular_price: '9.90',
        tags: [{ id: 3 }],
        sale_price: null,
        date_created: '2026-12-01T10:00:00Z',
        meta_data: [{ key: 'a', value: 'b' }],
        virtual: false,
        images: [],
      },
      item: {
        name: 'Cup',
        regular_price: '9.9',
        tags: [{ id: 3, name: 'x' }],
        sale_price: '',
        date_created: '2026-12-01T11:00:00',
        meta_data: [
          { id: 1, key: 'other', value: 1 },
          { id: 2, key: 'a', value: 'b' },
        ],
        virtual: false,
        images: [],
      },
      text: 'HTTP 200',
    },
  ],
  [
    'a password, which no response shows',
    { id: 'createUser', body: { username: 'a', password: 'b' }, item: { username: 'a' }, text: 'HTTP 200' },
  ],
  [
    'a text that the site has changed',
    {
      id: 'createProduct',
      body: { name: 'Cup', slug: 'cup' },
      item: { name: 'Cup', slug: 'cup-2' },
      text: 'HTTP 200. The site has stored slug otherwise',
    },
  ],
])('%s', async (_, { body, id, isError = false, item, text }) => {
  const { call } = await runShop(() => ({ body: { id: 7, ...item } }), RIGHTS);
  const path = id.startsWith('update') ? { path: { id: 7 } } : {};
  const result = await insist({ call }, 'write_operation', { id, ...path, body });
  expect({ text: result.text, isError: result.isError }).toEqual({ text, isError });
});

test('an echo of the request is no item, so that is read', async () => {
  const { call, requests } = await runShop(
    ({ body, method }) => ({ body: method === 'GET' ? { id: 7, name: 'Old' } : Object(body) }),
    RIGHTS,
  );
  const args = { id: 'updateProduct', path: { id: 7 }, body: { name: 'New' } };
  const { isError, text } = await insist({ call }, 'write_operation', args);
  expect({ isError, text }).toEqual({ isError: true, text: 'HTTP 200. The site has not stored name' });
  expect(requests.at(-1)?.method).toBe('GET');
});

test('a response of 202 promises nothing', async () => {
  const { call } = await runShop(() => ({ status: 202, body: { id: 7, name: 'Old' } }), RIGHTS);
  const args = { id: 'createProduct', body: { name: 'New' } };
  expect(await call('write_operation', args)).toMatchObject({
    isError: false,
    text: 'HTTP 202. The site has accepted it, and may carry it out later',
  });
});

test('arguments that a plugin does not declare are sent, and what became of them is said', async () => {
  const endpoints = [{ methods: ['POST'], args: { title: { type: 'string' } } }];
  const routes = {
    '/acme/v1/events': { namespace: 'acme/v1', methods: ['POST'], endpoints },
    '/acme/v1/events/(?P<id>[\\d]+)': {
      ...{ namespace: 'acme/v1', methods: ['GET'] },
      endpoints: [{ methods: ['GET'], args: {} }],
    },
  };
  const index = { ...readSmallIndex(), namespaces: ['acme/v1'], routes };
  const item = { id: 3, title: 'A', seats: 20 };
  const mcp = { reads: ['*'], writes: ['manage'], unasked: true };
  const { origin, received } = await startGateway(
    { index, mcp, name: 'events', passthrough: false, cache: 'off' },
    () => ({ body: JSON.stringify(item), headers: { 'content-type': 'application/json' } }),
  );
  const { call } = await connectAgent(`${origin}/events/mcp`, ADMIN);
  const body = { title: 'A', seats: 20, price: 5 };
  const { text } = await call('write_operation', { id: 'createAcmeEvent', body });
  expect(text).toBe('HTTP 200. Whether the site has stored price is not shown');
  expect(received.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

interface ReplacedCase {
  /** What the item is, if not a product. */
  readonly kind?: 'Order' | 'Post';
  readonly item: object;
  /** The item at the time of the write, if it has changed since it was read. */
  readonly now?: object;
  readonly body: object;
  readonly fields?: readonly string[];
  /** Part of the refusal; absent if the write is sent. */
  readonly refused?: string;
}

const SECRETIVE = {
  meta_data: [{ id: 1, key: 'gateway', value: { client_secret: 'cs_live', mode: 'live' } }],
};
const ROWS = { meta: { dates: [{ day: 'Monday' }, { day: 'Friday' }] } };

/** A write is compared with what was read in the members that it sends, and in the status. */
test.each<[name: string, row: ReplacedCase]>([
  [
    'another member has changed',
    { item: { name: 'A', total_sales: 1 }, now: { total_sales: 2 }, body: { name: 'B' } },
  ],
  [
    'another member of the object has changed',
    {
      kind: 'Order',
      item: { billing: { city: 'A', phone: '1' } },
      now: { billing: { city: 'A', phone: '2' } },
      body: { billing: { city: 'B' } },
    },
  ],
  [
    'the member has changed',
    {
      item: { name: 'A' },
      now: { name: 'X' },
      body: { name: 'B' },
      refused: 'changed since it was read: name',
    },
  ],
  [
    'the status has changed',
    {
      item: { name: 'A' },
      now: { status: 'publish' },
      body: { name: 'B' },
      refused: 'changed since it was read: status',
    },
  ],
  [
    'a list was not read',
    {
      kind: 'Post',
      item: ROWS,
      fields: ['name'],
      body: { meta: { dates: [] } },
      refused: 'meta.dates was not seen',
    },
  ],
  ['a list was read', { kind: 'Post', item: ROWS, fields: ['meta'], body: { meta: { dates: [] } } }],
  [
    'a list was not read, and all of its entries are sent',
    {
      kind: 'Post',
      item: ROWS,
      fields: ['name'],
      body: { meta: { dates: [...ROWS.meta.dates, { day: 'Sunday' }] } },
    },
  ],
  ['an empty list was not read', { item: { tags: [] }, fields: ['name'], body: { tags: [{ id: 3 }] } }],
  [
    'a secret would go with the value',
    {
      item: SECRETIVE,
      body: { meta_data: [{ id: 1, key: 'gateway', value: { mode: 'test' } }] },
      refused: 'was not seen',
    },
  ],
  [
    'a text contains what was hidden',
    {
      item: SECRETIVE,
      body: { meta_data: [{ key: 'gateway', value: '{"client_secret":"[secret]"}' }] },
      refused: 'masked',
    },
  ],
  [
    'another entry of the list has a secret',
    { item: SECRETIVE, body: { meta_data: [{ key: 'color', value: 'red' }] } },
  ],
])('a write where %s', async (_, { body, fields, item, kind = 'Product', now = {}, refused }) => {
  let stored: object = { id: 7, status: 'draft', name: 'A', ...item };
  const { call, requests } = await runShop(() => ({ body: stored }), RIGHTS);
  const place = { path: { id: 7 }, ...(fields && { fields }) };
  const if_match = tagOf(await call('read_operation', { id: `get${kind}`, ...place }));
  stored = { ...stored, ...now };
  const result = await call('write_operation', { id: `update${kind}`, path: { id: 7 }, body, if_match });
  const isSent = requests.some(({ method }) => method !== 'GET');
  expect({ isSent, text: result.text }).toEqual({
    isSent: refused === undefined,
    text: expect.stringContaining(refused ?? 'HTTP 200'),
  });
});

test('an unknown tag is none, and the refusal shows what would be replaced', async () => {
  const { call } = await runShop(() => ({ body: { id: 7, status: 'draft', name: 'A' } }), RIGHTS);
  const args = { id: 'updateProduct', path: { id: 7 }, body: { name: 'B' }, if_match: '0badcafe' };
  expect(await call('write_operation', args)).toMatchObject({
    ...failed('it would replace what the site has now'),
    content: '{"name":"A"}',
  });
});
