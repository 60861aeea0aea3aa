import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import type { GeneratedDocument } from '../../../src/generator/openapi/index.ts';
import { useStepCounter } from '../../support/steps.ts';

const ADDRESS = {
  base: 'https://example.com/',
  root: 'https://example.com/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
} as const;

const ROUTES_OF_SMALL_SITE = 24;
const GROWTH = 8;
/** Linear work takes 8 times the steps for 8 times the routes, quadratic work 64 times. */
const MAX_RATIO = 10;

const countSteps = useStepCounter();

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
  [
    'arguments of one route',
    (size) =>
      toIndex([
        [
          '/shop/v1/things(?:/(?P<id>\\d+))?',
          {
            endpoints: [
              { methods: ['GET'], args: Object.fromEntries(range(size).map((n) => [`a${n}`, {}])) },
            ],
          },
        ],
      ]),
  ],
];

describe('the work for a document grows with the number of', () => {
  test.each(INDEXES)('%s', async (_name, index) => {
    const [small, large] = [index(ROUTES_OF_SMALL_SITE), index(ROUTES_OF_SMALL_SITE * GROWTH)];
    const steps = await countSteps(() => generate(small));
    expect(await countSteps(() => generate(large))).toBeLessThan(steps * MAX_RATIO);
  });
});

/** Generates the document of an index, and reads it as the gateway does. */
test.each([
  { target: '$.paths.*.get', update: { deprecated: true } },
  { target: '$..summary', remove: true },
])('an action of an overlay takes steps in proportion to its places: %j', async (action) => {
  const { applyOverlay } = await import('../../../src/generator/openapi/overlay.ts');
  const apply = (size: number) => {
    const paths = range(size).map((number) => [`/shop/v1/${number}`, { get: { summary: 'A thing.' } }]);
    const document = { openapi: '3.1.1', info: {}, paths: Object.fromEntries(paths) };
    return countSteps(() => {
      const { changes } = applyOverlay(document, { overlay: '1.1.0', actions: [action] });
      expect(changes).toMatchObject([{ places: size }]);
    });
  };
  const steps = await apply(ROUTES_OF_SMALL_SITE);
  expect(await apply(GROWTH * ROUTES_OF_SMALL_SITE)).toBeLessThan(MAX_RATIO * steps);
});

async function generate(index: Json): Promise<GeneratedDocument> {
  const { readIndex } = await import('../../../src/generator/discovery/read-index.ts');
  const { readServedApi, toOpenApi } = await import('../../../src/generator/openapi/index.ts');
  const { runSteps } = await import('../../../src/base/steps.ts');
  const generated = toOpenApi({ address: ADDRESS, ...readIndex(index) });
  const { routes } = runSteps(readServedApi(generated.document));
  for (const { operations } of routes)
    for (const { parameters } of operations.values()) expect(parameters).toBeDefined();
  return generated;
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
    icon: '',
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

function range(size: number): readonly number[] {
  return Array.from({ length: size }, (_, number) => number);
}
