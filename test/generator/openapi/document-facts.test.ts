import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, jsonItems, memberAt, toJsonObject } from '../../../src/base/json.ts';
import { createSiteDocument } from '../../../src/generate.ts';
import { readRecordedSite } from '../../../src/generator/discovery/index.ts';
import { createBodyExample } from '../../../src/generator/example-values/document-examples.ts';
import { countOperations } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { createReference } from '../../../src/generator/reference/reference.ts';
import { createDiscoveredSite, generateFor } from '../../support/site.ts';
import { readRecordedIndex } from '../../support/stub-site.ts';

const { document, report } = createSiteDocument(readRecordedSite(readRecordedIndex('help')));
const at = (method: string, path: string, ...names: string[]): Json | undefined =>
  memberAt(document, 'paths', path, method.toLowerCase(), ...names);

const SHOP = createSiteDocument(
  createDiscoveredSite({
    '/wc/v3/orders': { GET: {}, POST: { status: { type: 'string' } } },
    '/wc/v3/orders/(?P<id>[\\d]+)': { GET: {}, 'POST, PUT, PATCH': { status: {} }, DELETE: { force: {} } },
    '/wc/v3/products/attributes': { GET: {}, POST: { name: { type: 'string' } } },
    '/wc/v3/products/(?P<id>[\\d]+)': { GET: {} },
    '/wc/v3/settings': 'GET',
    '/wc/store/v1/cart': 'GET',
    '/acme/v1/orders': { GET: {}, POST: {} },
  }),
).document;

describe('the security of an operation', () => {
  test.each([
    ['POST', '/wp/v2/posts', 'edit_posts'],
    ['DELETE', '/wp/v2/pages/{id}', 'delete_others_pages'],
    ['POST', '/wp/v2/media', 'upload_files'],
    ['GET', '/wp/v2/settings', 'manage_options'],
    ['PATCH', '/wp/v2/plugins/{plugin}', 'activate_plugins'],
  ])('%s %s needs a user, with the permission of WordPress', (method, path, permission) => {
    expect(at(method, path, 'security')).toEqual([{ applicationPassword: [] }, { cookie: [], nonce: [] }]);
    // Other readers show the description only.
    expect(at(method, path, 'description')).toContain(`(${permission})`);
  });

  test.each([
    ['POST', '/wc/v3/orders', 'publish_shop_orders'],
    ['GET', '/wc/v3/orders/{id}', 'read_private_shop_orders'],
    ['PUT', '/wc/v3/orders/{id}', 'edit_shop_orders'],
    ['DELETE', '/wc/v3/orders/{id}', 'delete_shop_orders'],
    ['GET', '/wc/v3/products/{id}', 'read_private_products'],
    ['POST', '/wc/v3/products/attributes', 'manage_product_terms'],
    ['GET', '/wc/v3/settings', 'manage_woocommerce'],
    ['GET', '/wc/store/v1/cart', undefined],
    ['POST', '/acme/v1/orders', undefined],
  ])('%s %s has the permission of WooCommerce: %s', (method, path, permission) => {
    const operation = toJsonObject(memberAt(SHOP, 'paths', path, method.toLowerCase()));
    const text = permission && `Needs a user with ${permission}.`;
    expect(memberAt(operation, 'x-waygate-access', 'description')).toBe(text);
    expect(operation['security'] === undefined).toBe(permission === undefined);
  });

  test.each([
    ['POST', '/wp/v2/comments', 'Needs a signed-in user. "author" needs an editor.'],
    ['PATCH', '/wp/v2/users/{id}', 'Needs an administrator (edit_users); for their own, a signed-in user.'],
    ['POST', '/wp/v2/users/me', 'Needs a signed-in user.'],
    [
      'PUT',
      '/wp/v2/posts/{id}',
      'Needs an editor (edit_others_posts); for their own, a contributor. "status=publish" needs',
    ],
    ['GET', '/wp/v2/posts', '"context=edit" needs a contributor. "status=draft" needs a contributor.'],
    ['DELETE', '/wp/v2/posts/{parent}/revisions/{id}', 'WordPress refuses it to every user.'],
  ])('%s %s says who may send it, and what: %s', (method, path, text) => {
    expect(at(method, path, 'x-waygate-access', 'description')).toContain(text);
  });

  test('no example has a field that the user whom the operation names may not send', () => {
    const fields = (path: string): readonly string[] => {
      const [operation] = listOperations(document).filter(
        (each) => each.method === 'POST' && each.path === path,
      );
      if (operation === undefined) throw new Error(path);
      return Object.keys(createBodyExample(operation.bodySchema, document, path, operation.shared));
    };
    expect(fields('/wp/v2/comments')).toContain('content');
    for (const name of ['author', 'author_ip', 'status'])
      expect(fields('/wp/v2/comments')).not.toContain(name);
    expect(fields('/wp/v2/comments/{id}')).not.toContain('status');
    expect(fields('/wp/v2/users/me')).not.toContain('roles');
    // A draft is what a contributor may send.
    expect(fields('/wp/v2/posts')).toContain('status');
  });

  test.each(['/wp/v2/posts', '/wp/v2/categories/{id}'])(
    'GET %s is the document’s: visitors can send it',
    (path) => {
      expect(at('GET', path, 'security')).toBeUndefined();
      expect(jsonItems(toJsonObject(document)['security'])[0]).toEqual({});
    },
  );
});

describe('the tags', () => {
  const { tags, 'x-tagGroups': groups } = toJsonObject(document);
  const named = jsonItems(tags).map((tag) => String(memberAt(tag, 'name')));

  test('are one for each resource, in groups by namespace', () => {
    expect(at('GET', '/wp/v2/posts/{id}', 'tags')).toEqual(['wp/v2/posts']);
    expect(at('GET', '/wp/v2/posts/{parent}/revisions', 'tags')).toEqual(['wp/v2/posts/revisions']);
    expect(jsonItems(tags)).toContainEqual({
      name: 'wp/v2/posts/revisions',
      description: 'Posts / Revisions of the namespace `wp/v2`.',
      'x-displayName': 'Posts / Revisions',
    });
    const grouped = jsonItems(groups).flatMap((group) => jsonItems(memberAt(group, 'tags')));
    expect(grouped).toEqual(named);
    expect(new Set(named).size).toBe(named.length);
    expect(jsonItems(groups).map((group) => memberAt(group, 'name'))).toContain('wp/v2');
  });

  test('of operations are all declared, and follow the pages of the reference', () => {
    const reference = createReference(document, 'A site');
    for (const { object } of listOperations(document)) expect(named).toContain(jsonItems(object['tags'])[0]);
    for (const { address, operations } of reference.pages)
      for (const { object } of operations) {
        const [tag] = jsonItems(object['tags']);
        expect(String(tag).replace(/^site/, '-').toLowerCase()).toBe(address.toLowerCase());
      }
  });
});

describe('PUT and PATCH', () => {
  test('are marked if they differ from POST in nothing', () => {
    const id = at('POST', '/wp/v2/posts/{id}', 'operationId');
    for (const method of ['PUT', 'PATCH'])
      expect(at(method, '/wp/v2/posts/{id}')).toMatchObject({ 'x-waygate-twin-of': id, 'x-internal': true });
    expect(at('POST', '/wp/v2/posts/{id}', 'x-internal')).toBeUndefined();
  });

  test('are marked by no method with other arguments', () => {
    const methods = { POST: { one: { type: 'string' } }, 'PUT, PATCH': { two: { type: 'string' } } };
    const site = createDiscoveredSite({ '/a/v1/x': methods });
    const item = toJsonObject(memberAt(createSiteDocument(site).document, 'paths', '/a/v1/x'));
    expect(memberAt(item['put'], 'x-internal')).toBeUndefined();
    expect(memberAt(item['patch'], 'x-waygate-twin-of')).toBe(memberAt(item['put'], 'operationId'));
  });

  test('are counted once by generate, the reference and the gateway', () => {
    const { operations } = report.counts;
    expect(operations).toBeLessThan(listOperations(document).length);
    expect(createReference(document, '').extent).toContain(`${operations} operations in `);
    expect(countOperations(document)).toBe(operations);
  });
});

test.each<[JsonObject, number]>([
  [{ title: 'a' }, 0],
  [{ title: 'a', description: 'An a.', $ref: 'https://example.com/docs#/a' }, 0],
  [{ title: 'a', type: 'object' }, 1],
  [{ title: 'a', properties: { id: { type: 'integer' } } }, 1],
])('a response with the schema %j counts %i times as typed by the site', (schema, count) => {
  const { report: counted } = generateFor({ '/a/v1/x': 'GET' }, { schemas: { '/a/v1/x': schema } });
  expect(counted.counts.typed.site).toBe(count);
});

describe('the links of a response', () => {
  test('lead from the ids of an item to the operations that return them', () => {
    const linkTo = (items: string, member: string): object => ({
      operationId: at('GET', `/wp/v2/${items}/{id}`, 'operationId'),
      parameters: { id: `$response.body#/${member}` },
    });
    const links = { author: linkTo('users', 'author'), featured_media: linkTo('media', 'featured_media') };
    expect(at('GET', '/wp/v2/posts/{id}', 'responses', '200', 'links')).toMatchObject(links);
    const parent = at('POST', '/wp/v2/pages', 'responses', '201', 'links', 'parent');
    expect(parent).toEqual(linkTo('pages', 'parent'));
  });

  test('are not those of a list, whose ids no expression reaches', () => {
    expect(at('GET', '/wp/v2/posts', 'responses', '200', 'links')).toBeUndefined();
  });
});

test.each([
  ['https://cdn.example.com/i.png', { url: 'https://cdn.example.com/i.png' }],
  ['', undefined],
  ['javascript:alert(1)', undefined],
  [`https://cdn.example.com/${'i'.repeat(3_000)}.png`, undefined],
])('the icon of the index is the logo of the document: %.40s', (icon, logo) => {
  const index = { ...Object(readRecordedIndex('help')), site_icon_url: icon };
  expect(memberAt(createSiteDocument(readRecordedSite(index)).document, 'info', 'x-logo')).toEqual(logo);
});
