import { describe, expect, test } from 'vitest';
import { readIndex } from '../../src/discovery/read-index.ts';
import type { Json } from '../../src/json.ts';
import { toOpenApi } from '../../src/openapi/index.ts';

const ADDRESS = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
} as const;

const ROUTES_OF_SMALL_SITE = 150;
const GROWTH = 8;
/** A linear step needs 8 times the CPU time for 8 times the routes, a quadratic one 64 times. */
const MAX_RATIO = 20;
/** Shorter times are too inexact for a ratio. */
const NEGLIGIBLE_MILLISECONDS = 100;

type Index = (size: number) => Json;

/** Hostile indexes, each of a kind for which a part of the generation was or could be quadratic. */
const INDEXES: readonly (readonly [name: string, index: Index])[] = [
  [
    'resources of one namespace whose schemas have the same properties',
    (size) => routes(size, (number) => ({ endpoints: [get()], schema: toSchema(`thing${number}`, number) })),
  ],
  [
    'resources of the same title',
    (size) => routes(size, (number) => ({ endpoints: [get()], schema: toSchema('thing', number) })),
  ],
  [
    'resources whose titles differ in case only',
    (size) =>
      routes(size, (number) => ({
        endpoints: [get()],
        schema: toSchema(toMixedCase('abcdefghijklmno', number), number),
      })),
  ],
  [
    'routes that share a path template',
    (size) =>
      toIndex(
        range(size).map((number) => [
          `/shop/v1/things/(?P<id>[\\d]{1,${number + 1}})`,
          { endpoints: [get()], schema: toSchema('thing', number) },
        ]),
      ),
  ],
  [
    'endpoints of one route',
    (size) => oneRoute({ endpoints: range(size).map((number) => get(`M${number}`)) }),
  ],
  ['unreachable endpoints of one route', (size) => oneRoute({ endpoints: range(size).map(() => get()) })],
  [
    'literals of one path',
    (size) => toIndex([[`/shop/v1${'/things'.repeat(size)}`, { endpoints: [get()] }]]),
  ],
  [
    'values of an enum',
    (size) =>
      oneRoute({ endpoints: [{ methods: ['GET'], args: { a: { enum: range(size).map((n) => `v${n}`) } } }] }),
  ],
];

describe('the CPU time of a document grows with the number of', () => {
  test.each(INDEXES)('%s', (_name, index) => {
    generate(index(ROUTES_OF_SMALL_SITE));
    // A garbage collection or a compilation can fall into one measurement, a quadratic step is in each.
    const isLinear = range(3).some(() => {
      const small = Math.min(measure(index(ROUTES_OF_SMALL_SITE)), measure(index(ROUTES_OF_SMALL_SITE)));
      const large = measure(index(ROUTES_OF_SMALL_SITE * GROWTH));
      return large < NEGLIGIBLE_MILLISECONDS || large < small * MAX_RATIO;
    });
    expect(isLinear).toBe(true);
  });
});

test('references that multiply the schemas of a site are left open beyond a limit', () => {
  const doubling = Object.fromEntries(
    range(13).map((number) => [
      `level${number}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          ['a', 'b'].map((name) => [name, { $ref: `#/definitions/level${number + 1}` }]),
        ),
      },
    ]),
  );
  const definitions = { ...doubling, level13: { type: 'string' } };
  const index = routes(40, (number) => ({
    endpoints: [get()],
    schema: {
      title: `thing${number}`,
      type: 'object',
      properties: { a: { $ref: '#/definitions/level0' } },
      definitions,
    },
  }));
  const { document, report } = generate(index);
  expect(JSON.stringify(document).length).toBeLessThan(10_000_000);
  expect(report.diagnostics.map(({ message }) => message)).toContain(
    'The references of the site lead to too many schemas.',
  );
});

function generate(index: Json): ReturnType<typeof toOpenApi> {
  return toOpenApi({ address: ADDRESS, ...readIndex(index) });
}

/** Milliseconds of CPU time of the process. */
function measure(index: Json): number {
  const started = process.cpuUsage();
  generate(index);
  const { system, user } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

function routes(size: number, create: (number: number) => { readonly [member: string]: Json }): Json {
  return toIndex(range(size).map((number) => [`/shop/v1/things-${number}`, create(number)]));
}

function oneRoute(route: { readonly [member: string]: Json }): Json {
  return toIndex([['/shop/v1/things', route]]);
}

function toIndex(entries: readonly (readonly [string, { readonly [member: string]: Json }])[]): Json {
  const namespace = 'shop/v1';
  return {
    name: 'Shop',
    namespaces: [namespace],
    authentication: {},
    routes: Object.fromEntries(entries.map(([pattern, route]) => [pattern, { namespace, ...route }])),
  };
}

function get(method = 'GET'): Json {
  return { methods: [method], args: { id: { type: 'integer' } } };
}

function toSchema(title: string, number: number): Json {
  const properties = Object.fromEntries(
    range(10).map((field) => [
      `property_${field}`,
      { type: 'string', description: `Property ${field} of ${number}.`, context: ['view', 'edit'] },
    ]),
  );
  return { title, type: 'object', properties };
}

/** Writes the letters in the case that the bits of a number choose. */
function toMixedCase(text: string, number: number): string {
  return [...text].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('');
}

function range(size: number): readonly number[] {
  return Array.from({ length: size }, (_, number) => number);
}
