import { describe, expect, test } from 'vitest';
import type { ValidationOptions } from '../../../src/config/option-types.ts';
import { createGateway, type Gateway } from '../../../src/gateway/index.ts';
import { SAMPLED_REFUSALS } from '../../../src/validation/evidence/ledger.ts';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { runStubSite } from '../../support/run.ts';
import type { StubSite, StubSiteOptions } from '../../support/stub-site.ts';
import {
  createInvalidParamResponse,
  createPluginIndex,
  readReport,
  respondAsPlugin,
  TOKEN,
} from './plugin-site.ts';

let site: StubSite;
let gateway: Gateway;

async function start(
  mode: ValidationOptions['mode'],
  respond: StubSiteOptions = { respond: respondAsPlugin },
): Promise<void> {
  site = await runStubSite({ index: createPluginIndex(), ...respond });
  gateway = createGateway({ sites: [{ url: site.url, validation: { mode } }], admin: { token: TOKEN } });
  closeAfterTest(gateway.stop);
  await gateway.rediscover();
}

/** Sends a request. @returns the status, and whether the site received the request */
async function send(path: string): Promise<readonly [status: number, forwarded: boolean]> {
  const before = site.requests.length;
  const response = await gateway.request(`/wp-json${path}`);
  await response.text();
  return [response.status, site.requests.length > before];
}

test.each(['observe', 'enforce', 'strict'] as const)(
  'a route that the document does not declare is forwarded under %s, because an index may hide routes',
  async (mode) => {
    await start(mode, {});
    for (let count = 0; count < 3; count++) expect(await send('/wp/v2/nothing')).toEqual([404, true]);
  },
);

describe('a rule that a plugin does not apply', () => {
  test.each([
    ['an integer with a silent intval', '/plugin/v1/things?board=abc'],
    ['a list of ids with wp_parse_id_list', '/plugin/v1/things?include=1,abc'],
  ])('rejects no request under enforce, and does under strict: %s', async (_, path) => {
    await start('enforce');
    for (let count = 0; count < 3; count++) expect(await send(path)).toEqual([200, true]);
    await start('strict');
    expect(await send(path)).toEqual([400, false]);
  });
});

test('strict does not refuse lists that WooCommerce parses without a check, and says what others are known by', async () => {
  const args = { include: { type: 'array', items: { type: 'integer' } }, page: { type: 'integer' } };
  const route = { namespace: 'wc/v3', methods: ['GET'], endpoints: [{ methods: ['GET'], args }] };
  const index = { name: 'A shop', namespaces: ['wc/v3'], routes: { '/wc/v3/coupons': route } };
  await start('strict', { index, respond: () => ({ body: [] }) });
  expect(await send('/wc/v3/coupons?include=a')).toEqual([200, true]);
  const basisOf = async (path: string) =>
    (await (await gateway.request(`/wp-json${path}`)).json()).data.basis;
  expect(await basisOf('/wc/v3/coupons?page=a')).toBe('documented');
  await start('strict');
  expect(await basisOf('/wp/v2/posts?per_page=a')).toBe('known');
});

describe('a rule that the site has confirmed', () => {
  test('rejects requests from then on', async () => {
    await start('enforce');
    expect(await send('/plugin/v1/things?per_page=0')).toEqual([400, true]);
    expect(await send('/plugin/v1/things?per_page=0')).toEqual([400, false]);
    expect((await readReport(gateway, 'default')).rules).toMatchObject([
      { param: 'per_page', rule: 'rest_out_of_bounds', agreed: 1, status: 'confirmed' },
    ]);
  });

  test('counts for every argument of the namespace with the same name and definition, and for no other', async () => {
    await start('enforce');
    await send('/plugin/v1/things?per_page=0');
    expect(await send('/plugin/v1/others?per_page=101')).toEqual([400, false]);
    // Another rule, another name, another definition and another namespace.
    expect(await send('/plugin/v1/others?per_page=x')).toEqual([400, true]);
    expect(await send('/plugin/v1/others?limit=0')).toEqual([400, true]);
    expect(await send('/plugin/v1/wide?per_page=0')).toEqual([400, true]);
    expect(await send('/else/v1/things?per_page=0')).toEqual([400, true]);
  });

  test('is suspended for all of them by one contradiction, which a sample of the refusals finds', async () => {
    let isLenient = false;
    await start('enforce', {
      respond: (request) =>
        isLenient && request.route === '/plugin/v1/others' ? { body: [] } : respondAsPlugin(request),
    });
    await send('/plugin/v1/things?per_page=0');
    isLenient = true;
    const forwarded: boolean[] = [];
    for (let count = 0; count < SAMPLED_REFUSALS; count++)
      forwarded.push((await send('/plugin/v1/others?per_page=0'))[1]);
    expect(forwarded.indexOf(true)).toBe(SAMPLED_REFUSALS - 1);
    expect(await send('/plugin/v1/others?per_page=0')).toEqual([200, true]);
    expect(await send('/plugin/v1/things?per_page=0')).toEqual([400, true]);
    expect(await send('/plugin/v1/things?per_page=0')).toEqual([400, true]);
  });

  test('is not one that the site refuses by a check of its own', async () => {
    await start('enforce', {
      respond: () => createInvalidParamResponse({ board: 'custom_code' }),
    });
    expect(await send('/plugin/v1/things?board=abc')).toEqual([400, true]);
    expect(await send('/plugin/v1/things?board=abc')).toEqual([400, true]);
    expect((await readReport(gateway, 'default')).rules).toEqual([]);
  });

  test('rejects a request that also violates an unknown rule, of which the response says nothing', async () => {
    await start('enforce');
    await send('/plugin/v1/others?limit=0');
    expect(await send('/plugin/v1/others?limit=0&board=abc')).toEqual([400, false]);
    expect(await send('/plugin/v1/others?board=abc')).toEqual([200, true]);
  });
});

describe('a rule of WordPress itself', () => {
  test('rejects requests without evidence', async () => {
    await start('enforce', {});
    expect(await send('/plugin/v1/posts?per_page=0')).toEqual([404, true]);
    expect(await send('/wp/v2/posts?per_page=0')).toEqual([400, false]);
    expect(await send('/wp/v2/posts?include=abc')).toEqual([400, false]);
  });

  test('is not one of an argument that a plugin has added or changed, or of a content type of a plugin', async () => {
    await start('enforce', {});
    expect(await send('/wp/v2/posts?board=abc')).toEqual([404, true]);
    expect(await send('/wp/v2/pages?per_page=0')).toEqual([404, true]);
    expect(await send('/wp/v2/products?per_page=0')).toEqual([404, true]);
  });
});
