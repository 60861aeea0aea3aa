import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { applyOverlay, type OpenApiDocument } from '../../src/openapi/index.ts';
import { toJsonPath, toListItemPath, readJsonPath } from '../../src/openapi/json-path.ts';

const DOCUMENT: OpenApiDocument = {
  openapi: '3.1.1',
  info: { title: 'Site', version: '1.0.0' },
  paths: { '/wp/v2/posts': { get: { tags: ['a', 'b'], summary: 'List posts' } } },
  components: {
    schemas: {
      Post: {
        type: 'object',
        properties: { title: { type: 'string' }, meta: { type: ['object'], required: ['b', 'a', 'c'] } },
      },
      Page: { type: 'object', properties: { title: { type: 'string' } } },
    },
  },
};

function overlaid(...actions: readonly JsonObject[]) {
  return applyOverlay(DOCUMENT, {
    overlay: '1.1.0',
    info: { title: 'Changes', version: '1.0.0' },
    actions,
  });
}

describe('a JSONPath of RFC 9535', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['$', ['$']],
    ['$.info.title', ['$.info.title']],
    ["$['info']['title']", ['$.info.title']],
    ['$["info"].title', ['$.info.title']],
    ["$.paths['/wp/v2/posts'].get.tags[0]", ["$.paths['/wp/v2/posts'].get.tags[0]"]],
    ["$.paths['/wp/v2/posts'].get.tags[-1]", ["$.paths['/wp/v2/posts'].get.tags[1]"]],
    ['$.paths.*.get.summary', ["$.paths['/wp/v2/posts'].get.summary"]],
    [
      '$.paths[*].get.tags[*]',
      ["$.paths['/wp/v2/posts'].get.tags[0]", "$.paths['/wp/v2/posts'].get.tags[1]"],
    ],
    ["$.paths.*.get.tags[?@ == 'b']", ["$.paths['/wp/v2/posts'].get.tags[1]"]],
    ['$.paths.*.get.tags[?(@=="b")]', ["$.paths['/wp/v2/posts'].get.tags[1]"]],
    [
      '$..title.type',
      ['$.components.schemas.Post.properties.title.type', '$.components.schemas.Page.properties.title.type'],
    ],
    ["$..['summary']", ["$.paths['/wp/v2/posts'].get.summary"]],
    ['$.info.no_such', []],
    ["$.paths['/wp/v2/posts'].get.tags[2]", []],
    ['$.info.title.length', []],
    ['$.constructor', []],
  ];
  test.each(rows)('%s', (query, expected) => {
    const places = readJsonPath(query)?.(DOCUMENT);
    expect(places?.map((place) => toJsonPath(place))).toEqual(expected);
  });

  test.each(['', 'info', '$.', '$[0:2]', "$['a','b']", '$[?@.a == 1]', "$['a", '$.info title', '$[01]'])(
    '%s is not read',
    (query) => expect(readJsonPath(query)).toBeNull(),
  );

  test.each(["it's", 'a"b', 'a\\b', '\\"', "\\'", 'a\nb', '😀', '', '__proto__', '/wp/v2/posts/{id}'])(
    'a name such as %j is found by its own path',
    (name) => {
      const root = JSON.parse(`{${JSON.stringify(name)}:1,"list":[${JSON.stringify(name)}]}`);
      expect(readJsonPath(toJsonPath([name]))?.(root)).toEqual([[name]]);
      expect(readJsonPath(toListItemPath(['list'], name))?.(root)).toEqual([['list', 0]]);
    },
  );
});

describe('an overlay', () => {
  const at = (document: JsonObject, query: string): Json | undefined => {
    const [place] = readJsonPath(query)?.(document) ?? [];
    let value: unknown = document;
    for (const token of place ?? []) value = Object(value)[token];
    return place === undefined ? undefined : (value as Json);
  };
  /** [what, actions, where to look, what stands there] */
  const rows: readonly (readonly [string, readonly JsonObject[], string, Json | undefined])[] = [
    [
      'merges objects',
      [{ target: '$.components.schemas.Post', update: { properties: { title: { format: 'x' } } } }],
      '$.components.schemas.Post.properties.title',
      { type: 'string', format: 'x' },
    ],
    [
      'joins lists',
      [{ target: '$.components.schemas.Post.properties.meta', update: { type: ['null'] } }],
      '$.components.schemas.Post.properties.meta.type',
      ['object', 'null'],
    ],
    [
      'appends to a list',
      [{ target: '$.paths.*.get.tags', update: 'c' }],
      "$.paths['/wp/v2/posts'].get.tags",
      ['a', 'b', 'c'],
    ],
    ['replaces values', [{ target: '$.info', update: { title: 'Ours' } }], '$.info.title', 'Ours'],
    ['replaces a value itself', [{ target: '$.info.title', update: 'Ours' }], '$.info.title', 'Ours'],
    [
      'makes room, and fills it',
      [
        { target: '$.components.schemas.Post.properties.title.type', remove: true },
        { target: '$.components.schemas.Post.properties.title', update: { type: ['string', 'null'] } },
      ],
      '$.components.schemas.Post.properties.title.type',
      ['string', 'null'],
    ],
    [
      'removes from a list, the last first',
      [{ target: '$.components.schemas.Post.properties.meta.required[*]', remove: true }],
      '$.components.schemas.Post.properties.meta.required',
      [],
    ],
    [
      'removes by value',
      [{ target: "$..required[?@ == 'a']", remove: true }],
      '$.components.schemas.Post.properties.meta.required',
      ['b', 'c'],
    ],
    [
      'changes every place that it means',
      [{ target: '$.components.schemas.*.properties.title', update: { deprecated: true } }],
      '$.components.schemas.Page.properties.title',
      { type: 'string', deprecated: true },
    ],
    [
      'copies',
      [{ target: '$.components.schemas.Page', copy: '$.components.schemas.Post' }],
      '$.components.schemas.Page.properties.meta.required',
      ['b', 'a', 'c'],
    ],
    [
      'removes rather than updates',
      [{ target: '$.info.title', remove: true, update: 'x' }],
      '$.info.title',
      undefined,
    ],
  ];
  test.each(rows)('%s', (_, actions, query, expected) => {
    const { diagnostics, document } = overlaid(...actions);
    expect(diagnostics).toEqual([]);
    expect(at(document, query)).toEqual(expected);
  });

  test('leaves the document that it was given as it was', () => {
    const before = JSON.stringify(DOCUMENT);
    overlaid({ target: '$.components.schemas.*', remove: true });
    expect(JSON.stringify(DOCUMENT)).toBe(before);
  });

  test('changes one of two places that share an object', () => {
    const shared = { type: 'string' };
    const document = { ...DOCUMENT, components: { schemas: { A: shared, B: shared } } };
    const actions = [{ target: '$.components.schemas.A', update: { format: 'x' } }];
    const { components } = applyOverlay(document, { overlay: '1.0.0', actions }).document;
    expect(components).toEqual({ schemas: { A: { type: 'string', format: 'x' }, B: { type: 'string' } } });
  });

  test('adds a property of any name', () => {
    const update = JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}');
    const { document } = overlaid({ target: '$.components.schemas.Post', update });
    expect(JSON.stringify(document)).toContain('"__proto__":{"type":"integer"}');
  });

  test('says what each action did, with its evidence', () => {
    const evidence = { kind: 'null', answers: 3, of: 5 };
    const { changes } = overlaid(
      { target: '$..properties.title', update: { type: 'null' }, 'x-waygate-evidence': evidence },
      { target: '$.info.version', description: 'Not ours.', remove: true },
      { target: '$.gone', remove: true },
    );
    expect(changes).toEqual([
      { target: '$..properties.title', change: 'update', places: 2, evidence },
      { target: '$.info.version', description: 'Not ours.', change: 'remove', places: 1 },
    ]);
  });

  test.each([
    ['a place that is gone', { target: '$.components.schemas.Gone', update: {} }, 'overlay-target-gone'],
    ['a query that is not read', { target: '$[?@.x]', update: {} }, 'overlay-target-unreadable'],
    ['an object for a value', { target: '$.info', update: { title: {} } }, 'overlay-incompatible'],
    ['a list for an object', { target: '$.info', update: [] }, 'overlay-incompatible'],
    ['the whole document', { target: '$', remove: true }, 'overlay-incompatible'],
    ['nothing to do', { target: '$.info' }, 'overlay-incompatible'],
    ['a copy of nothing', { target: '$.info', copy: '$.gone' }, 'overlay-target-gone'],
  ])('says loudly that it cannot act: %s', (_, action, rule) => {
    const { changes, diagnostics, document } = overlaid(action);
    expect(diagnostics).toMatchObject([{ rule, severity: 'warning' }]);
    expect(diagnostics[0]?.message).toContain(action.target);
    expect(changes).toEqual([]);
    expect(document).toEqual(DOCUMENT);
  });

  test.each([
    [null],
    [[]],
    [{}],
    [{ overlay: '2.0.0', actions: [] }],
    [{ overlay: '1.0.0' }],
    [{ overlay: '1.0.0', actions: [{ update: {} }] }],
    [{ overlay: '1.0.0', actions: [{ target: '$.paths', remove: true }] }],
  ])('that is none, or leaves no document, is refused: %j', (overlay) => {
    expect(() => applyOverlay(DOCUMENT, overlay)).toThrow(ConfigurationError);
  });
});
