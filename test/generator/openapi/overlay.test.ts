import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/base/errors.ts';
import { type Json, type JsonObject, memberAt } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { applyOverlay } from '../../../src/generator/openapi/index.ts';
import * as jsonPath from '../../../src/generator/openapi/json-path.ts';

const { toJsonPath, toListItemPath } = jsonPath;

const DOCUMENT: JsonObject = {
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
  return applyOverlay(DOCUMENT, { overlay: '1.1.0', info: { title: 'Changes', version: '1.0.0' }, actions });
}

function evaluateJsonPath(...args: Parameters<typeof jsonPath.evaluateJsonPath>): jsonPath.JsonPathSelection {
  return runSteps(jsonPath.evaluateJsonPath(...args));
}

function select(root: Json, query: string): readonly string[] {
  const selection = evaluateJsonPath(root, query);
  if (!selection.ok) throw new Error(selection.reason);
  return selection.locations.map((location) => toJsonPath(location));
}

describe('a JSONPath of RFC 9535', () => {
  test.each<[query: string, places: readonly string[]]>([
    ['$', ['$']],
    ["$.paths['/wp/v2/posts'].get.tags[-1]", ["$.paths['/wp/v2/posts'].get.tags[1]"]],
    ['$.paths.*.get.summary', ["$.paths['/wp/v2/posts'].get.summary"]],
    ["$.paths.*.get.tags[?@ == 'b']", ["$.paths['/wp/v2/posts'].get.tags[1]"]],
    [
      '$..title.type',
      ['$.components.schemas.Post.properties.title.type', '$.components.schemas.Page.properties.title.type'],
    ],
    ["$.paths['/wp/v2/posts'].get.tags[2]", []],
    ['$.constructor', []],
  ])('%s', (query, expected) => {
    expect(select(DOCUMENT, query)).toEqual(expected);
  });

  test.each(['', 'info', '$[?nosuch(@)]'])('%j is rejected with a reason', (query) =>
    expect(evaluateJsonPath(DOCUMENT, query)).toEqual({ ok: false, reason: expect.any(String) }),
  );

  test('long names above many places are not copied for each', () => {
    // With copies it would take five gigabytes.
    let root: Json = Object.fromEntries(
      Array.from({ length: 8_000 }, (_, at) => [`p${at}`, { description: 'd' }]),
    );
    for (let level = 0; level < 60; level += 1) root = { [String(level).padEnd(10_000, 'x')]: root };
    expect(evaluateJsonPath(root, '$..description')).toMatchObject({
      ok: true,
      locations: { length: 8_000 },
    });
  });

  test.each(["it's", 'a"b', 'a\\b', '\\"', "\\'", 'a\nb', '😀', '', '__proto__', '/wp/v2/posts/{id}'])(
    'the normalized path of the name %j selects it',
    (name) => {
      const root = JSON.parse(`{${JSON.stringify(name)}:1,"list":[${JSON.stringify(name)}]}`);
      expect(evaluateJsonPath(root, toJsonPath([name]))).toEqual({ ok: true, locations: [[name]] });
      expect(evaluateJsonPath(root, toListItemPath(['list'], name))).toEqual({
        ok: true,
        locations: [['list', 0]],
      });
    },
  );
});

describe('an overlay', () => {
  const select = (document: JsonObject, query: string): Json | undefined => {
    const selection = evaluateJsonPath(document, query);
    const [place] = selection.ok ? selection.locations : [];
    return place && memberAt(document, ...place.map(String));
  };
  const schemas = '$.components.schemas';
  const title = `${schemas}.Post.properties.title`;
  const meta = `${schemas}.Post.properties.meta`;
  const path = "$.paths['/wp/v2/posts'].get";
  test.each<[what: string, action: JsonObject, query: string, selected: Json]>([
    [
      'merges objects',
      { target: `${schemas}.Post`, update: { properties: { title: { format: 'x' } } } },
      title,
      { type: 'string', format: 'x' },
    ],
    ['concatenates lists', { target: meta, update: { type: ['null'] } }, `${meta}.type`, ['object', 'null']],
    ['appends to a list', { target: '$.paths.*.get.tags', update: 'c' }, `${path}.tags`, ['a', 'b', 'c']],
    ['replaces values', { target: '$.info', update: { title: 'Ours' } }, '$.info.title', 'Ours'],
    [
      'removes from a list, the last first',
      { target: `${meta}.required[*]`, remove: true },
      `${meta}.required`,
      [],
    ],
    ['removes by value', { target: "$..required[?@ == 'a']", remove: true }, `${meta}.required`, ['b', 'c']],
  ])('%s', (_, action, query, selected) => {
    const { diagnostics, document } = overlaid(action);
    expect(diagnostics).toEqual([]);
    expect(select(document, query)).toEqual(selected);
  });

  test('does not modify the given document', () => {
    const before = JSON.stringify(DOCUMENT);
    overlaid({ target: '$.components.schemas.*', remove: true });
    expect(JSON.stringify(DOCUMENT)).toBe(before);
  });

  test('changes only the selected one of two places that share an object', () => {
    const shared = { type: 'string' };
    const document = { ...DOCUMENT, components: { schemas: { A: shared, B: shared } } };
    const actions = [{ target: '$.components.schemas.A', update: { format: 'x' } }];
    const { components } = applyOverlay(document, { overlay: '1.0.0', actions }).document;
    expect(components).toEqual({ schemas: { A: { type: 'string', format: 'x' }, B: { type: 'string' } } });
  });

  test('reports the change of each action with its evidence', () => {
    const evidence = { kind: 'null', responses: 3, of: 5 };
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
    ['a target without a match', { target: '$.components.schemas.Gone', update: {} }, 'overlay-target-gone'],
    ['a target that is not a JSONPath query', { target: '$[?@.x', update: {} }, 'overlay-target-unreadable'],
    ['an object for a value', { target: '$.info', update: { title: {} } }, 'overlay-incompatible'],
    ['a list for an object', { target: '$.info', update: [] }, 'overlay-incompatible'],
    ['the whole document', { target: '$', remove: true }, 'overlay-incompatible'],
    ['no update and no removal', { target: '$.info' }, 'overlay-incompatible'],
  ])('is skipped with a warning: %s', (_, action, rule) => {
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
  ])('that is invalid or removes the whole document throws: %j', (overlay) => {
    expect(() => applyOverlay(DOCUMENT, overlay)).toThrow(ConfigurationError);
  });
});
