import { describe, expect, test } from 'vitest';
import { getErrorCodes, getForcedReference } from '../../../src/base/document-extensions.ts';
import { type JsonObject, jsonMembers } from '../../../src/base/json.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';
import { generateFor, generateFrom, type StubEndpoints } from '../../support/site.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads the document without checking its types
type AnyDocument = any;

const recorded = (file: string): AnyDocument => generateFrom(readRecorded(file)).document;

const wordpress = recorded('wordpress-7.1-index-help.json');
const withoutSchemas = recorded('wordpress-7.1-index.json');
const { schemas } = wordpress.components;

function documentOf(routes: { [pattern: string]: StubEndpoints }, stated: JsonObject = {}): AnyDocument {
  return generateFor(routes, { schemas: stated }).document;
}

function successSchema(document: AnyDocument, method: string, path: string): AnyDocument {
  const { responses } = document.paths[path][method];
  return (responses['200'] ?? responses['207'])?.content?.['application/json']?.schema;
}

const componentReference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

describe('a resource of WordPress', () => {
  test('has its embedded resources by relation, except as an embedded resource', () => {
    const error = componentReference('Error');
    expect(schemas.Post.properties._embedded).toEqual(componentReference('PostEmbedded'));
    expect(schemas.PostEmbed.properties).not.toHaveProperty('_embedded');
    expect(schemas.PostEmbedded.properties.author).toEqual({
      type: 'array',
      items: { anyOf: [componentReference('UserEmbed'), error] },
    });
    const terms = { anyOf: [componentReference('CategoryEmbed'), componentReference('TagEmbed')] };
    expect(schemas.PostEmbedded.properties['wp:term'].items).toEqual({
      anyOf: [{ type: 'array', items: terms }, error],
    });
    expect(schemas.PageEmbedded.properties.up.items.anyOf[0]).toEqual(componentReference('PageEmbed'));
  });
});

describe('the deletion of a resource', () => {
  const forcedOf = (path: string): string | undefined => getForcedReference(wordpress.paths[path].delete);

  test('that has a trash answers the resource, or the confirmation after `force`', () => {
    const deleted = componentReference('DeletedPost');
    const path = '/wp/v2/posts/{id}';
    expect(successSchema(wordpress, 'delete', path)).toEqual({
      anyOf: [deleted, componentReference('PostEdit')],
    });
    expect(forcedOf(path)).toBe('#/components/schemas/DeletedPost');
    expect(schemas.DeletedPost.required).toEqual(['deleted', 'previous']);
    expect(schemas.DeletedPost.properties.previous.required).not.toContain('_links');
  });

  test('of a plugin promises nothing', () => {
    const document = documentOf(
      { '/shop/v1/orders/(?P<id>\\d+)': { 'GET, DELETE': { force: { type: 'boolean' } } } },
      { '/shop/v1/orders/(?P<id>\\d+)': { title: 'order', properties: { id: { type: 'integer' } } } },
    );
    const operation = document.paths['/shop/v1/orders/{id}'].delete;
    expect(getForcedReference(operation)).toBeUndefined();
    expect(successSchema(document, 'delete', '/shop/v1/orders/{id}').anyOf).toHaveLength(2);
    expect(document.components.schemas.DeletedShopOrder).not.toHaveProperty('required');
    expect(document.components.schemas.ShopOrder).not.toHaveProperty('required');
    expect(document.components.schemas.ShopOrder.properties._links).toEqual(componentReference('Links'));
  });
});

describe('a response that no index describes', () => {
  test.each([
    ['get', '/', 'RootIndex'],
    ['get', '/wp/v2', 'NamespaceIndex'],
    ['get', '/oembed/1.0/embed', 'OEmbedOfPost'],
    ['post', '/batch/v1', 'BatchResult'],
    ['delete', '/wp/v2/users/{user_id}/application-passwords', 'DeletedApplicationPasswords'],
  ])('is known without schemas too: %s %s', (method, path, name) => {
    expect(successSchema(withoutSchemas, method, path)).toEqual(componentReference(name));
  });

  test('is unknown at a route of a plugin with the path of one of WordPress', () => {
    const paths = ['/shop/v1/search', '/shop/v1', '/oembed/1.0/embed', '/wp/v2/templates/lookup'];
    const document = documentOf(Object.fromEntries(paths.map((path) => [path, 'GET'])));
    for (const path of paths) {
      expect(successSchema(document, 'get', path)).toBeUndefined();
    }
    const batch = documentOf({ '/shop/v1/batch': { POST: { requests: { type: 'array' } } } });
    expect(successSchema(batch, 'post', '/shop/v1/batch')).toBeUndefined();
  });
});

describe('errors', () => {
  test('of an operation have codes by its parameters and its resource', () => {
    expect(getErrorCodes(wordpress.paths['/wp/v2/posts/{id}'].get)).toEqual([
      ...['rest_forbidden', 'rest_forbidden_context', 'rest_invalid_param', 'rest_post_incorrect_password'],
      'rest_post_invalid_id',
    ]);
    expect(getErrorCodes(wordpress.paths['/wp/v2/tags'].post)).toContain('rest_missing_callback_param');
    expect(getErrorCodes(wordpress.paths['/wp/v2/tags'].get)).not.toContain('rest_missing_callback_param');
    const all = jsonMembers(wordpress.paths).flatMap(([, item]) => jsonMembers(item).map(([, each]) => each));
    expect(all.flatMap((operation) => getErrorCodes(Object(operation)))).not.toContain('rest_no_route');
  });
});
