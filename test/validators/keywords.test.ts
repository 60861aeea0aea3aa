import { describe, expect, test } from 'vitest';
import { toClient } from '../../src/client/index.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { toValidators } from '../../src/validators/index.ts';
import { documentWith } from '../types/documents.ts';
import { createTypeChecker } from '../types/type-checker.ts';
import { issuesOf, loadModule } from './load-module.ts';

const KINDS = ['zod', 'json'] as const;

/** Validators of one component, named Value, of both kinds. */
async function validatorsOf(schema: Json, others: JsonObject = {}) {
  const document = documentWith({ Value: schema, ...others });
  return Promise.all(
    KINDS.map(async (kind) => loadModule(await toValidators(document, { kind })).constants['Value']),
  );
}

/** A schema, values that it accepts, and values that it refuses with the paths of their first issues, if those have one. */
const CASES: readonly (readonly [
  Json,
  accepted: readonly Json[],
  refused: readonly Json[],
  paths?: readonly string[],
])[] = [
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '👍👍👍'], ['a', '👍', 'abcd', 5]],
  [{ type: ['string', 'null'], enum: ['a', null] }, ['a', null], ['b']],
  [{ type: 'integer', minimum: 1, exclusiveMaximum: 5 }, [1, 4, 2.0], [0, 5, 1.5]],
  // PHP has integers of 64 bits.
  [{ type: 'integer' }, [2 ** 53, 2 ** 63, -(2 ** 63)], [0.5]],
  [{ type: 'string', pattern: '^[a-z]+$' }, ['ab'], ['A']],
  // K8
  [{ type: 'string', pattern: '^[\\p{L}]+$' }, ['Été'], ['', 'a1']],
  [{ type: 'string', pattern: '^[\\p{Script=Greek}\\p{M}]+$' }, ['λόγος'], ['logos']],
  [{ type: 'string', format: 'date-time' }, ['2026-01-01T10:00:00', '2026-01-01T10:00:00+01:00'], ['x']],
  [{ type: 'string', format: 'uri' }, ['not an address'], []],
  [
    { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
    [['a', 'b']],
    [[], ['a', 'a'], ['a', 1]],
    ['', '', '1'],
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] } },
    },
    [{}, { a: { b: 1, c: 2 }, other: true }],
    [{ a: {} }, { a: { b: 'x' } }, []],
    ['a.b', 'a.b', ''],
  ],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, [{}, { a: 1 }], [{ a: 'x' }], ['a']],
  [
    { type: 'object', properties: { a: true }, additionalProperties: { type: 'integer' } },
    [{ a: 'x', b: 1 }],
    [{ b: 'x' }],
    ['b'],
  ],
  [{ type: 'object', minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [
    { allOf: [{ $ref: '#/components/schemas/Other' }, { type: 'object', required: ['b'] }] },
    [{ a: 'x', b: 1 }],
    [{ a: 'x' }],
    ['b'],
  ],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { b: 1 }], [{}]],
  [true, [null, 'x', {}], []],
  [{ not: { type: 'string' } }, ['not checked'], []],
  [{ type: 'string', pattern: '^(a+)+$' }, ['not linear, so not checked'], []],
  [{ minLength: 5 }, ['x', 5], []],
];

const cases = CASES.map(([schema, accepted, refused, paths]) => ({ schema, accepted, refused, paths }));
describe.each(cases)('validators of $schema', ({ schema, accepted, refused, paths }) => {
  test('accept and refuse values as the schema does, with the path of the issue', async () => {
    const other: Json = { type: 'object', properties: { a: { type: 'string' } } };
    for (const [index, validator] of (await validatorsOf(schema, { Other: other })).entries()) {
      // Without a type, only the kind `json` applies the keywords of strings.
      const isStricter = KINDS[index] === 'json' && JSON.stringify(schema) === '{"minLength":5}';
      for (const value of isStricter ? accepted.slice(1) : accepted) {
        expect([KINDS[index], value, issuesOf(validator, value)]).toEqual([KINDS[index], value, null]);
      }
      for (const [at, value] of refused.entries()) {
        const path = paths?.[at] ?? '';
        const [issue] = issuesOf(validator, value) ?? [];
        // An alternative that failed has its own path in one kind, and none in the other.
        if (!('anyOf' in Object(schema)))
          expect([KINDS[index], value, issue]).toEqual([KINDS[index], value, path]);
        else expect(issue).toBeDefined();
      }
    }
  });
});

describe('validators of recursive schemas', () => {
  const node: Json = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Value' } },
      other: { anyOf: [{ $ref: '#/components/schemas/Peer' }, { type: 'null' }] },
    },
  };
  const peer: Json = { type: 'object', properties: { back: { $ref: '#/components/schemas/Value' } } };

  test('validate at every depth', async () => {
    for (const validator of await validatorsOf(node, { Peer: peer })) {
      const child = { name: 'b', other: { back: { name: 'c' } } };
      expect(issuesOf(validator, { name: 'a', children: [child] })).toBeNull();
      expect(issuesOf(validator, { name: 'a', children: [child, {}] })).toEqual(['children.1.name']);
      expect(issuesOf(validator, { name: 'a', other: { back: {} } })).not.toBeNull();
    }
  });

  test('of kind json end for schemas that refer to themselves, and for values of any depth', async () => {
    const [, circular] = await validatorsOf({
      anyOf: [{ $ref: '#/components/schemas/Value' }, { type: 'null' }],
    });
    expect(issuesOf(circular, 'x')).not.toBeNull();
    const [, validator] = await validatorsOf(node, { Peer: peer });
    let value: JsonObject = { name: 'leaf' };
    for (let depth = 0; depth < 5_000; depth += 1) value = { name: 'node', children: [value] };
    expect(issuesOf(validator, value)).not.toBeNull();
  });
});

describe('validators of an operation', () => {
  const document = documentWith(
    {
      Item: {
        type: 'object',
        required: ['id', 'secret'],
        properties: { id: { type: 'integer', readOnly: true }, secret: { type: 'string', writeOnly: true } },
      },
      ItemEdit: { type: 'object', required: ['raw'], properties: { raw: { type: 'string' } } },
    },
    {
      '/items/{id}': {
        post: {
          operationId: 'update item',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            {
              name: 'tags',
              in: 'query',
              style: 'form',
              explode: false,
              schema: { type: 'array', items: { type: 'string' } },
            },
          ],
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  additionalProperties: false,
                  required: ['id'],
                  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
                },
              },
            },
          },
          responses: {
            201: {
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
                },
              },
            },
          },
          'x-waygate-contexts': {
            edit: { $ref: '#/components/schemas/ItemEdit' },
            view: { $ref: '#/components/schemas/Item' },
          },
        },
      },
    },
  );

  test.each(KINDS)('of kind %s are for path, query, body, response and contexts', async (kind) => {
    const operation = loadModule(await toValidators(document, { kind })).validators['update item'] ?? {};
    expect(issuesOf(operation.path, { id: 5 })).toBeNull();
    expect(issuesOf(operation.path, { id: '5' })).toEqual(['id']);
    expect(issuesOf(operation.query, { tags: 'a' })).toBeNull();
    expect(issuesOf(operation.query, { tags: ['a', 'b'] })).toBeNull();
    expect(issuesOf(operation.query, { tags: 5 })).not.toBeNull();
    // A read-only property is required of responses only, and a write-only one of requests only.
    expect(issuesOf(operation.body, { name: 'x' })).toBeNull();
    expect(issuesOf(operation.body, { name: 'x', other: 1 })).not.toBeNull();
    expect(issuesOf(operation.response, [{ id: 1, added: true }])).toBeNull();
    expect(issuesOf(operation.response, [{}])).toEqual(['0.id']);
    expect(issuesOf(operation.contexts?.['edit'], [{ raw: 'x' }])).toBeNull();
    expect(issuesOf(operation.contexts?.['edit'], [{ id: 1 }])).toEqual(['0.raw']);
  });

  test.each(KINDS)('of kind %s are the same text every time, and name what is not checked', async (kind) => {
    const schema: Json = { type: 'string', pattern: '^(a+)+$' };
    const create = () => toValidators(documentWith({ Value: schema }), { kind });
    const text = await create();
    expect(await create()).toBe(text);
    expect(text).toContain('/* not checked: pattern (not linear): ^(a+)+$ */');
  });
});

// K6: a read-only member is not required in requests.
describe('the type of a body in the client and both validators agree', () => {
  const id: JsonObject = { type: 'integer', readOnly: true };
  const name: JsonObject = { type: 'string' };
  const item: JsonObject = { type: 'object', required: ['id'], properties: { id, name } };
  const rows: readonly (readonly [Json, accepted: Json, refused: Json])[] = [
    [item, {}, { name: 5 }],
    [{ ...item, required: ['id', 'name'] }, { name: 'x' }, {}],
    [{ type: 'object', properties: { item } }, { item: { name: 'x' } }, { item: { name: 5 } }],
    [
      { type: 'object', properties: { items: { type: 'array', items: item } } },
      { items: [{}] },
      { items: 5 },
    ],
    [{ $ref: '#/components/schemas/Item' }, { name: 'x' }, { name: 5 }],
    [{ allOf: [{ $ref: '#/components/schemas/Item' }, { ...item, required: ['name'] }] }, { name: 'x' }, {}],
    [{ ...item, required: ['id', 'token'] }, { token: 'x' }, {}],
  ];
  const document = documentWith(
    { Item: item },
    Object.fromEntries(
      rows.map(([schema], at) => [
        `/a/v1/r${at}`,
        {
          post: {
            operationId: `r${at}`,
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { 200: { description: 'OK' } },
          },
        },
      ]),
    ),
  );

  test('about what they accept', async () => {
    const call = (body: Json, at: number) =>
      `await client.POST('/a/v1/r${at}', { body: ${JSON.stringify(body)} });`;
    const { errors } = createTypeChecker()(
      {
        'site.client.ts': await toClient(document),
        'program.ts': [
          `import { createClient } from './site.client.ts';`,
          `const client = createClient({ baseUrl: '/wp-json' });`,
          ...rows.map(([, accepted], at) => call(accepted, at)),
          ...rows.map(([, , refused], at) => `// @ts-expect-error\n${call(refused, at)}`),
          'export {};',
        ].join('\n'),
      },
      { isolatedDeclarations: false, declaration: false },
    );
    expect(errors).toEqual([]);
    for (const kind of KINDS) {
      const { validators } = loadModule(await toValidators(document, { kind }));
      const issues = rows.map(([, ...bodies], at) =>
        bodies.map((body) => issuesOf(validators[`r${at}`]?.body, body) === null),
      );
      expect(issues).toEqual(rows.map(() => [true, false]));
    }
  }, 30_000);
});
