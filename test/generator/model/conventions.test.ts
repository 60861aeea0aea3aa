import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt, toJsonObject } from '../../../src/base/json.ts';
import { readIndex } from '../../../src/generator/discovery/read-index.ts';
import { applyResourceConvention } from '../../../src/generator/model/conventions/apply-convention.ts';
import PLUGINS from '../../../src/generator/model/conventions/plugin-conventions.json' with { type: 'json' };
import STATED from '../../../src/generator/model/conventions/resource-conventions.json' with { type: 'json' };
import {
  findResourceConvention,
  includesName,
  listNames,
} from '../../../src/generator/model/conventions/resource-conventions.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { FINDING_SEVERITIES } from '../../../src/generator/validation/response/schema.ts';
import { readRecorded, readShopIndex } from '../../support/recorded-indexes.ts';
import { generateFor, generateFrom, PRETTY_ADDRESS } from '../../support/site.ts';
import { collectJsonFindings } from '../validation/response/validate-json.ts';

describe('the table of conventions', () => {
  test('knows every resource of WordPress 7.1 except those that its source does not explain', () => {
    const { index } = readIndex(readRecorded('wordpress-7.1-index-help.json'));
    const unknown = index.routes.flatMap(({ schema }) =>
      schema !== undefined && findResourceConvention(schema, 'wp/v2') === undefined
        ? [String(schema['title'])]
        : [],
    );
    expect([...new Set(unknown)]).toEqual(['ability-execution', 'icon', 'icon-collection', 'view-config']);
  });
});

const RECORDED = ['wordpress-7.1-index-help.json', 'simple-history-index.json'];

test('each convention has its resource in a recorded index', () => {
  const seen = [...RECORDED.map(readRecorded), readShopIndex()].flatMap((index) =>
    readIndex(index).index.routes.flatMap(({ namespace, schema }) =>
      schema === undefined ? [] : [findResourceConvention(schema, namespace)],
    ),
  );
  const isSeen = ({ kind, titles }: { kind: string; titles?: string }): boolean =>
    seen.some((found) => found?.kind === kind && found.titles === titles);
  const rows: readonly { kind: string; titles?: string }[] = [...PLUGINS.conventions, ...STATED];
  expect(rows.filter((row) => !isSeen(row))).toEqual([]);
});

describe('members that a plugin registers without a schema', () => {
  const membersOf = (
    namespaces: readonly string[],
    included: object = {},
    taken: readonly string[] = [],
    component = 'Post',
  ): JsonObject => {
    const { index } = readIndex(readRecorded('wordpress-7.1-index-help.json'));
    const posts = index.routes.filter(({ pattern }) => pattern === '/wp/v2/posts');
    const args = [
      ...taken.map((name) => ({ name, declaration: { type: 'string' } })),
      ...Object.entries(included).map(([name, declaration]) => ({ name, declaration })),
    ];
    const routes = posts.map(({ endpoints, schema, ...route }) => ({
      ...route,
      endpoints: endpoints.map((endpoint) => ({ ...endpoint, args: [...endpoint.args, ...args] })),
      schema: { ...schema, properties: { ...Object(schema?.['properties']), ...included } },
    }));
    const site = {
      address: PRETTY_ADDRESS,
      index: { ...index, routes, namespaces: [...index.namespaces, ...namespaces] },
      diagnostics: [],
    };
    const { document } = toOpenApi(site);
    return toJsonObject(memberAt(document, 'components', 'schemas', component));
  };

  test.each(PLUGINS.members)('of $namespace are in its kinds', ({ argument, namespace, properties }) => {
    const { properties: described } = membersOf([namespace], {}, argument === undefined ? [] : [argument]);
    expect(Object.keys(toJsonObject(described))).toEqual(expect.arrayContaining(Object.keys(properties)));
    const without = toJsonObject(membersOf([])['properties']);
    expect(Object.keys(properties).filter((name) => Object.hasOwn(without, name))).toEqual([]);
  });

  test('are described if the site has the plugin', () => {
    const { properties, required } = membersOf(['yoast/v1', 'pll/v1'], {}, ['lang']);
    expect(properties).toMatchObject({
      yoast_head: { type: ['string', 'null'] },
      yoast_head_json: { properties: { title: { type: 'string' } } },
      lang: { type: ['string', 'boolean'] },
    });
    expect(required).not.toContain('lang');
    expect(toJsonObject(membersOf([])['properties'])).not.toHaveProperty('yoast_head');
    // Polylang's free edition has the namespace, too, but adds nothing to posts.
    expect(toJsonObject(membersOf(['pll/v1'])['properties'])).not.toHaveProperty('lang');
  });

  test('of Advanced Custom Fields can be empty as that plugin sends them, and objects of any plugin an empty list', () => {
    const year = { type: ['number', 'null'] };
    const others = {
      rating: { type: 'number' },
      cover: { type: ['string', 'null'], enum: ['hard', 'soft'] },
    };
    const tags = { type: ['array', 'null'], items: { type: 'integer' } };
    const acf = {
      description: 'ACF field data',
      type: 'object',
      properties: { year, ...others, tags: { ...tags, minItems: 1 } },
    };
    const none = { type: 'array', items: {}, maxItems: 0 };
    const { properties } = membersOf([], { acf, extra: { type: ['object', 'null'] } });
    const described = {
      year: { anyOf: [year, { type: 'string', enum: [''] }] },
      ...others,
      cover: { ...others.cover, enum: ['hard', 'soft', '', null] },
      tags,
    };
    expect(memberAt(properties, 'acf')).toEqual({
      description: 'ACF field data',
      anyOf: [{ type: 'object', properties: described }, none],
    });
    expect(memberAt(properties, 'extra')).toEqual({ anyOf: [{ type: ['object', 'null'] }, none] });
  });

  test('of a select field of Advanced Custom Fields take its choices, alone or in a list', () => {
    const items = { type: ['string', 'int'], enum: ['hard', 'soft'] };
    const cover = { type: ['string', 'array', 'int', 'null'], items, minItems: 1 };
    const acf = { description: 'ACF field data', type: 'object', properties: { cover } };
    const coverOf = (members: JsonObject) =>
      JSON.stringify(members).match(/"cover":\{"anyOf":\[\{"type":\[[^\]]*\],"enum":(\[[^\]]*\])/)?.[1];
    expect(coverOf(membersOf([], { acf }))).toBe('["hard","soft",null,""]');
    expect(coverOf(membersOf([], { acf }, [], 'CreatePostBody'))).toBe('["hard","soft",null]');
  });

  test('keep the schema of a site that states one', () => {
    const { properties } = membersOf(['pll/v1'], { lang: { type: 'string' } });
    expect(memberAt(properties, 'lang')).toEqual({ type: 'string' });
  });
});

const TERM: JsonObject = {
  title: 'genre',
  properties: Object.fromEntries(
    ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy'].map((name) => [name, {}]),
  ),
};

describe('a resource', () => {
  test('of any title and namespace is known by its properties', () => {
    expect(findResourceConvention(TERM, 'wp/v2')?.kind).toBe('term');
  });

  test.each([
    ['lacks a property', { id: {}, name: {}, slug: {} }],
    ['has none', undefined],
    ['has only inherited ones', Object.create(Object(TERM['properties']))],
  ])('whose schema %s is unknown', (_, properties) => {
    expect(findResourceConvention({ title: 'genre', properties }, '')).toBeUndefined();
  });

  test('of a plugin whose title a resource of WordPress has is unknown', () => {
    expect(findResourceConvention({ title: 'status', properties: { id: {}, name: {} } }, '')).toBeUndefined();
  });
});

const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** Properties as sites state them, and values that they sent: WooCommerce 5.5.2 and 10.5.2, BuddyPress 15, WordPress 6.9.1. */
describe('a value that a site sends against its schema is valid', () => {
  test.each<[string, string, string, JsonObject, Json]>([
    ['wc/v3', 'shop_order', 'version', integer, '5.5.2'],
    ['wc/v3', 'shop_order', 'tax_lines', list(object({ rate_id: text })), [{ rate_id: 1 }]],
    [
      'wc/v3',
      'sales_report',
      'totals',
      list({ type: 'array' }),
      {
        '2026-11-22': {
          sales: '0.00',
          orders: 0,
          items: 0,
          tax: '0.00',
          shipping: '0.00',
          discount: '0.00',
          customers: 0,
        },
      },
    ],
    ['wc-admin', 'onboarding_profile', 'industry', list(text), null],
    [
      'wc-analytics',
      'report_products_stats',
      'totals',
      object({ items_sold: integer, segments: {} }),
      { items_sold: 1 },
    ],
    [
      'wc-analytics',
      'report_products_stats',
      'totals',
      object({ segments: list(object({ segment_id: integer, segment_label: { ...text, enum: ['day'] } })) }),
      { segments: [{ segment_id: 'new', segment_label: 'Album' }] },
    ],
    ['wc/store/v1', 'product_review', 'product_image', object({ id: integer }), null],
    ['wc/store', 'product_review', 'product_image', object({ id: integer }), []],
    ['wc/v3', 'system_status', 'inactive_plugins', list(text), [{ plugin: 'a/a.php', name: 'A' }]],
    ['wp/v2', 'wp_template', 'modified', text, false],
    ['buddypress/v2', 'bp_members', 'friendship_status_slug', { ...text, enum: ['is_friend'] }, false],
    ['buddypress/v2', 'bp_xprofile_data', 'last_updated_gmt', { type: ['string', 'null'] }, false],
  ])('%s: `%s` with %s', (namespace, title, name, property, value) => {
    const known = STATED.find(({ titles }) => includesName(titles, title));
    const others = listNames(known?.signature).map((each): [string, Json] => [each, {}]);
    const schema = { title, type: 'object', properties: { ...Object.fromEntries(others), [name]: property } };
    const convention = findResourceConvention(schema, namespace);
    if (convention === undefined) throw new Error(`no convention for ${title}`);
    const sent = { ...Object.fromEntries(others.map(([each]) => [each, 'x'])), [name]: value };
    const findings = collectJsonFindings(applyResourceConvention(schema, convention), sent);
    const ofMember = findings.filter(({ pointer }) => pointer.startsWith(`/${name}`));
    expect(ofMember.filter(({ kind }) => FINDING_SEVERITIES[kind] === 'wrong')).toEqual([]);
  });
});

test('an order has members that its schema does not name', () => {
  const properties = { id: integer, fee_lines: list(object({ name: text })) };
  const schema = { title: 'shop_order', type: 'object', properties };
  const convention = findResourceConvention(schema, 'wc/v3');
  if (convention === undefined) throw new Error('no convention for orders');
  const sent = { id: 1, currency_symbol: '€', fee_lines: [{ name: 'Express', amount: '5.00' }] };
  const applied = applyResourceConvention(schema, convention);
  expect(collectJsonFindings(applied, sent)).toEqual([]);
  expect(collectJsonFindings(applied, { ...sent, currency_symbol: 1 })).toHaveLength(1);
  expect(collectJsonFindings(applied, { id: 1, fee_lines: [{ name: 'Express' }] })).toEqual([]);
});

describe('a convention', () => {
  const convention = {
    kind: 'a',
    source: 'a()',
    signature: 'id',
    always: 'id title meta status',
    members: { title: 'raw rendered', meta: '*' },
    corrections: { date: { type: ['string', 'null'], format: null } },
    furtherValues: { status: 'trash' },
  } as const;
  const apply = (properties: JsonObject, required: readonly string[] = []): JsonObject =>
    applyResourceConvention({ type: 'object', properties, required }, convention);

  const refused = { 'x-waygate-default': '' };
  test.each<[text: string, field: JsonObject, isNull: boolean]>([
    ['enum', { type: 'string', enum: ['a', 'b'] }, true],
    ['enum with a default', { type: 'string', enum: ['a', 'b'], default: 'a' }, false],
    ['type', { type: 'string', default: '' }, false],
    ['date', { type: 'string', 'x-waygate-format': 'date-time', ...refused }, true],
    ['color', { type: 'string', format: 'hex-color', default: '' }, true],
    ['URL, which WordPress does not check', { type: 'string', 'x-waygate-format': 'uri', ...refused }, false],
    ['pattern', { type: 'string', pattern: '^\\d+$', ...refused }, true],
    ['length', { type: 'string', minLength: 1 }, true],
    ['minimum', { type: 'integer', minimum: 1 }, true],
    ['minimum that 0 has', { type: 'integer', minimum: 0 }, false],
    ['number of items', { type: 'array', items: {}, minItems: 1 }, true],
    ['required member', { ...object({ a: text }), required: ['a'] }, true],
    ['flag', { type: 'boolean' }, false],
  ])('says whether a meta field is null that was never saved: %s', (_, field, isNull) => {
    const applied = Object(apply({ meta: object({ field }) })['properties']).meta.properties.field;
    expect(collectJsonFindings(applied, null)).toHaveLength(isNull ? 0 : 1);
  });

  test('says that a setting of a plugin is null until it is saved, unless it has a default', () => {
    const index = readRecorded('wordpress-7.1-index-help.json');
    const settings = {
      acme_text: { type: 'string', default: null },
      acme_flag: { type: 'boolean', default: null },
      acme_count: { type: 'integer', default: 3 },
      acme_map: { type: 'object', properties: { a: { type: 'string' } }, default: null },
    };
    const route = Object(index['routes'])['/wp/v2/settings'];
    const schema = { ...route.schema, properties: { ...route.schema.properties, ...settings } };
    const routes = { '/wp/v2/settings': { ...route, schema } };
    const { document } = generateFrom({ ...index, routes });
    const { properties } = Object(document.components?.schemas)['Settings'];
    const nullable = Object.keys(properties).filter((name) =>
      Object(properties[name]).type?.includes('null'),
    );
    expect(nullable).toEqual(['site_logo', 'acme_text', 'acme_flag', 'acme_map']);
  });

  test('leaves names of JavaScript objects alone', () => {
    const properties: JsonObject = JSON.parse(
      '{"__proto__":{"type":"object"},"constructor":{"type":"string"}}',
    );
    expect(Object.keys(Object(apply(properties)['properties']))).toEqual(['__proto__', 'constructor']);
  });
});

describe('a format that values do not have', () => {
  test('is removed at any depth; the word of the site stays', () => {
    const properties = {
      date: { description: 'The date.', type: 'string', format: 'date-time' },
      list: { type: 'array', items: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] } },
      code: { type: 'string', format: 'uuid' },
    };
    const schemas = { '/x/v1/films': { title: 'film', type: 'object', properties } };
    const { document } = generateFor({ '/x/v1/films': 'GET' }, { schemas });
    expect(memberAt(document, 'components', 'schemas', 'XFilm', 'properties')).toMatchObject({
      date: {
        description: 'The date. Written without an offset: `2026-01-01T10:00:00`.',
        type: 'string',
        'x-waygate-format': 'date-time',
      },
      list: {
        type: 'array',
        items: { anyOf: [{ type: 'string', 'x-waygate-format': 'uri' }, { type: 'null' }] },
      },
      code: { type: 'string', format: 'uuid' },
    });
  });
});

describe('the error codes of a plugin', () => {
  const list = (method: string, route: string): Json | undefined => {
    const [operation] = listOperations(generateFor({ [route]: method }).document);
    return operation?.shared['x-waygate-error-codes'];
  };

  test.each<[string, string, readonly string[]]>([
    ['POST', '/wc/v3/orders', ['woocommerce_rest_cannot_create', 'woocommerce_rest_invalid_coupon']],
    ['GET', '/wc/v2/orders/(?P<id>[\\d]+)', ['woocommerce_rest_shop_order_invalid_id']],
    ['DELETE', '/wc/v3/customers/(?P<id>[\\d]+)', ['woocommerce_rest_trash_not_supported']],
    [
      'POST',
      '/wc/store/v1/cart/add-item',
      ['woocommerce_rest_missing_nonce', 'woocommerce_rest_product_out_of_stock'],
    ],
    ['POST', '/wc/store/checkout', ['woocommerce_rest_cart_empty']],
  ])('of %s %s are those of its controller', (method, route, codes) => {
    expect(list(method, route)).toEqual(expect.arrayContaining([...codes]));
  });

  test('are none for a route of another plugin with the same words', () => {
    expect(list('POST', '/other/v1/orders')).toEqual(['rest_invalid_json']);
    expect(list('GET', '/wc/v3/orders')).not.toContain('woocommerce_rest_invalid_coupon');
  });
});
