import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../../src/base/option-types.ts';
import { startOnce } from '../../../support/close-after-test.ts';
import { startGateway } from '../../../support/gateway.ts';

const PER_PAGE = { type: 'integer', minimum: 1, maximum: 100 };
const IDS = { type: 'array', items: { type: 'integer' } };
const BOARD = { type: 'integer' };

const route = (pattern: string, args: object): [string, object] => [
  pattern,
  {
    namespace: pattern.split('/').slice(1, 3).join('/'),
    methods: ['GET'],
    endpoints: [{ methods: ['GET'], args }],
  },
];

/** Root index of a site with plugins, which sanitise their arguments by themselves. */
const INDEX = {
  name: 'A site with plugins',
  namespaces: ['wp/v2', 'plugin/v1', 'other/v1', 'wc/v3'],
  routes: Object.fromEntries([
    route('/plugin/v1/things', { per_page: PER_PAGE, include: IDS }),
    route('/other/v1/things', { per_page: PER_PAGE }),
    route('/wc/v3/coupons', { include: IDS }),
    route('/wp/v2/posts', { per_page: PER_PAGE, include: IDS, board: BOARD }),
    route('/wp/v2/pages', { per_page: { ...PER_PAGE, maximum: 500 } }),
    route('/wp/v2/products', { per_page: PER_PAGE }),
  ]),
};

const start = startOnce((validation: ValidationOptions) =>
  startGateway({ index: INDEX, passthrough: false, inMemory: true, validation }, () => ({ body: [] })),
);

/** Statuses: 200 if the request reached the site. */
const MODES = ['observe', 'enforce', 'trust', 'strict'] as const;
const FORWARDED = [200, 200, 200, 200];
const OF_WORDPRESS = [200, 400, 400, 400];
const OF_TRUSTED = [200, 200, 400, 400];
const OF_DOCUMENT = [200, 200, 200, 400];

describe.each(MODES.map((name, at) => [name, at] as const))('%s', (name, at) => {
  const validation = name === 'trust' ? { mode: 'enforce', trust: ['plugin/v1'] } : { mode: name };
  test.each([
    ['a value that WordPress refuses', '/wp/v2/posts?per_page=0', OF_WORDPRESS],
    ['a list of ids that WordPress refuses', '/wp/v2/posts?include=abc', OF_WORDPRESS],
    ['the same with a value of a plugin', '/wp/v2/posts?per_page=0&board=abc', OF_WORDPRESS],
    ['an argument that a plugin has added', '/wp/v2/posts?board=abc', OF_DOCUMENT],
    ['an argument that a plugin has changed', '/wp/v2/pages?per_page=0', OF_DOCUMENT],
    ['a content type of a plugin', '/wp/v2/products?per_page=0', OF_DOCUMENT],
    ['an argument of a trusted plugin', '/plugin/v1/things?per_page=0', OF_TRUSTED],
    ['an argument of another plugin', '/other/v1/things?per_page=0', OF_DOCUMENT],
    ['a list that WooCommerce parses without a check', '/wc/v3/coupons?include=a', FORWARDED],
    ['a route that an index may hide', '/wp/v2/nothing', FORWARDED],
  ])('%s', async (_, path, statuses) => {
    const { request } = await start(validation as ValidationOptions);
    expect((await request(`/wp-json${path}`)).status).toBe(statuses[at]);
  });
});

test('observe counts requests and the rules that they violate, and says by which of them enforce refuses', async () => {
  const options = { index: INDEX, passthrough: false, validation: { mode: 'observe' } } as const;
  const { administer, read } = await startGateway(options, () => ({ body: [] }));
  for (const query of ['', '?per_page=0', '?per_page=0', '?board=hunter2'])
    await read(`/wp-json/wp/v2/posts${query}`);
  const report = await (await administer('/-/sites/default/validation')).json();
  expect(report).toMatchObject({ mode: 'observe', requests: { valid: 1, forwarded: 3, refused: 0 } });
  const operation = { method: 'GET', path: '/wp/v2/posts' };
  expect(report.rules).toEqual([
    { ...operation, param: 'per_page', rule: 'rest_out_of_bounds', isEnforced: true, requests: 2 },
    { ...operation, param: 'board', rule: 'rest_invalid_type', isEnforced: false, requests: 1 },
  ]);
});
