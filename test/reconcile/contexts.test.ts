import { describe, expect, test } from 'vitest';
import { readIndex } from '../../src/discovery/read-index.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { applyOverlay, type OpenApiDocument, toOpenApi } from '../../src/openapi/index.ts';
import { createOverlayActions } from '../../src/reconcile/create-overlay.ts';
import { readShopIndex } from '../support/recorded-indexes.ts';
import { createSamples, type SampleRow } from '../support/route-sample.ts';
import { createDiscoveredSite, PRETTY_ADDRESS } from '../support/site.ts';

/** The components of a document after it is completed by responses. */
function learn(document: OpenApiDocument, rows: readonly SampleRow[]) {
  const { actions, after } = createOverlayActions(document, createSamples(document, rows));
  expect(after.operations.flatMap(({ findings }) => findings)).toEqual([]);
  const learnt = applyOverlay(document, { overlay: '1.1.0', actions }).document;
  expect(createOverlayActions(learnt, createSamples(learnt, rows)).actions).toEqual([]);
  return learnt;
}

const copy = (document: OpenApiDocument): OpenApiDocument => JSON.parse(JSON.stringify(document));
const ARGS = { context: { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' } };
const ROUTE = '/notes/v1/notes';
const NOTE = { id: 1, title: 'x', content: { raw: 'x' }, tags: ['a'], price: 1 };

describe('what one context sends', () => {
  test('is not said of templates in the others: embed has no content (C3)', () => {
    const index = readShopIndex((namespace) => namespace === 'wp/v2');
    const document = copy(toOpenApi({ address: PRETTY_ADDRESS, ...readIndex(index) }).document);
    const { raw, ...template } = {
      ...{ id: 't//i', slug: 'i', theme: 't', type: 'wp_template', source: 'theme', origin: null },
      ...{ title: { raw: 'x', rendered: 'x' }, description: '', status: 'publish', wp_id: 0, raw: 'x' },
      ...{ has_theme_file: true, author: 0, author_text: 'x', original_source: 'theme', is_custom: false },
      _links: Object.fromEntries(['self', 'collection', 'about'].map((name) => [name, [{ href: 'x' }]])),
    };
    const rows = [
      [null, { ...template, modified: null, content: { raw } }],
      ['edit', { ...template, modified: null, content: { raw, block_version: 1 } }],
      ['embed', { ...template, content: [] }],
    ] as const;
    const route = '/wp/v2/templates';
    const after = learn(
      document,
      rows.map(([context, item]) => ({ route, context, content: [item, item, item] })),
    );
    const contentOf = (name: string) =>
      Object(after['components']).schemas[`Template${name}`].properties.content;
    expect(contentOf('')).toMatchObject({ type: 'object', required: ['raw'] });
    expect(contentOf('Edit')).toMatchObject({ type: 'object', required: ['raw', 'block_version'] });
    expect(contentOf('Embed')).toMatchObject({ anyOf: [{ type: 'object' }, { type: 'array', maxItems: 0 }] });
  });

  /** Contexts whose schemas are equal share a component. */
  const shown = ['view', 'embed'];
  const schema: JsonObject = {
    title: 'note',
    type: 'object',
    properties: {
      id: { type: 'integer', context: [...shown, 'edit'] },
      title: { type: 'string', context: [...shown, 'edit'] },
      content: { type: 'object', properties: { raw: { type: 'string' } }, context: [...shown, 'edit'] },
      tags: { type: 'array', items: { type: 'string' }, context: [...shown, 'edit'] },
      price: { type: 'number', context: [...shown, 'edit'] },
      secret: { type: 'string', context: ['edit'] },
    },
  };

  test.each<[string, JsonObject, Json]>([
    ['an empty list for an object', { content: [] }, { type: ['object', 'array'] }],
    ['null', { title: null }, { type: ['string', 'null'] }],
    ['a text for a number', { price: '1.50' }, { type: ['number', 'string'] }],
    ['false for a list', { tags: false }, { type: ['array', 'boolean'] }],
    ['an object for a text', { title: { rendered: 'x' } }, { type: ['string', 'object'] }],
  ])('is not said of a context that shares its component: %s', (_, change, expected) => {
    const document = copy(
      toOpenApi(createDiscoveredSite({ [ROUTE]: { GET: ARGS } }, { schemas: { [ROUTE]: schema } })).document,
    );
    const item = { ...NOTE, ...change };
    const after = learn(document, [
      { route: ROUTE, content: [NOTE, NOTE, NOTE] },
      { route: ROUTE, context: 'edit', content: [{ ...NOTE, secret: 'x' }] },
      { route: ROUTE, context: 'embed', content: [item, item, item] },
    ]);
    const contexts = Object(after.paths[ROUTE]).get['x-waygate-contexts'];
    const [[name = ''] = []] = [Object.keys(change)];
    const propertyIn = (context: string) =>
      Object(after['components']).schemas[contexts[context].$ref.split('/').at(-1)].properties[name];
    expect(propertyIn('embed').type).toEqual(Object(expected).type);
    expect(propertyIn('view').type).toBe(Object(expected).type[0]);
    expect(propertyIn('edit').type).toBe(Object(expected).type[0]);
  });
});
