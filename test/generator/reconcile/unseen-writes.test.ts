import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import {
  applyOverlay,
  type OpenApiDocument,
  readServedApi,
  toOpenApi,
} from '../../../src/generator/openapi/index.ts';
import { createOverlayActions } from '../../../src/generator/reconcile/create-overlay.ts';
import { createSamples, type SampleRow } from '../../support/route-sample.ts';
import { createDiscoveredSite, type StubEndpoints } from '../../support/site.ts';

const LIST = '/shop/v1/books';
const ITEM = '/shop/v1/books/(?P<id>[\\d]+)';

function createDocument(routes: { readonly [pattern: string]: StubEndpoints }): OpenApiDocument {
  const member = (type: string): JsonObject => ({ type, context: ['view', 'edit'] });
  const schema = {
    title: 'book',
    type: 'object',
    properties: {
      ...{ id: member('integer'), title: member('string'), price: member('number'), year: member('integer') },
      chapters: { ...member('array'), items: { type: 'string' } },
      notes: { type: 'string', context: ['edit'] },
    },
  };
  const schemas = Object.fromEntries(Object.keys(routes).map((pattern) => [pattern, schema]));
  return JSON.parse(JSON.stringify(toOpenApi(createDiscoveredSite(routes, { schemas })).document));
}

const SHORT = { id: 1, title: 'x', price: 1.5, year: 2026 };
const FULL = { ...SHORT, chapters: ['One'] };

/** Three responses of an operation. */
function seen(method: string, route: string, content: Json): readonly SampleRow[] {
  const one = { method, route, content };
  return [one, one, one];
}

function complete(document: OpenApiDocument, seen: readonly (readonly SampleRow[])[]): OpenApiDocument {
  const rows = seen.flat();
  const { actions } = createOverlayActions(document, createSamples(document, rows));
  const applied = applyOverlay(document, { overlay: '1.1.0', actions });
  expect(applied.diagnostics).toEqual([]);
  const again = createOverlayActions(applied.document, createSamples(applied.document, rows));
  expect(again.actions).toEqual([]);
  return applied.document;
}

function responseOf(document: OpenApiDocument, method: string, route: string): Json | undefined {
  const operation = runSteps(readServedApi(document))
    .routes.find(({ pattern }) => pattern === route)
    ?.operations.get(method);
  return operation?.responseSchema;
}

const refer = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

test('a member that items of lists lack is optional in the component of the resource', () => {
  const document = createDocument({ [LIST]: { GET: {} }, [ITEM]: { GET: {} } });
  const after = complete(document, [seen('GET', LIST, [SHORT]), seen('GET', ITEM, FULL)]);
  expect(responseOf(after, 'GET', LIST)).toEqual({ type: 'array', items: refer('ShopBook') });
  expect(responseOf(after, 'GET', ITEM)).toEqual(refer('ShopBook'));
  const { properties, required } = Object(after['components']).schemas['ShopBook'];
  expect(Object.keys(properties)).toContain('chapters');
  expect(required).toEqual(expect.not.arrayContaining(['chapters']));
  expect(required).toContain('year');
});

describe('writes of which no response was seen', () => {
  const BOOK = { id: 1, title: 'x', price: 1.5, year: 2026 };
  const site = (routes: { readonly [pattern: string]: StubEndpoints }): OpenApiDocument =>
    JSON.parse(JSON.stringify(toOpenApi(createDiscoveredSite(routes)).document));
  const describedIn = (document: OpenApiDocument, path: string, method: string) =>
    Object(document.paths[path])[method].responses;

  test('return the item that was read, and say that this is inferred', () => {
    const document = site({
      [LIST]: { GET: {}, POST: { title: {} } },
      [ITEM]: { GET: {}, 'POST, PUT': { title: {} }, DELETE: {} },
    });
    const after = complete(document, [seen('GET', LIST, [BOOK, BOOK]), seen('GET', ITEM, BOOK)]);
    const item = refer('ShopBook');
    expect(responseOf(after, 'POST', LIST)).toEqual(item);
    expect(responseOf(after, 'PUT', ITEM)).toEqual(item);
    expect(responseOf(after, 'DELETE', ITEM)).toMatchObject({
      anyOf: [{ required: ['deleted', 'previous'] }, item],
    });
    const created = describedIn(after, LIST, 'post');
    expect(Object.keys(created)).toEqual(expect.arrayContaining(['200', '201']));
    expect(created['201'].description).toContain('Inferred by convention');
  });

  test('are not described if the path is an action, or nothing of an item was seen', () => {
    const document = site({
      [LIST]: { GET: {}, POST: { title: {} } },
      '/shop/v1/settings': { GET: {}, 'POST, PUT': { title: {} } },
      [`${ITEM}/archive`]: { PUT: { title: {} } },
      '/shop/v1/report': { GET: {}, POST: { title: {} } },
    });
    const after = complete(document, [
      seen('GET', '/shop/v1/report', { total: 1, days: 3 }),
      seen('GET', '/shop/v1/settings', { title: 'x', currency: 'EUR' }),
    ]);
    expect(responseOf(after, 'PUT', '/shop/v1/settings')).toEqual(
      responseOf(after, 'GET', '/shop/v1/settings'),
    );
    expect(responseOf(after, 'POST', LIST)).toBeUndefined();
    expect(responseOf(after, 'PUT', `${ITEM}/archive`)).toBeUndefined();
    expect(responseOf(after, 'POST', '/shop/v1/report')).toBeUndefined();
  });
});
