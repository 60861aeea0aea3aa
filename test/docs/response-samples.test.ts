import { describe, expect, test } from 'vitest';
import { describeAccess } from '../../src/docs/operation-details.ts';
import { placeSample } from '../../src/docs/place-sample.ts';
import { ResponseExamples } from '../../src/example-values/response-examples.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { createSchemaCompiler } from '../support/document-schemas.ts';
import { readSeed } from '../support/documents.ts';
import { sampleOperations } from '../support/rendered-docs.ts';

const localize = (text: string): string => text.replaceAll('https://site.example.com', '');

describe.each(['boards', 'content'] as const)('the responses of %s', (name) => {
  const document = readSeed(name);
  const examples = new ResponseExamples(document);
  const compile = createSchemaCompiler(document, { validateFormats: false });

  test('have examples that are valid', () => {
    let count = 0;
    const invalid = sampleOperations(document).flatMap(({ details, operation }) =>
      details.responses.flatMap(({ contents, status }) =>
        contents.flatMap(({ media }) => {
          const example = examples.create(media);
          if (example === undefined) return [];
          count += 1;
          const validate = compile(media['schema'] ?? {});
          return validate(example) ? [] : [`${operation.id} ${status}: ${JSON.stringify(validate.errors)}`];
        }),
      ),
    );
    expect(count).toBeGreaterThan(100);
    expect(invalid).toEqual([]);
  });
});

const contentOf = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

const sampleOf = (media: JsonObject) =>
  sampleOfResponses({ '200': { content: { 'application/json': media } } });

const sampleOfResponses = (responses: JsonObject) =>
  sampleOperations({ paths: { '/a': { post: { responses } } } }, '', localize)[0]?.response;

test('links of a created example lead to the resource', () => {
  const place = {
    values: new Map(),
    requestUrl: 'https://gateway.example.com/wp-json',
    document: {
      paths: {
        '/wc/v3': {},
        '/wc/v3/orders': {},
        '/wc/v3/orders/{id}': {},
        '/wc/v3/orders/{id}/notes/{note}': {},
        '/wc/v3/x/batch': {},
        '/t/{parent}/autosaves/{id}': {},
      },
    },
  };
  const link = [{ href: 'https://example.com/' }];
  const item = { id: 7, _links: { self: link, collection: link, up: link } };
  const hrefs = (path: string): string =>
    [...JSON.stringify(placeSample([item], { ...place, path })).matchAll(/wp-json([^"]*)/g)]
      .join()
      .replaceAll('wp-json', '');
  expect(hrefs('/wc/v3/orders')).toContain('/wc/v3/orders/7,');
  expect(hrefs('/wc/v3/orders/{id}')).toContain('/wc/v3/orders/7,');
  expect(hrefs('/wc/v3/orders/{id}/notes/{note}')).toMatch(
    /orders\/42\/notes\/7,.*orders\/42\/notes,.*orders\/42,/,
  );
  expect(hrefs('/t/{id}/autosaves')).toContain('/t/42/autosaves/7,');
});

test('the example that a document states is shown, without the address of the site', () => {
  const schema = { type: 'string' };
  const shown = { status: '200', title: 'Example response', text: '"/x"' };
  expect(sampleOf({ schema, example: 'https://site.example.com/x' })).toEqual(shown);
  expect(sampleOf({ schema, examples: { one: { value: 'first' } } })?.text).toBe('"first"');
});

test('the sample of a creation has the status 201, also where the document lists 200 first', () => {
  const content = (example: string): JsonObject => ({
    content: { 'application/json': { schema: { type: 'string' }, example } },
  });
  const shown = { status: '201', title: 'Example response', text: '"created"' };
  expect(sampleOfResponses({ '200': content('changed'), '201': content('created') })).toEqual(shown);
});

test.each<[string, Json]>([
  ['very deep', Array.from({ length: 5_000 }).reduce<Json>((inner) => [inner], 1)],
  ['very large', Array.from({ length: 100_000 }, (_, at) => at)],
])('an example that is %s is not shown', (_, example) => {
  expect(sampleOf({ schema: {}, example })).toBeUndefined();
});

test('a long example is cut so that it is JSON, and its title says so', () => {
  const deep = (depth: number): Json =>
    depth === 0 ? 'x'.repeat(30) : { a: deep(depth - 1), b: deep(depth - 1) };
  const example = { id: 7, tree: deep(9), list: Array.from({ length: 300 }, () => 'x') };
  const { text = '', title } = sampleOf({ schema: {}, example }) ?? {};
  expect(text.length).toBeLessThan(6_100);
  expect(JSON.parse(text)).toMatchObject({ id: 7, tree: { a: { a: expect.anything() } } });
  expect(title).toBe('Example response, shortened');
});

const integer = { type: 'integer' };
const text = { type: 'string' };
const objectOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const listOf = (properties: JsonObject): JsonObject => ({ type: 'array', items: objectOf(properties) });

/** The sample of a response whose schema is the component `name`, and the request that it answers. */
function answer(
  path: string,
  name: string,
  properties: JsonObject,
  { sent, isList = false }: { readonly sent?: JsonObject; readonly isList?: boolean } = {},
): { readonly ids: readonly number[]; readonly response: Json } {
  const parameters = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, parameter = '']) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
  }));
  const schema = { $ref: `#/components/schemas/${name}` };
  const requestBody =
    sent === undefined ? {} : { requestBody: contentOf({ ...objectOf(sent), required: Object.keys(sent) }) };
  const responses = { '200': contentOf(isList ? { type: 'array', items: schema } : schema) };
  const document: JsonObject = {
    components: { schemas: { [name]: objectOf(properties) } },
    paths: { [path]: { post: { parameters, ...requestBody, responses } } },
  };
  const [sampled] = sampleOperations(document);
  return {
    ids: sampled?.details.parameters.map(({ example }) => Number(example)) ?? [],
    response: JSON.parse(sampled?.response?.text ?? 'null'),
  };
}

test('a created example has the values of the path', () => {
  const note = { id: integer, order_id: integer, text };
  const { ids, response } = answer('/orders/{order_id}/notes/{note}', 'Note', note);
  expect(response).toMatchObject({ id: ids[1], order_id: ids[0] });
  const idea = { id: integer, board_id: integer };
  const changed = answer('/boards/{board_id}/ideas/{idea_id}/move', 'Idea', idea);
  expect(changed.response).toMatchObject({ id: changed.ids[1], board_id: changed.ids[0] });
  const filtered = answer('/tasks/by-contact/{contact_id}', 'Task', { id: integer }, { isList: true });
  expect(filtered.response).not.toMatchObject([{ id: filtered.ids[0] }]);
});

test.each<[string, string, JsonObject, JsonObject, JsonObject]>([
  [
    'text in both forms',
    '/posts',
    {
      title: objectOf({ raw: { ...text, example: 'A' }, rendered: { ...text, example: 'A' } }),
      content: objectOf({ rendered: { ...text, example: '<p>A</p>\n' } }),
    },
    { title: { ...text, example: 'New one' }, content: { ...text, example: 'All of it.' } },
    {
      title: { raw: 'New one', rendered: 'New one' },
      content: { rendered: '<p>All of it.</p>\n' },
    },
  ],
  [
    'the status, and no id of nothing,',
    '/orders',
    { status: text, id: integer },
    { status: { ...text, example: 'pending' }, id: { ...integer, example: 0 } },
    { id: 42, status: 'pending' },
  ],
  [
    'no value that the schema of the response forbids',
    '/cards',
    { state: { type: 'string', enum: ['open'] } },
    { state: { ...text, example: 'shut' } },
    { state: 'open' },
  ],
])('a created example has %s of the request', (_, path, properties, sent, expected) => {
  expect(answer(path, 'Card', properties, { sent }).response).toMatchObject(expected);
});

test('an object in another one has its id where the name says so, and none is its own parent', () => {
  const comment = {
    id: integer,
    replies: listOf({ id: integer, comment_id: { ...integer, example: 12 }, author_id: integer }),
  };
  expect(answer('/comments', 'Comment', comment).response).toMatchObject({
    id: 42,
    replies: [{ comment_id: 42 }],
  });
  const revision = { id: integer, parent: { ...integer, example: 42 } };
  const { response } = answer('/posts/{id}/autosaves', 'PostAutosave', revision);
  expect(response).toMatchObject({ id: 60, parent: 42 });
});

test('a list has no member that is absent in lists', () => {
  const labels = { type: 'array', items: text, description: 'Its labels. Absent in lists.' };
  const item = objectOf({ id: integer, labels });
  const create = (schema: JsonObject): string => sampleOf({ schema })?.text ?? '';
  expect(JSON.parse(create({ type: 'array', items: item }))).toEqual([{ id: 42 }]);
  expect(JSON.parse(create(item))).toHaveProperty('labels');
});

test('a long text in an example is cut, and its control characters are removed', () => {
  const text = sampleOf({ schema: {}, example: `\u202e${'x'.repeat(1_000_000)}` })?.text ?? '';
  expect(text.length).toBeLessThan(7_000);
  expect(text).not.toContain('\u202e');
});

const REFUSED = 'The site refuses requests without sufficient credentials.';
test.each<[string, JsonObject, readonly string[], string | undefined]>([
  ['states no security', {}, ['rest_invalid_param'], undefined],
  ['lists anonymous access', { security: [{}, { password: [] }] }, [], undefined],
  ['lists no anonymous access', { security: [{ password: [] }] }, [], 'Needs credentials.'],
  ['has the error of a missing right', {}, ['rest_cannot_create'], 'Needs a user with the right to do it.'],
  [
    'has the error of a read without a right',
    {},
    ['block_cannot_read'],
    'Needs a user with the right to do it.',
  ],
  [
    'has errors of private items',
    {},
    ['rest_cannot_read', 'rest_cannot_read_post'],
    'Private items need a user who may read them.',
  ],
  ['has the error of some users', {}, ['rest_user_cannot_view'], undefined],
  [
    'has the error of a context',
    {},
    ['rest_forbidden_context'],
    'The edit context needs a user who may edit.',
  ],
  ['has a response with the status 401', { responses: { '401': {} } }, [], REFUSED],
])('an operation that %s', (_, operation, codes, text) => {
  expect(describeAccess(operation, {}, codes)?.text).toBe(text);
});

test.each([
  ['POST /wp/v2/posts', ['rest_cannot_create'], 'such as an editor or an administrator.'],
  ['GET /wp/v2/blocks/{id}', ['rest_forbidden_context'], 'the right to do it, such as an editor'],
  ['PUT /wp/v2/wp_pattern_category/{id}', ['rest_cannot_update'], 'it, such as an editor or an admin'],
  ['PUT /wp/v2/settings', [], 'the right to do it, such as an administrator.'],
  ['GET /wp/v2/users/me', ['rest_not_logged_in'], 'Needs a signed-in user.'],
  ['DELETE /wp/v2/posts/{parent}/revisions/{id}', ['rest_cannot_delete'], 'to every user.'],
  ['GET /wp-abilities/v1/abilities', [], 'Needs a signed-in user.'],
  ['POST /wp-abilities/v1/abilities/{name}/run', [], 'a user whom the ability allows to run it.'],
  ['POST /batch/v1', [], 'the users that its requests need.'],
  ['DELETE /wc/v3/orders/{id}', ['woocommerce_rest_cannot_delete'], 'the right to do it.'],
])('%s names who may do it', (name, codes, text) => {
  const access = describeAccess({}, {}, codes, name);
  expect(access).toMatchObject({ isRequired: true, text: expect.stringContaining(text) });
});
