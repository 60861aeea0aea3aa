import { beforeAll, describe, expect, test } from 'vitest';
import { toClient } from '../../../src/client/index.ts';
import { readIndex } from '../../../src/discovery/read-index.ts';
import type { JsonObject } from '../../../src/json.ts';
import { toOpenApi } from '../../../src/openapi/index.ts';
import { toTypes } from '../../../src/types/index.ts';
import { readSeed } from '../../support/documents.ts';
import { readShopIndex, wholeShopDocument } from '../../support/recorded-indexes.ts';
import { shared } from '../../support/shared.ts';
import { PRETTY_ADDRESS } from '../../support/site.ts';
import { recordedDocument } from '../../types/documents.ts';

const documentOf = (index: JsonObject): JsonObject =>
  toOpenApi({ address: PRETTY_ADDRESS, ...readIndex(index) }).document;
const shopDocument = shared(() =>
  documentOf(readShopIndex((namespace) => !namespace.startsWith('buddypress'))),
);

/** Documents by site, with the versions that names may have: older ones of a namespace, and a namespace that has no other word. */
const SITES: readonly (readonly [string, () => JsonObject, readonly RegExp[]])[] = [
  ['WordPress 7.1', recordedDocument, []],
  ['the content site', () => readSeed('content'), [/V1/]],
  ['the board site', () => readSeed('boards'), []],
  ['a shop', shopDocument, [/WcV[12]/]],
  ['a community', () => documentOf(readShopIndex((namespace) => !namespace.startsWith('wc'))), []],
];

describe.each(SITES)('the names of %s', (_, read, versions) => {
  const names: { [kind: string]: readonly string[] } = {};
  beforeAll(async () => {
    const document = read();
    const typesOf = (module: string): readonly string[] =>
      [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);
    names['components'] = Object.keys(Object(document['components']).schemas);
    names['operations'] = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(
      ([, id = '']) => id,
    );
    names['types'] = typesOf(await toTypes(document));
    names['types of the client'] = typesOf(await toClient(document));
  }, 60_000);

  test.each(['components', 'operations', 'types', 'types of the client'])(
    'no %s has a number or a hash',
    (kind) => {
      const withoutVersion = (name: string): string =>
        versions.reduce((text, version) => text.replace(version, ''), name);
      expect(names[kind]?.length).toBeGreaterThan(20);
      expect(names[kind]?.filter((name) => /\d|_[a-z\d]{7}/.test(withoutVersion(name)))).toEqual([]);
    },
  );
});

describe('the names of a shop with a community', () => {
  const all = wholeShopDocument();
  const components = (document: JsonObject): readonly string[] =>
    Object.keys(Object(document['components']).schemas);
  const idOf = (document: JsonObject, method: string, path: string): unknown =>
    Object(document['paths'])[path]?.[method]?.operationId;

  test('are the titles of their owners, and qualified except for WordPress and WooCommerce', () => {
    expect(components(all)).toEqual(
      expect.arrayContaining(
        'Product StoreProduct AnalyticsProduct WcV2Product PostTypeProduct Order StoreOrder StoreCart ProductTag TaxonomyProductTag BpActivity Post'.split(
          ' ',
        ),
      ),
    );
    expect(idOf(all, 'get', '/wc/v3/products')).toBe('listProducts');
    expect(idOf(all, 'get', '/wc/store/v1/products')).toBe('listStoreProducts');
    expect(idOf(all, 'get', '/wp/v2/product')).toBe('listPostTypeProduct');
    expect(idOf(all, 'post', '/wc/store/v1/cart/update-item')).toBe('storeCartUpdateItem');
    expect(idOf(all, 'get', '/buddypress/v2/members')).toBe('listBpMembers');
  });

  test('stay when the community leaves', () => {
    const shop = shopDocument();
    const before = new Set(components(all));
    expect(components(shop).filter((name) => !before.has(name))).toEqual([]);
    for (const [path, item] of Object.entries(Object(shop['paths']))) {
      for (const method of Object.keys(Object(item)))
        expect(idOf(all, method, path)).toBe(idOf(shop, method, path));
    }
  });
});
