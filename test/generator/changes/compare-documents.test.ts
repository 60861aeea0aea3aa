import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import {
  compareDocuments,
  compareDocumentsInSteps,
} from '../../../src/generator/changes/compare-documents.ts';
import { type ChangeRuleName, formatChange } from '../../../src/generator/changes/context.ts';
import CHANGE_RULES from '../../../src/generator/changes/rules.json' with { type: 'json' };
import { BASE, type Edit, edited } from './documents.ts';

const POST = 'components schemas Post';
const BODY = 'components schemas CreatePostBody';
const ROW = { $ref: '#/components/schemas/Row' };
const CREATE = 'paths /posts post';

type Row = readonly [rule: ChangeRuleName, line: string, after: readonly Edit[], before?: readonly Edit[]];

/**
 * Changes by place. A place is the beginning of the line that a person reads, and the path of what is edited. A change is its rule, the
 * rest of the line, the rest of the path, the value after the change, and the value before if the base document has none. Several edits of
 * one change are separated by semicolons.
 */
const CHANGES = `
# GET /posts: query parameter "order": | paths /posts get parameters 0
became-required | it became required (breaking) | required | true
became-optional | it became optional | required | - | true
serialization-changed | the serialization changed from "form, exploded" to "form" (breaking) | - | {"name":"order","in":"query","explode":false,"schema":{"type":"array"}} | {"name":"order","in":"query","schema":{"type":"array"}}
value-removed | the value "asc" was removed (breaking) | schema enum | ["desc"]
value-added | the value "random" was added | schema enum | ["random","asc","desc"]
default-changed | the default changed from "desc" to "asc" (breaking) | schema default | "asc"
default-removed | the default "desc" was removed (breaking) | schema default | -
bound-tightened | maxLength changed from none to 5 (breaking) | schema maxLength | 5
values-unrestricted | no longer only these values are stated: "asc", "desc" | schema enum | -
null-removed | it can no longer be null (breaking) | schema | {"type":["string","null"],"enum":["a"]} | {"type":["string","null"],"enum":["a",null]}
null-removed | it can no longer be null (breaking) | schema | {"anyOf":[{"enum":["a"]},{"type":"integer"}]} | {"anyOf":[{"enum":["a",null]},{"type":"integer"}]}
bound-tightened | the keyword changed from "anyOf" to "oneOf" (breaking) | schema | {"oneOf":[{"type":"string"},{"enum":["a"]}]} | {"anyOf":[{"type":"string"},{"enum":["a"]}]}
constraint-changed | oneOf changed from {"minLength":1} to {"minLength":5} (breaking) | schema | {"anyOf":[{}],"oneOf":[{"minLength":5}]} | {"anyOf":[{}],"oneOf":[{"minLength":1}]}
type-changed | the type changed from "string" to "integer" (breaking) | content | {"text/json":{"schema":{"type":"integer"}}} | {"text/json":{"schema":{"type":"string"}}}
# GET /posts: query parameter "page": | paths /posts get parameters 1
default-added | the default 1 was added (breaking) | schema default | 1
default-added | the default "1" was added (breaking) | schema x-waygate-default | "1"
bound-tightened | minimum changed from 1 to 5 (breaking) | schema minimum | 5
bound-tightened | exclusiveMaximum changed from none to 100 (breaking) | schema exclusiveMaximum | 100
bound-loosened | maximum changed from 100 to 200 | schema maximum | 200
bound-loosened | maximum changed from 100 to none | schema maximum | -
values-restricted | only these values are stated now: 1, 2 (breaking) | schema enum | [1,2]
# POST /posts: request body: | paths /posts post requestBody
became-required | it became required (breaking) | required | true
became-optional | it became optional | required | - | true
media-type-added | the media type "text/xml" was added | content text/xml | {}
media-type-removed | the media type "text/xml" was removed (breaking) | content text/xml | - | {}
# POST /posts: request schema CreatePostBody, member "status": | components schemas CreatePostBody properties status
member-removed | it was removed (breaking) | - | -
member-removed | it was removed (breaking) | readOnly | true
alternative-added | the alternative "array of string" was added | - | {"default":"draft","anyOf":[{"type":"string","enum":["draft","publish"]},{"type":"array","items":{"type":"string"}}]}
value-removed | the value "draft" was removed (breaking) | enum | ["publish"]
# POST /posts: request schema CreatePostBody, | components schemas CreatePostBody
member-added | member "slug": it was added | properties slug | {"type":"string"}
became-required | member "status": it became required (breaking) | required | ["status"]
type-narrowed | member "any": the type changed from "any value" to "string" (breaking) | properties any type | "string"
null-removed | member "count": it can no longer be null (breaking) | properties count type | "integer"
type-widened | member "count": the type changed from "integer" to "number" | properties count type | ["number","null"]
alternative-removed | member "title": the alternative "object" was removed (breaking) | properties title | {"type":"string"}
# GET /posts: responses: | paths /posts get
error-status-added | the error status "4XX" was added | responses 4XX | {}
error-status-removed | the error status "404" was removed | responses 404 | -
context-added | the context "embed" was added | x-waygate-contexts embed | {"$ref":"#/components/schemas/Post"}
context-removed | the context "edit" was removed (breaking) | x-waygate-contexts edit | -
error-code-added | the error code "rest_forbidden" was added | x-waygate-error-codes | ["rest_forbidden"]
error-code-removed | the error code "rest_forbidden" was removed | x-waygate-error-codes | - | ["rest_forbidden"]
# POST /posts: responses: | paths /posts post
success-status-added | the status "200" was added | responses 200 | {}
success-status-removed | the status "200" was removed (breaking) | responses 200 | - | {}
# GET /posts and GET /posts/{id}: response schema Post, member "link": | components schemas Post properties link
constraint-removed | format "uri" was removed (breaking) | format | -
constraint-changed | format changed from "uri" to "iri" (breaking) | format | "iri"
schema-deprecated | it was deprecated | deprecated | true
schema-undeprecated | it is no longer deprecated | deprecated | - | true
# GET /posts and GET /posts/{id}: response schema Post, member "status": | components schemas Post properties status
value-added | the value "trash" was added (risky) | enum | ["draft","publish","trash"]
constraint-added | pattern "^[a-z]+$" was added | pattern | "^[a-z]+$"
bound-tightened | pattern changed from "^a" to "^b" | pattern | "^b" | "^a"
# GET /posts and GET /posts/{id}: response schema Post, member "id": | components schemas Post properties id
type-changed | the type changed from "integer" to "string" (breaking) | type | "string"
type-widened | the type changed from "integer" to "integer or string" (breaking) | type | ["integer","string"]
null-added | it can be null now (breaking) | type | ["integer","null"]
null-added | it can be null now (breaking) | - | {"anyOf":[{"type":"integer"},{"type":"null"}]}
# GET /posts and GET /posts/{id}: response schema Post, | components schemas Post
member-added | member "slug": it was added | properties slug | {"type":"string"}
member-removed | member "example": it was removed (breaking) | properties example | - | {"type":"string"}
member-removed | member "title.rendered": it was removed (breaking) | properties title properties rendered | -
became-optional | member "id": it became optional (breaking) | required | []
became-required | member "link": it became required | required | ["id","link"]
other-members-untyped | member "meta": the type of members of other names is no longer stated (breaking) | properties meta additionalProperties | true
type-changed | member "meta.*": the type changed from "string" to "integer" (breaking) | properties meta additionalProperties | {"type":"integer"}
# POST /posts: request schema CreatePostBody: | components schemas CreatePostBody
other-members-refused | members of other names are no longer possible (breaking) | additionalProperties | false
other-members-accepted | members of other names are possible now | additionalProperties | - | false
# GET /posts and GET /posts/{id}: response schema Post: | components schemas Post
other-members-typed | the type of members of other names is stated now | additionalProperties | {"type":"string"}
# POST /posts: | paths /posts post
operation-removed | it was removed (breaking) | - | -
operation-renamed | the name changed from "createPost" to "addPost" (breaking) | operationId | "addPost"
operation-deprecated | it was deprecated | deprecated | true
operation-undeprecated | it is no longer deprecated | deprecated | - | true
security-changed | the authentication changed from none to {"basic":[]} (breaking) | security | [{"basic":[]}]
security-added | another authentication is possible: {"basic":[]} | security | [{"basic":[]},{"cookie":[]}] | [{"cookie":[]}]
security-added | another authentication is possible: {} | security | [{"basic":[]},{}] | [{"basic":[]}]
security-changed | the authentication changed from {"basic":[]}, {"cookie":[]} to {"basic":[]} (breaking) | security | [{"basic":[]}] | [{"basic":[]},{"cookie":[]}]
parameter-added | query parameter "force": it was added | parameters | [{"name":"force","in":"query","schema":{"type":"boolean"}}]
required-parameter-added | query parameter "force": it was added, and it is required (breaking) | parameters | [{"name":"force","in":"query","required":true}]
# GET /posts: | paths /posts get
parameter-removed | query parameter "order": it was removed (breaking) | parameters | [{"name":"page","in":"query","schema":{"type":"integer","minimum":1,"maximum":100}}]
body-added | request body: it was added | requestBody | {"content":{}}
required-body-added | request body: it was added, and it is required (breaking) | requestBody | {"required":true,"content":{}}
# - | -
schema-added | schema Row: it was added | components schemas Row; paths /posts post requestBody content application/json schema | {"type":"object"}; {"$ref":"#/components/schemas/Row"} | -; {"type":"object"}
schema-removed | schema Row: it was removed (breaking) | components schemas Row; paths /posts post requestBody content application/json schema | -; {"type":"object"} | {"type":"object"}; {"$ref":"#/components/schemas/Row"}
schema-removed | schema examples: it was removed (breaking) | components schemas examples; paths /posts post requestBody content application/json schema | -; {"type":"object"} | {"type":"object"}; {"$ref":"#/components/schemas/examples"}
operation-added | DELETE /posts: it was added | paths /posts delete | {}
operation-added | PURGE /posts: it was added | paths /posts x-waygate-methods | {"PURGE":{}}
security-changed | security: the authentication changed from none to {"basic":[]} (breaking) | security | [{"basic":[]}]
security-changed | security scheme key: the authentication changed from {"name":"A"} to {"name":"B"} (breaking) | components securitySchemes | {"key":{"name":"B","description":"b"}} | {"key":{"name":"A"}}
member-added | GET /posts and POST /posts: response schema PostEdit, member "slug": it was added | components schemas PostEdit properties slug | {"type":"string"}
body-removed | POST /posts: request body: it was removed (breaking) | paths /posts post requestBody; components schemas CreatePostBody | -; {} | ; {}
required-member-added | POST /posts: request schema CreatePostBody, member "slug": it was added, and it is required (breaking) | components schemas CreatePostBody properties slug; components schemas CreatePostBody required | {"type":"string"}; ["slug"]
required-member-added | GET /posts and GET /posts/{id}: response schema Post, member "slug": it was added, and it is required | components schemas Post properties slug; components schemas Post required | {"type":"string"}; ["id","slug"]
member-added | POST /posts: response schema Forced, member "previous": it was added | components schemas Forced; paths /posts post x-waygate-forced | {"properties":{"previous":{}}}; {"schema":{"$ref":"#/components/schemas/Forced"}} | {}; {"schema":{"$ref":"#/components/schemas/Forced"}}
parameter-renamed | GET /posts/{post}: path parameter "post": the name changed from "id" to "post" (breaking) | paths /posts/{id}; paths /posts/{post} | -; {"get":{"operationId":"getPost","parameters":[{"name":"post","in":"path","required":true,"schema":{"type":"integer"}}],"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Post"}}}}}}}`;

/** For each change the line that a person reads. Each row begins with the base document, or with edits of it. */
function* readChanges(): Generator<Row> {
  let [place = '', path = ''] = ['', ''];
  for (const line of CHANGES.split('\n').slice(1)) {
    const [first = '', second = '', names = '', ...values] = line
      .split(' | ')
      .map((cell) => cell.replace(/^-$/, ''));
    if (first.startsWith('# ')) [place, path] = [first === '# -' ? '' : first.slice(2), second];
    else {
      const paths = names.split('; ').map((name) => `${path} ${name}`.trim());
      const [after, before] = values.map((value) => {
        const cells = value.split('; ').map((cell) => (/^-?$/.test(cell) ? undefined : JSON.parse(cell)));
        return paths.map((each, at): Edit => [each, cells[at]]);
      });
      const text = `${place} ${second}`.trim();
      const stated = before?.filter(([, value]) => value !== undefined) ?? [];
      yield [first as ChangeRuleName, text, after ?? [], stated];
    }
  }
}

const ROWS = [...readChanges()];

/** Two schemas that accept the same values, with the same default. */
const EQUIVALENT: readonly (readonly [what: string, before: Json, after: Json])[] = [
  ['a default as PHP writes it', { type: 'integer', default: '1' }, { type: 'integer', default: 1 }],
  ['an empty default', { type: 'array', default: [] }, { type: 'array' }],
  ['an empty default', { type: 'string' }, { type: 'string', default: '' }],
  ['a default as PHP writes it', { type: 'boolean', default: true }, { type: 'boolean', default: 'true' }],
  ['a default as PHP writes it', { type: 'number', default: '1.50' }, { type: 'number', default: 1.5 }],
  ['a combination of one', { allOf: [{ type: 'string', maxLength: 5 }] }, { type: 'string', maxLength: 5 }],
  ['a combination of one', { anyOf: [{ type: 'string' }] }, { oneOf: [{ type: 'string' }] }],
  ['another order', { enum: ['a', 'b'] }, { enum: ['b', 'a', 'b'] }],
  [
    'another order',
    { anyOf: [{ enum: ['a', 'b'] }, { enum: ['c', 'd'] }] },
    { anyOf: [{ enum: ['d', 'c'] }, { enum: ['b', 'a'] }] },
  ],
  ['another order', { allOf: [{ required: ['a'] }, ROW] }, { allOf: [ROW, { required: ['a'] }] }],
];

const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const text = (pattern: string): JsonObject => ({ type: 'string', pattern });

/** Changes of what a URL can have: of a path parameter, or of one of the query. */
const URL_VALUES: readonly (readonly [severity: string, place: string, before: Json, after: Json])[] = [
  ['compatible', 'path', { ...text('^\\d+$'), type: ['integer', 'string'], minimum: 0 }, text('^[\\w\\-]+$')],
  ['compatible', 'path', { type: 'integer' }, { type: 'string' }],
  ['compatible', 'path', { type: 'integer' }, text('^[0-9a-f]+\\n?$')],
  ['breaking', 'path', { type: 'integer' }, text('^[a-z]+$')],
  ['breaking', 'path', text('^[\\w\\-]+$'), { type: 'integer' }],
  ['breaking', 'path', text('^[a-z]+$'), text('^[a-z0-9]+$')],
  ['compatible', 'query', { type: 'string' }, { type: ['array', 'string'], items: { type: 'string' } }],
  ['compatible', 'query', { enum: ['a'], type: 'string' }, listOf({ enum: ['a', 'b'] })],
  ['breaking', 'query', { enum: ['a', 'b'], type: 'string' }, listOf({ enum: ['a'] })],
  ['breaking', 'query', listOf({ type: 'string' }), { type: 'string' }],
  ['breaking', 'query', { type: 'string' }, listOf({ type: 'integer' })],
  ['compatible', 'query', listOf({ type: 'integer' }), listOf({ type: 'string' })],
  ['compatible', 'query', listOf({ enum: ['a'] }), listOf({ enum: ['a', 'b'] })],
  ['breaking', 'query', listOf({ type: 'string' }), listOf({ type: 'integer' })],
];

describe('compareDocuments', () => {
  test.each(URL_VALUES)('a %s change of the %s: %j, %j', (severity, place, before, after) => {
    const documentOf = (schema: Json): JsonObject => {
      const isList = JSON.stringify(schema).includes('array');
      const parameter = { name: 'id', in: place, required: true, ...(isList && { explode: false }), schema };
      return edited(BASE, ['paths /posts/{id} get parameters 0', parameter]);
    };
    const { changes } = compareDocuments(documentOf(before), documentOf(after));
    expect(changes[0]?.severity ?? 'compatible').toBe(severity);
  });

  test.each(ROWS.map((row) => ({ rule: row[0], line: row[1], row })))('$rule: $line', ({ row }) => {
    const [rule, line, afterEdits, beforeEdits = []] = row;
    const before = edited(BASE, ...beforeEdits);
    const { changes, omitted } = compareDocuments(before, edited(BASE, ...afterEdits));
    expect(changes.map(formatChange)).toEqual([line]);
    expect(changes.map((change) => change.rule)).toEqual([rule]);
    expect(omitted).toBe(0);
  });

  test.each([
    ['equal content', structuredClone(BASE)],
    ['another order', Object.fromEntries(Object.entries(BASE).reverse())],
    ['a schema that no operation uses', edited(BASE, ['components schemas Draft', { type: 'object' }])],
    ['another title and version', edited(BASE, ['info title', 'Site B'], ['info version', '2.0.0'])],
    ['another description of a member', edited(BASE, [`${POST} properties link description`, 'New.'])],
    ['another summary of an operation', edited(BASE, [`${CREATE} summary`, 'Creates posts'])],
    [
      'data for the gateway',
      edited(BASE, ['x-waygate', { format: 1 }], [`${CREATE} x-waygate-route`, '/posts']),
    ],
  ])('finds no change in %s', (_, after) => {
    expect(compareDocuments(BASE, after)).toEqual({ changes: [], omitted: 0 });
  });

  test.each(EQUIVALENT)('%s: %j and %j are no change', (_, before, after) => {
    const place = (schema: Json): JsonObject =>
      edited(
        BASE,
        ['paths /posts get parameters 1 schema', schema],
        [`${BODY} properties any`, schema],
        [`${POST} properties any`, schema],
        ['components schemas Any', schema],
        ['paths /posts get parameters 0 schema', { $ref: '#/components/schemas/Any' }],
      );
    for (const [from, to] of [
      [before, after],
      [after, before],
    ]) {
      const { changes } = compareDocuments(place(from ?? {}), place(to ?? {}));
      expect(changes.map(formatChange)).toEqual([]);
    }
  });

  test('ways to authenticate in another order are the same ways', () => {
    const [one, other] = [{ basic: [] }, { cookie: [], nonce: [] }];
    const { changes } = compareDocuments(
      edited(BASE, ['security', [one, other]], [`${CREATE} security`, [other, one]]),
      edited(BASE, ['security', [other, one]], [`${CREATE} security`, [one, other]]),
    );
    expect(changes).toEqual([]);
  });

  test('does not compare a document that nests too deeply, which counts as breaking', () => {
    const deep: JsonObject = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    const lines = ['document: it nests too deeply to be compared (breaking)'];
    expect(compareDocuments(BASE, deep).changes.map(formatChange)).toEqual(lines);
    expect(compareDocuments(deep, BASE).changes.map(formatChange)).toEqual(lines);
  });

  test('compares components that only a keyword refers to, or nothing, in both directions', () => {
    const [before, after] = ['string', 'integer'].map((type) =>
      edited(BASE, ['components schemas Row', { type }], [`${POST} prefixItems`, [ROW]]),
    );
    const { changes } = compareDocuments(before ?? {}, after ?? {});
    expect(changes.map(formatChange)).toEqual([
      'request schema Row: the type changed from "string" to "integer" (breaking)',
      'response schema Row: the type changed from "string" to "integer" (breaking)',
    ]);
  });
});

test('a row shows each rule', () => {
  const shown = new Set<string>([...ROWS.map(([rule]) => rule), 'not-comparable']);
  expect(Object.keys(CHANGE_RULES).filter((rule) => !shown.has(rule))).toEqual([]);
});

test('the parameters of one operation are compared in steps of their own', () => {
  const countSteps = (count: number, types: readonly string[]): number => {
    const [before, after] = types.map((first) => {
      const parameters = Array.from({ length: count }, (_, at) => ({
        name: `a${at}`,
        in: 'query',
        schema: { type: at === 0 ? first : 'boolean' },
      }));
      return edited(BASE, ['paths /posts get parameters', parameters]);
    });
    return [...compareDocumentsInSteps(before ?? {}, after ?? {})].length;
  };
  const types = ['string', 'integer'];
  expect(countSteps(300, types) - countSteps(100, types)).toBeGreaterThanOrEqual(200);
});
