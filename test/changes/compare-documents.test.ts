import { describe, expect, test } from 'vitest';
import {
  CHANGE_RULES,
  type ChangeRuleName,
  compareDocuments,
  formatChange,
} from '../../src/changes/index.ts';
import type { JsonObject } from '../../src/json.ts';
import { runSteps } from '../../src/steps.ts';
import { BASE, type Edit, edited } from './documents.ts';

const POST = 'components schemas Post';
const BODY = 'components schemas CreatePostBody';
const LIST = 'paths /posts get';
const CREATE = 'paths /posts post';
const ORDER = `${LIST} parameters 0`;
const PAGE = `${LIST} parameters 1`;

/** For each change the line that a person reads. Each row begins with the base document, or with edits of it. */
const ROWS: readonly (readonly [
  rule: ChangeRuleName,
  line: string,
  after: readonly Edit[],
  before?: readonly Edit[],
])[] = [
  // The document
  [
    'title-changed',
    'info: the title changed from "Site A" to "Site B" (text only)',
    [['info title', 'Site B']],
  ],
  ['site-description-changed', 'info: the description changed (text only)', [['info description', 'Blog']]],
  ['version-changed', 'info: the version changed from "1.0.0" to "2.0.0"', [['info version', '2.0.0']]],
  [
    'server-changed',
    'servers: the server changed from "https://example.com/wp-json" to "https://www.example.com"',
    [['servers', [{ url: 'https://www.example.com' }]]],
  ],
  ['schema-added', 'schema Draft: it was added', [['components schemas Draft', { type: 'object' }]]],
  [
    'schema-removed',
    'schema Draft: it was removed (breaking)',
    [],
    [['components schemas Draft', { type: 'object' }]],
  ],
  [
    'schema-renamed',
    'schema CreatePostBody: the name changed from "CreatePostBody" to "PostBody" (breaking)',
    [
      [BODY, undefined],
      ['components schemas PostBody', { type: 'object' }],
      [`${CREATE} requestBody content application/json schema`, { $ref: '#/components/schemas/PostBody' }],
    ],
    [[BODY, { type: 'object' }]],
  ],
  [
    'other-changed',
    'document: externalDocs changed',
    [['externalDocs', { url: 'https://example.com/docs' }]],
  ],
  ['other-changed', 'GET /posts: tags changed', [[`${LIST} tags`, ['wp/v2']]]],

  // An operation
  ['operation-added', 'DELETE /posts: it was added', [['paths /posts delete', {}]]],
  ['operation-added', 'PURGE /posts: it was added', [['paths /posts x-waygate-methods', { PURGE: {} }]]],
  ['operation-removed', 'POST /posts: it was removed (breaking)', [[CREATE, undefined]]],
  [
    'operation-renamed',
    'POST /posts: the name changed from "createPost" to "addPost" (breaking)',
    [[`${CREATE} operationId`, 'addPost']],
  ],
  ['operation-deprecated', 'POST /posts: it was deprecated', [[`${CREATE} deprecated`, true]]],
  ['operation-undeprecated', 'POST /posts: it is no longer deprecated', [], [[`${CREATE} deprecated`, true]]],
  [
    'security-changed',
    'POST /posts: the authentication changed from none to {"basic":[]} (breaking)',
    [[`${CREATE} security`, [{ basic: [] }]]],
  ],
  [
    'security-changed',
    'security: the authentication changed from none to {"basic":[]} (breaking)',
    [['security', [{ basic: [] }]]],
  ],
  [
    'extension-changed',
    'POST /posts: the data for the gateway changed (x-waygate-route)',
    [[`${CREATE} x-waygate-route`, '/posts']],
  ],
  [
    'extension-changed',
    'document: the data for the gateway changed (x-waygate)',
    [['x-waygate', { format: 1 }]],
  ],

  // Parameters
  [
    'parameter-added',
    'POST /posts: query parameter "force": it was added',
    [[`${CREATE} parameters`, [{ name: 'force', in: 'query', schema: { type: 'boolean' } }]]],
  ],
  [
    'required-parameter-added',
    'POST /posts: query parameter "force": it was added, and it is required (breaking)',
    [[`${CREATE} parameters`, [{ name: 'force', in: 'query', required: true }]]],
  ],
  [
    'parameter-removed',
    'GET /posts: query parameter "order": it was removed (breaking)',
    [
      [
        `${LIST} parameters`,
        [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }],
      ],
    ],
  ],
  [
    'parameter-renamed',
    'GET /posts/{post}: path parameter "post": the name changed from "id" to "post" (breaking)',
    [
      ['paths /posts/{id}', undefined],
      [
        'paths /posts/{post}',
        {
          get: {
            operationId: 'getPost',
            parameters: [{ name: 'post', in: 'path', required: true, schema: { type: 'integer' } }],
            responses: {
              200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } } },
            },
          },
        },
      ],
    ],
  ],
  [
    'became-required',
    'GET /posts: query parameter "order": it became required (breaking)',
    [[`${ORDER} required`, true]],
  ],
  [
    'became-optional',
    'GET /posts: query parameter "order": it became optional',
    [],
    [[`${ORDER} required`, true]],
  ],
  [
    'serialization-changed',
    'GET /posts: query parameter "order": the serialization changed from "form, exploded" to "form" (breaking)',
    [[`${ORDER} explode`, false]],
  ],
  [
    'value-removed',
    'GET /posts: query parameter "order": the value "asc" was removed (breaking)',
    [[`${ORDER} schema enum`, ['desc']]],
  ],
  [
    'value-added',
    'GET /posts: query parameter "order": the value "random" was added',
    [[`${ORDER} schema enum`, ['random', 'asc', 'desc']]],
  ],
  [
    'default-changed',
    'GET /posts: query parameter "order": the default changed from "desc" to "asc" (breaking)',
    [[`${ORDER} schema default`, 'asc']],
  ],
  [
    'default-removed',
    'GET /posts: query parameter "order": the default "desc" was removed (breaking)',
    [[`${ORDER} schema default`, undefined]],
  ],
  [
    'default-added',
    'GET /posts: query parameter "page": the default 1 was added (breaking)',
    [[`${PAGE} schema default`, 1]],
  ],
  [
    'default-added',
    'GET /posts: query parameter "page": the default "1" was added (breaking)',
    [[`${PAGE} schema x-waygate-default`, '1']],
  ],
  [
    'bound-tightened',
    'GET /posts: query parameter "page": minimum changed from 1 to 5 (breaking)',
    [[`${PAGE} schema minimum`, 5]],
  ],
  [
    'bound-tightened',
    'GET /posts: query parameter "order": maxLength changed from none to 5 (breaking)',
    [[`${ORDER} schema maxLength`, 5]],
  ],
  [
    'bound-loosened',
    'GET /posts: query parameter "page": maximum changed from 100 to 200',
    [[`${PAGE} schema maximum`, 200]],
  ],
  [
    'bound-loosened',
    'GET /posts: query parameter "page": maximum changed from 100 to none',
    [[`${PAGE} schema maximum`, undefined]],
  ],
  [
    'text-changed',
    'GET /posts: query parameter "page": the description changed (text only)',
    [[`${PAGE} description`, 'The page.']],
  ],
  ['text-changed', 'GET /posts: the summary changed (text only)', [[`${LIST} summary`, 'Lists posts']]],

  // Request bodies
  ['body-added', 'GET /posts: request body: it was added', [[`${LIST} requestBody`, { content: {} }]]],
  [
    'required-body-added',
    'GET /posts: request body: it was added, and it is required (breaking)',
    [[`${LIST} requestBody`, { required: true, content: {} }]],
  ],
  [
    'body-removed',
    'POST /posts: request body: it was removed (breaking)',
    [
      [`${CREATE} requestBody`, undefined],
      [BODY, {}],
    ],
    [[BODY, {}]],
  ],
  [
    'became-required',
    'POST /posts: request body: it became required (breaking)',
    [[`${CREATE} requestBody required`, true]],
  ],
  [
    'became-optional',
    'POST /posts: request body: it became optional',
    [],
    [[`${CREATE} requestBody required`, true]],
  ],
  [
    'media-type-added',
    'POST /posts: request body: the media type "text/xml" was added',
    [[`${CREATE} requestBody content text/xml`, {}]],
  ],
  [
    'media-type-removed',
    'POST /posts: request body: the media type "text/xml" was removed (breaking)',
    [],
    [[`${CREATE} requestBody content text/xml`, {}]],
  ],
  [
    'member-added',
    'POST /posts: request schema CreatePostBody, member "slug": it was added',
    [[`${BODY} properties slug`, { type: 'string' }]],
  ],
  [
    'required-member-added',
    'POST /posts: request schema CreatePostBody, member "slug": it was added, and it is required (breaking)',
    [
      [`${BODY} properties slug`, { type: 'string' }],
      [`${BODY} required`, ['slug']],
    ],
  ],
  [
    'member-removed',
    'POST /posts: request schema CreatePostBody, member "status": it was removed (breaking)',
    [[`${BODY} properties status`, undefined]],
  ],
  [
    'member-removed',
    'POST /posts: request schema CreatePostBody, member "status": it was removed (breaking)',
    [[`${BODY} properties status readOnly`, true]],
  ],
  [
    'became-required',
    'POST /posts: request schema CreatePostBody, member "status": it became required (breaking)',
    [[`${BODY} required`, ['status']]],
  ],
  [
    'type-narrowed',
    'POST /posts: request schema CreatePostBody, member "any": the type changed from "any value" to "string" (breaking)',
    [[`${BODY} properties any type`, 'string']],
  ],
  [
    'null-removed',
    'POST /posts: request schema CreatePostBody, member "count": it can no longer be null (breaking)',
    [[`${BODY} properties count type`, 'integer']],
  ],
  [
    'type-widened',
    'POST /posts: request schema CreatePostBody, member "count": the type changed from "integer" to "number"',
    [[`${BODY} properties count type`, ['number', 'null']]],
  ],
  [
    'values-restricted',
    'GET /posts: query parameter "page": only these values are stated now: 1, 2 (breaking)',
    [[`${PAGE} schema enum`, [1, 2]]],
  ],
  [
    'values-unrestricted',
    'GET /posts: query parameter "order": no longer only these values are stated: "asc", "desc"',
    [[`${ORDER} schema enum`, undefined]],
  ],
  [
    'alternative-removed',
    'POST /posts: request schema CreatePostBody, member "title": the alternative "object" was removed (breaking)',
    [[`${BODY} properties title`, { type: 'string' }]],
  ],
  [
    'alternative-added',
    'POST /posts: request schema CreatePostBody, member "status": the alternative "array of string" was added',
    [
      [
        `${BODY} properties status`,
        {
          default: 'draft',
          anyOf: [
            { type: 'string', enum: ['draft', 'publish'] },
            { type: 'array', items: { type: 'string' } },
          ],
        },
      ],
    ],
  ],
  [
    'value-removed',
    'POST /posts: request schema CreatePostBody, member "status": the value "draft" was removed (breaking)',
    [[`${BODY} properties status enum`, ['publish']]],
  ],

  // Responses
  [
    'success-status-added',
    'POST /posts: responses: the status "200" was added',
    [[`${CREATE} responses 200`, {}]],
  ],
  [
    'success-status-removed',
    'POST /posts: responses: the status "200" was removed (breaking)',
    [],
    [[`${CREATE} responses 200`, {}]],
  ],
  [
    'error-status-added',
    'GET /posts: responses: the error status "4XX" was added',
    [[`${LIST} responses 4XX`, {}]],
  ],
  [
    'error-status-removed',
    'GET /posts: responses: the error status "404" was removed',
    [[`${LIST} responses 404`, undefined]],
  ],
  [
    'context-added',
    'GET /posts: responses: the context "embed" was added',
    [[`${LIST} x-waygate-contexts embed`, { $ref: '#/components/schemas/Post' }]],
  ],
  [
    'context-removed',
    'GET /posts: responses: the context "edit" was removed (breaking)',
    [[`${LIST} x-waygate-contexts edit`, undefined]],
  ],
  [
    'error-code-added',
    'GET /posts: responses: the error code "rest_forbidden" was added',
    [[`${LIST} x-waygate-error-codes`, ['rest_forbidden']]],
  ],
  [
    'error-code-removed',
    'GET /posts: responses: the error code "rest_forbidden" was removed',
    [],
    [[`${LIST} x-waygate-error-codes`, ['rest_forbidden']]],
  ],
  [
    'member-added',
    'POST /posts: response schema Forced, member "previous": it was added',
    [
      [`${CREATE} x-waygate-forced`, { schema: { $ref: '#/components/schemas/Forced' } }],
      ['components schemas Forced', { properties: { previous: {} } }],
    ],
    [
      [`${CREATE} x-waygate-forced`, { schema: { $ref: '#/components/schemas/Forced' } }],
      ['components schemas Forced', {}],
    ],
  ],
  [
    'header-added',
    'GET /posts: response 200, header "Link": it was added',
    [[`${LIST} responses 200 headers Link`, {}]],
  ],
  [
    'header-removed',
    'GET /posts: response 200, header "X-WP-Total": it was removed (breaking)',
    [[`${LIST} responses 200 headers X-WP-Total`, undefined]],
  ],
  [
    'text-changed',
    'GET /posts: response 404: the description changed (text only)',
    [[`${LIST} responses 404 description`, 'None.']],
  ],
  [
    'member-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "slug": it was added',
    [[`${POST} properties slug`, { type: 'string' }]],
  ],
  [
    'required-member-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "slug": it was added, and it is required',
    [
      [`${POST} properties slug`, { type: 'string' }],
      [`${POST} required`, ['id', 'slug']],
    ],
  ],
  [
    'member-removed',
    'GET /posts and GET /posts/{id}: response schema Post, member "title.rendered": it was removed (breaking)',
    [[`${POST} properties title properties rendered`, undefined]],
  ],
  [
    'became-optional',
    'GET /posts and GET /posts/{id}: response schema Post, member "id": it became optional (breaking)',
    [[`${POST} required`, []]],
  ],
  [
    'became-required',
    'GET /posts and GET /posts/{id}: response schema Post, member "link": it became required',
    [[`${POST} required`, ['id', 'link']]],
  ],
  [
    'type-changed',
    'GET /posts and GET /posts/{id}: response schema Post, member "id": the type changed from "integer" to "string" (breaking)',
    [[`${POST} properties id type`, 'string']],
  ],
  [
    'type-widened',
    'GET /posts and GET /posts/{id}: response schema Post, member "id": the type changed from "integer" to "integer or string" (breaking)',
    [[`${POST} properties id type`, ['integer', 'string']]],
  ],
  [
    'null-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "id": it can be null now (breaking)',
    [[`${POST} properties id type`, ['integer', 'null']]],
  ],
  [
    'null-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "id": it can be null now (breaking)',
    [[`${POST} properties id`, { anyOf: [{ type: 'integer' }, { type: 'null' }] }]],
  ],
  [
    'value-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "status": the value "trash" was added (breaking)',
    [[`${POST} properties status enum`, ['draft', 'publish', 'trash']]],
  ],
  [
    'constraint-removed',
    'GET /posts and GET /posts/{id}: response schema Post, member "link": format "uri" was removed (breaking)',
    [[`${POST} properties link format`, undefined]],
  ],
  [
    'constraint-added',
    'GET /posts and GET /posts/{id}: response schema Post, member "status": pattern "^[a-z]+$" was added',
    [[`${POST} properties status pattern`, '^[a-z]+$']],
  ],
  [
    'constraint-changed',
    'GET /posts and GET /posts/{id}: response schema Post, member "link": format changed from "uri" to "iri" (breaking)',
    [[`${POST} properties link format`, 'iri']],
  ],
  [
    'other-members-untyped',
    'GET /posts and GET /posts/{id}: response schema Post, member "meta": the type of members of other names is no longer stated (breaking)',
    [[`${POST} properties meta additionalProperties`, true]],
  ],
  [
    'other-members-typed',
    'GET /posts and GET /posts/{id}: response schema Post: the type of members of other names is stated now',
    [[`${POST} additionalProperties`, { type: 'string' }]],
  ],
  [
    'other-members-refused',
    'POST /posts: request schema CreatePostBody: members of other names are no longer possible (breaking)',
    [[`${BODY} additionalProperties`, false]],
  ],
  [
    'other-members-accepted',
    'POST /posts: request schema CreatePostBody: members of other names are possible now',
    [],
    [[`${BODY} additionalProperties`, false]],
  ],
  [
    'type-changed',
    'GET /posts and GET /posts/{id}: response schema Post, member "meta.*": the type changed from "string" to "integer" (breaking)',
    [[`${POST} properties meta additionalProperties`, { type: 'integer' }]],
  ],
  [
    'schema-deprecated',
    'GET /posts and GET /posts/{id}: response schema Post, member "link": it was deprecated',
    [[`${POST} properties link deprecated`, true]],
  ],
  [
    'schema-undeprecated',
    'GET /posts and GET /posts/{id}: response schema Post, member "link": it is no longer deprecated',
    [],
    [[`${POST} properties link deprecated`, true]],
  ],
  [
    'member-added',
    'GET /posts and POST /posts: response schema PostEdit, member "slug": it was added',
    [['components schemas PostEdit properties slug', { type: 'string' }]],
  ],
];

describe('compareDocuments', () => {
  test.each(ROWS.map((row) => ({ rule: row[0], line: row[1], row })))('$rule: $line', ({ row }) => {
    const [rule, line, afterEdits, beforeEdits = []] = row;
    const before = edited(BASE, ...beforeEdits);
    const { changes, omitted } = runSteps(compareDocuments(before, edited(BASE, ...afterEdits)));
    expect(changes.map(formatChange)).toEqual([line]);
    expect(changes.map((change) => change.rule)).toEqual([rule]);
    expect(omitted).toBe(0);
  });

  test.each([
    ['the same object', BASE],
    ['equal content', structuredClone(BASE)],
  ])('finds no change in %s', (_, after) => {
    expect(runSteps(compareDocuments(BASE, after))).toEqual({ changes: [], omitted: 0 });
  });

  test('does not compare a document that nests too deeply, which counts as breaking', () => {
    const deep: JsonObject = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    const lines = ['document: it nests too deeply to be compared (breaking)'];
    expect(runSteps(compareDocuments(BASE, deep)).changes.map(formatChange)).toEqual(lines);
    expect(runSteps(compareDocuments(deep, BASE)).changes.map(formatChange)).toEqual(lines);
  });

  test('names a document in which only the order changed', () => {
    const { paths, ...rest } = BASE;
    const after = { paths: Object.fromEntries(Object.entries(paths as JsonObject).reverse()), ...rest };
    expect(runSteps(compareDocuments(BASE, after)).changes.map(formatChange)).toEqual([
      'document: only the order changed',
    ]);
  });
});

/** Rules that no row can be about alone. */
const TESTED_BELOW: readonly ChangeRuleName[] = ['order-changed', 'not-comparable'];

test('a row shows each rule', () => {
  const shown = new Set<string>([...ROWS.map(([rule]) => rule), ...TESTED_BELOW]);
  expect(Object.keys(CHANGE_RULES).filter((rule) => !shown.has(rule))).toEqual([]);
});
