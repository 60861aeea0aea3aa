import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt } from '../../../src/base/json.ts';
import { omitUndefined } from '../../../src/base/omit-undefined.ts';
import { applyOverlay, type OpenApiDocument } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import {
  createOverlayActions,
  type OverlayOutcome,
} from '../../../src/generator/reconcile/create-overlay.ts';
import type { RouteSample } from '../../../src/generator/reconcile/sample.ts';
import { createSamples } from '../../support/route-sample.ts';
import { generateFor, type StubEndpoints } from '../../support/site.ts';

const CONTEXT = { context: { type: 'string', enum: ['view', 'edit'], default: 'view' } };

function createDocument(
  routes: { readonly [pattern: string]: StubEndpoints },
  schemas: JsonObject = {},
): OpenApiDocument {
  return JSON.parse(JSON.stringify(generateFor(routes, { schemas }).document));
}

/** The schema of an item. */
const itemOf = (title: string, properties: JsonObject): JsonObject => ({ title, type: 'object', properties });

/** A collection and its item, as the site describes them. */
const createShop = (schema: JsonObject): OpenApiDocument =>
  createDocument({ [LIST]: 'GET', [ITEM]: 'GET' }, { [LIST]: schema, [ITEM]: schema });

type Rows = readonly (readonly [route: string, content: Json, context?: string])[];

/** Samples of GET operations. */
const samplesOf = (document: OpenApiDocument, rows: Rows): readonly RouteSample[] =>
  createSamples(
    document,
    rows.map(([route, content, context = null]) => ({ route, content, context })),
  );
const findingsOf = ({ operations }: OverlayOutcome['after']) =>
  operations.flatMap(({ findings }) => findings);

const getSchemas = ({ document }: OverlayOutcome) => Object(document['components'])['schemas'];

/** Creates the actions, and checks that they leave no finding and that a second run adds nothing. */
function complete(document: OpenApiDocument, rows: Rows): OverlayOutcome {
  const samples = samplesOf(document, rows);
  const outcome = createOverlayActions(document, samples);
  expect(findingsOf(outcome.after)).toEqual([]);
  expect(outcome.after.validated).toBe(samples.length);
  const applied = applyOverlay(document, { overlay: '1.1.0', actions: outcome.actions });
  expect(applied.diagnostics).toEqual([]);
  const again = createOverlayActions(applied.document, samplesOf(applied.document, rows));
  expect(again.actions).toEqual([]);
  return outcome;
}

const BOOKS = [1, 2, 3, 4].map((id) => {
  return { id, title: 'x', author: { id, name: 'y' }, price: id === 2 ? null : 1.5 };
});
const INTEGER = { type: 'integer' };
const LIST = '/shop/v1/books';
const ITEM = '/shop/v1/books/(?P<id>[\\d]+)';

describe('names of members that are data', () => {
  const PERSONS = ['jane', 'bob.smith', 'ann-lee', 'tom', 'zoe', 'max'];
  /** The votes of an item, of which each person has given one. */
  const votesOf = (at: number): JsonObject => ({ [PERSONS[at] ?? '']: at, [PERSONS[(at + 1) % 6] ?? '']: 1 });
  const ALL = [0, 1, 2, 3, 4, 5];
  test.each<[string, readonly JsonObject[], Json]>([
    ['of persons that differ', [{ jane: 1 }, { 'bob.smith': 2 }], { type: 'integer' }],
    ['of persons of whom some occur again', [0, 2, 4].map(votesOf), { type: 'integer' }],
    [
      'of persons with objects',
      ALL.map((at) => ({ [PERSONS[at] ?? '']: { score: 1, at: 'x' } })),
      { type: 'object', properties: { at: { type: 'string' }, score: { type: 'integer' } } },
    ],
    ['that are ids', [{ 'order-1042': 2, 'order-1043': 3, user_104: 4 }], { type: 'integer' }],
    ['that are codes of currencies, of one object', [{ EUR: 'Euro', USD: 'Dollar' }], { type: 'string' }],
  ])('%s become neither properties nor a part of the overlay', (_, all, additionalProperties) => {
    const rows = all.map((votes, id) => ({ id, title: `x${id}`, votes }));
    for (const schemas of [{}, { [LIST]: { type: 'object', properties: { votes: { type: 'object' } } } }]) {
      const document = createDocument({ [LIST]: 'GET' }, schemas);
      const outcome = complete(document, [[LIST, rows]]);
      const text = JSON.stringify(outcome.actions);
      for (const name of all.flatMap(Object.keys)) {
        expect(text).not.toContain(`"${name}"`);
        expect(text).not.toContain(`.${name}`);
      }
      expect(text).toContain(JSON.stringify(additionalProperties).slice(1, 18));
    }
  });

  test('that all objects have, or most, are properties', () => {
    const rows = ALL.map((id) => ({ id, size: { width: 1, height: 2, ...(id > 1 ? { depth: id } : {}) } }));
    const { actions } = complete(createDocument({ [LIST]: { GET: {} } }), [[LIST, rows]]);
    for (const name of ['width', 'height', 'depth']) expect(JSON.stringify(actions)).toContain(`"${name}"`);
  });
});

describe('the overlay of a site without schemas', () => {
  test('has one component for the items of a list and the item, with what each context sends', () => {
    const document = createDocument({ [LIST]: { GET: CONTEXT }, [ITEM]: { GET: CONTEXT } });
    const inEdit = BOOKS.map((book) => ({ ...book, notes: 'z', cost: 1 }));
    const outcome = complete(document, [
      [LIST, BOOKS],
      [LIST, inEdit, 'edit'],
      [ITEM, BOOKS[0] ?? null],
      [ITEM, inEdit[1] ?? null, 'edit'],
    ]);
    expect(getSchemas(outcome)['ShopBook'].required).toEqual(['author', 'id', 'price', 'title']);
    expect(getSchemas(outcome)['ShopBook'].properties.notes).toEqual({ type: 'string' });
  });

  test.each(['items', 'data', 'books'])('names the objects of lists in %s after the path', (member) => {
    const document = createDocument({ [LIST]: { GET: {} }, '/shop/v1/new/books': { GET: {} } });
    const outcome = complete(document, [
      [LIST, { [member]: BOOKS, total: 4 }],
      ['/shop/v1/new/books', { [member]: BOOKS, total: 4 }],
    ]);
    expect(Object.keys(getSchemas(outcome))).toContain('ShopBook');
  });

  test('refers to a component of the document that all samples match', () => {
    const names = ['id', 'pages', 'size', 'weight'];
    const book = itemOf('book', Object.fromEntries(names.map((name) => [name, { type: 'integer' }])));
    const best = '/shop/v1/best';
    const routes = { [LIST]: 'GET', [ITEM]: 'GET', [best]: 'GET' };
    const document = createDocument(routes, { [LIST]: book, [ITEM]: book });
    const books = [1, 2, 3].map((id) => ({ id, pages: 1, size: 2, weight: 3 }));
    const outcome = complete(document, [[LIST, books] as const, [best, { week: 3, books }] as const]);
    const shown = listOperations(outcome.document).find(({ path }) => path === best)?.responseSchema;
    const items = { $ref: '#/components/schemas/ShopBook' };
    expect(memberAt(shown, 'properties', 'books')).toEqual({ type: 'array', items });
  });

  test('describes a member that one operation sends of an item, whose component others have in common', () => {
    const edit = `${ITEM}/edit`;
    const document = createDocument({ [LIST]: 'GET', [ITEM]: 'GET', [edit]: 'GET' });
    const books = BOOKS.map((book) => ({ ...book, file: { a: 1, b: 2 } }));
    const edited = { ...books[0], file: { a: 1, b: 2, source: { id: 7 } } };
    const rows = [[LIST, books] as const, [ITEM, books[1] ?? null] as const, [edit, edited] as const];
    for (const ordered of [rows, rows.toReversed()]) {
      const outcome = complete(document, ordered);
      const { file } = getSchemas(outcome)['ShopBook'].properties;
      expect(file.required).toEqual(['a', 'b']);
      expect(file.properties.source).toMatchObject({ properties: { id: { type: 'integer' } } });
    }
  });

  test('is the same whatever order the responses come in', () => {
    const document = createDocument({ [LIST]: 'GET', [ITEM]: 'GET' });
    const rows = [[LIST, BOOKS], ...BOOKS.map((book) => [ITEM, book] as const)] as const;
    const [one, other] = [rows, [...rows].reverse()].map((each) =>
      JSON.stringify(complete(document, each).actions),
    );
    expect(one).toBe(other);
  });
});

describe('the overlay of a site whose schemas say too little', () => {
  const MANY = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n${index}`, { index }]));
  test.each([
    ['undeclared properties', [{ b: 1 }, { b: null }], { properties: { b: { type: ['integer', 'null'] } } }],
    ['a property name that is data', [{ 'Mrs. Smith': 1 }], { additionalProperties: {} }],
    ['many properties', [MANY], { additionalProperties: {} }],
  ])('allows %s, also where the schema forbids them', (_, rows, expected) => {
    for (const more of [{}, { additionalProperties: false }]) {
      const schema = { ...itemOf('book', { a: { type: 'string' } }), ...more };
      const document = createDocument({ [LIST]: 'GET' }, { [LIST]: schema });
      const outcome = complete(document, [[LIST, rows.map((row) => ({ a: 'x', ...row }))]]);
      expect(getSchemas(outcome)['ShopBook']).toMatchObject(expected);
    }
  });

  test('describes a member without a schema in contexts that nobody sampled', () => {
    const properties = {
      id: { ...INTEGER, context: ['view', 'edit'] },
      draft: { type: 'string', context: ['edit'] },
    };
    const document = createDocument({ [ITEM]: { GET: CONTEXT } }, { [ITEM]: itemOf('book', properties) });
    const schemas = getSchemas(complete(document, [[ITEM, { id: 1, minutes: '20' }]]));
    expect(schemas['ShopBook'].properties.minutes).toMatchObject({ type: 'string' });
    expect(schemas['ShopBookEdit'].properties).toMatchObject({ minutes: { type: 'string' }, draft: {} });
    expect(schemas['ShopBookEdit'].required ?? []).not.toContain('minutes');
  });

  test('completes objects without properties, lists without items, undeclared properties, and what is always there', () => {
    const properties = { id: INTEGER, author: { type: 'object' }, tags: { type: 'array' }, price: {} };
    const document = createShop(itemOf('book', properties));
    const outcome = complete(document, [[LIST, BOOKS.map((book) => ({ ...book, tags: ['a'] }))]]);
    const author = { properties: { id: INTEGER, name: { type: 'string' } }, required: ['id', 'name'] };
    expect(getSchemas(outcome)['ShopBook']).toMatchObject({
      properties: {
        author: { anyOf: [author] },
        tags: { items: { type: 'string' } },
        price: { type: ['number', 'null'] },
        title: { type: 'string' },
      },
      required: expect.arrayContaining(['id', 'author', 'tags', 'price', 'title']),
    });
  });
});

describe('an object whose names the site leaves open', () => {
  const setting = itemOf('setting', { id: { type: 'string' }, options: { type: 'object' } });
  const both = { properties: { a: { type: 'integer' }, b: { type: 'string' } } };
  test.each<[string, readonly JsonObject[], JsonObject]>([
    ['one object with texts', [{ yes: 'Yes', no: 'No' }], { additionalProperties: { type: 'string' } }],
    ['two with numbers', [{ a: 1 }, { a: 2 }], { additionalProperties: { type: 'integer' } }],
    ['one with values of several types', [{ a: 1, b: 'x' }], { ...both, additionalProperties: {} }],
    ['enough with the same names', [0, 1, 2].map((a) => ({ a, b: 'x' })), { ...both, required: ['a', 'b'] }],
    ['an empty one', [{}], {}],
  ])('is described by %s', (_, all, expected) => {
    const rows = all.map((options, id) => ({ id: `s${id}`, options }));
    const { options } = getSchemas(complete(createShop(setting), [[LIST, rows]]))['ShopSetting'].properties;
    // An object that always has members is no empty list.
    expect(options.anyOf.length).toBe('required' in expected ? 1 : 2);
    const { properties, ...keywords } = options.anyOf[0];
    const withoutTexts = JSON.parse(JSON.stringify({ ...keywords, properties }), (key, value) =>
      key === 'description' ? undefined : value,
    );
    expect(withoutTexts).toEqual({ type: 'object', ...expected });
  });
});

describe('the values of entries', () => {
  const toEntry = (value: Json): JsonObject => ({ id: 1, key: 'k', value });
  const toOrders = (value: Json): readonly JsonObject[] =>
    [1, 2, 3, 4].map((id) => ({
      id,
      meta_data: [toEntry('text'), toEntry(value)],
      settings: { a: toEntry('text'), b: toEntry(value) },
    }));

  const declared = { id: INTEGER, key: { type: 'string' } };
  test.each([
    ['that the schema leaves open', { ...declared, value: { type: 'mixed' } }],
    ['that the schema does not declare', declared],
    ['of lists without a schema', undefined],
  ])('%s stay open, however many samples agree', (_, properties) => {
    const items = properties && { type: 'object', properties };
    const order = itemOf('order', {
      id: INTEGER,
      meta_data: omitUndefined({ type: 'array', items }),
      settings: omitUndefined({ type: 'object', additionalProperties: items }),
    });
    const outcome = complete(createShop(order), [[LIST, toOrders('text')]]);
    const { properties: stated } = getSchemas(outcome)['ShopOrder'];
    expect(stated.meta_data.items.properties.key.type).toBe('string');
    expect(stated.meta_data.items.required).toContain('value');
    for (const value of [1, true, null, ['a'], { b: 1 }]) {
      const later = samplesOf(outcome.document, [[LIST, toOrders(value)]]);
      expect(findingsOf(createOverlayActions(outcome.document, later).before)).toEqual([]);
    }
  });
});

test('an autosave is seen with links, and may be without any: that of a draft is the draft itself', () => {
  const route = '/wp/v2/posts/(?P<id>[\\d]+)/autosaves';
  const names = 'author date date_gmt id modified modified_gmt parent slug preview_link'.split(' ');
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const document = createDocument({ [route]: 'GET' }, { [route]: itemOf('post-revision', properties) });
  const autosaves = [1, 2, 3].map((id) => ({
    ...Object.fromEntries(names.map((name) => [name, id])),
    _links: { parent: [{ href: 'https://site.example.com/wp-json/wp/v2/posts/7' }] },
  }));
  const { actions } = complete(document, [[route, autosaves]]);
  expect(JSON.stringify(actions)).toContain('inferred');
  expect(JSON.stringify(actions)).not.toContain('_links');
});

test('a member that was empty in each response has no type', () => {
  const document = createShop(itemOf('film', { id: INTEGER }));
  const films = [1, 2, 3].map((id) => ({
    ...{ id, acf: [], poster: false, note: id === 1 ? '' : null },
    ...{ isNew: id === 1, tags: id === 1 ? [] : ['a'] },
  }));
  const { properties, required } = getSchemas(complete(document, [[LIST, films]]))['ShopFilm'];
  expect(required).toEqual(['id', 'isNew', 'note', 'poster', 'tags']);
  for (const name of ['acf', 'poster', 'note'])
    expect(Object.keys(properties[name])).toEqual(['description']);
  expect(properties).toMatchObject({ isNew: { type: 'boolean' }, tags: { type: 'array' } });
});

test('what Yoast SEO sends of each sampled post can be missing from others', () => {
  const yoast_head_json = { type: 'object', properties: { og_title: { type: 'string' } } };
  const document = createDocument({ [LIST]: 'GET' }, { [LIST]: itemOf('film', { yoast_head_json }) });
  const films = [1, 2, 3].map(() => ({ yoast_head_json: { og_title: 'x' } }));
  const { properties } = getSchemas(complete(document, [[LIST, films]]))['ShopFilm'];
  expect(properties.yoast_head_json).not.toHaveProperty('required');
});

test('one envelope requires its list and numbers; a write that nobody sampled stays without a type', () => {
  const document = createDocument({ [LIST]: 'GET, POST' }, {});
  const page = { films: [{ id: 1, title: 'A' }], next: '/2', total: 9, total_pages: 2 };
  const outcome = complete(document, [[LIST, page]]);
  const [read, write] = listOperations(outcome.document);
  expect(read?.responseSchema).toMatchObject({ required: ['films', 'total', 'total_pages'] });
  expect(write?.responseSchema).toBeUndefined();
});

test('a sample tells whether a route returns one object or a list', () => {
  const rows = { '/shop/v1/lists': [{ id: 1 }], '/shop/v1/single': { id: 1 }, '/shop/v1/none': [] };
  const forEach = <Value>(value: Value) =>
    Object.fromEntries(Object.keys(rows).map((route) => [route, value]));
  const document = createDocument(forEach('GET'), forEach(itemOf('film', { id: INTEGER })));
  const outcome = complete(document, Object.entries(rows));
  const film = { $ref: '#/components/schemas/ShopFilm' };
  expect(listOperations(outcome.document).map(({ responseSchema }) => responseSchema)).toEqual([
    { type: 'array', items: film },
    film,
    { anyOf: [film, { type: 'array', items: film }] },
  ]);
});
