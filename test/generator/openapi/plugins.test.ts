import { describe, expect, test } from 'vitest';
import { getForcedReference, isForceRequired } from '../../../src/base/document-extensions.ts';
import { jsonMembers, memberAt } from '../../../src/base/json.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { generateFrom } from '../../support/site.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads the document without checking its types
type AnyDocument = any;

const document: AnyDocument = generateFrom(
  readShopIndex((namespace) => /^(?:wc|buddypress)/.test(namespace)),
).document;
const { paths, schemas }: AnyDocument = { paths: document.paths, schemas: document.components.schemas };
const nameOf = (reference: string | undefined): string => reference?.split('/').pop() ?? '';
const resolve = (schema: AnyDocument): AnyDocument => (schema?.$ref ? schemas[nameOf(schema.$ref)] : schema);
const successOf = (path: string, method: string): AnyDocument =>
  (paths[path][method].responses['200'] ?? paths[path][method].responses['201']).content['application/json']
    .schema;
/** The response to `force=true`, and whether the site asks for it. */
const deletionOf = (path: string): readonly [string, boolean] => {
  const operation = paths[path].delete;
  return [nameOf(getForcedReference(operation)), isForceRequired(operation)];
};

describe('a deletion', () => {
  test.each([
    ['/wc/v3/orders/{id}', false],
    ['/wc/v3/products/attributes/{attribute_id}/terms/{id}', true],
    ['/wc/v3/shipping/zones/{zone_id}/methods/{instance_id}', true],
    // `force` is true unless the client says otherwise.
    ['/wc/v3/products/attributes/{id}', false],
  ])('of a shop returns the item itself: %s', (path, needsForce) => {
    const [item, isRequired] = deletionOf(path);
    expect(resolve(successOf(path, 'delete')).properties).not.toHaveProperty('previous');
    expect(nameOf(successOf(path, 'delete').$ref)).toBe(item);
    expect(isRequired).toBe(needsForce);
  });

  test.each([
    ['/wc/v3/products/reviews/{id}', 'deleted', false],
    ['/buddypress/v2/activity/{id}', 'deleted', false],
    ['/buddypress/v2/groups/{group_id}/members/{user_id}', 'removed', false],
  ])('of reviews and of a community is confirmed: %s', (path, flag, needsForce) => {
    const [confirmation, isRequired] = deletionOf(path);
    const stated = successOf(path, 'delete');
    const schema = confirmation === '' ? resolve(stated) : schemas[confirmation];
    expect(schema.required).toEqual([flag, 'previous']);
    expect(isRequired).toBe(needsForce);
  });
});

describe('an item of a shop', () => {
  const product = resolve(successOf('/wc/v3/products/{id}', 'get'));
  const order = resolve(successOf('/wc/v3/orders/{id}', 'put'));

  test('has what its controller writes', () => {
    expect(product.required).toEqual(
      expect.arrayContaining(['id', 'name', 'images', 'date_on_sale_from', '_links']),
    );
    expect(product.properties.images.items.required).toContain('src');
    expect(order.required).toEqual(expect.arrayContaining(['id', 'line_items', 'billing']));
    expect(order.properties.line_items.items.properties.taxes.items.required).toContain('total');
  });

  test('has its links, as one of a community has', () => {
    const activity = resolve(successOf('/buddypress/v2/activity/{id}', 'get'));
    const note = resolve(successOf('/wc-analytics/admin/notes/{id}', 'get'));
    for (const item of [activity, note]) expect(item.required).toContain('_links');
    expect(resolve(successOf('/buddypress/v2/messages/{id}', 'get')).properties).toHaveProperty('_links');
    expect(note.properties.date_reminder.type).toEqual(['string', 'null']);
  });

  test('is one of a list where the route of an item returns a list', () => {
    for (const path of ['/wc/v3/taxes/classes/{slug}', '/buddypress/v2/groups/me', '/wc/v3/data'])
      expect(successOf(path, 'get').type, path).toBe('array');
  });

  test('of another schema with the same title is not one', () => {
    const lowInStock = resolve(successOf('/wc-analytics/products/low-in-stock', 'get').items);
    expect(lowInStock.required ?? []).toEqual([]);
  });
});

test('each bulk route of a shop has the items of its collection, which the site validates itself', () => {
  const bulk = Object.keys(paths).filter((path) => /^\/wc(?:\/v\d|-analytics)\/.*\/batch$/.test(path));
  expect(bulk.length).toBeGreaterThan(45);
  for (const path of bulk) {
    const schema = resolve(paths[path].post.requestBody.content['application/json'].schema);
    const lists = jsonMembers(schema.properties).map(([name]) => name);
    expect(lists, path).toEqual(/\/settings\/\{/.test(path) ? ['update'] : ['create', 'update', 'delete']);
    for (const [list, taken] of jsonMembers(schema.properties))
      expect(memberAt(taken, 'x-waygate-type'), `${path} ${list}`).toBeNull();
    if (path === '/wc/v3/settings/batch') continue;
    expect(schema.properties.update.items.allOf[1].$ref, path).toMatch(/Body$/);
    expect(resolve(successOf(path, 'post')).properties.update.items.anyOf.length, path).toBeGreaterThan(1);
  }
});
