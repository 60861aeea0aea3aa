import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { useStepCounter } from '../../support/steps.ts';

const SMALL = 24;
const GROWTH = 8;
/** Linear work takes 8 times the steps for 8 times the routes, quadratic work 64 times. */
const MAX_RATIO = 10;

const countSteps = useStepCounter();

const range = (size: number): readonly number[] => Array.from({ length: size }, (_, number) => number);
const get = (method = 'GET'): Json => ({ methods: [method], args: { id: { type: 'integer' } } });

/** A route whose response has a schema with ten properties. */
function described(title: string, number: number): JsonObject {
  const description = `A property of ${number}.`;
  const properties = Object.fromEntries(
    range(10).map((at) => [`property_${at}`, { type: 'string', description, context: ['view', 'edit'] }]),
  );
  return { endpoints: [get()], schema: { title, type: 'object', properties } };
}

/** Hostile indexes, by the number of their routes, each of a kind for which a part of the generation was or could be quadratic. */
const ROUTES: Readonly<Record<string, (size: number) => readonly (readonly [string, JsonObject])[]>> = {
  'resources of one namespace whose schemas have the same properties': (size) =>
    range(size).map((number) => [`/shop/v1/things-${number}`, described(`thing${number}`, number)]),
  'resources of the same title': (size) =>
    range(size).map((number) => [`/shop/v1/things-${number}`, described('thing', number)]),
  'routes that share a path template': (size) =>
    range(size).map((number) => [
      `/shop/v1/things/(?P<id>[\\d]{1,${number + 1}})`,
      described('thing', number),
    ]),
  'endpoints of one route': (size) => [
    ['/shop/v1/things', { endpoints: range(size).map((number) => get(`M${number}`)) }],
  ],
  'arguments of one route': (size) => {
    const args = Object.fromEntries(range(size).map((number) => [`a${number}`, {}]));
    return [['/shop/v1/things(?:/(?P<id>\\d+))?', { endpoints: [{ methods: ['GET'], args }] }]];
  },
};

describe('the work for a document grows with the number of', () => {
  test.each(Object.entries(ROUTES))('%s', async (_, routesOf) => {
    const { generateFrom } = await import('../../support/site.ts');
    const { readServedApi } = await import('../../../src/generator/openapi/index.ts');
    const { runSteps } = await import('../../../src/base/steps.ts');
    /** Generates the document of an index, and reads it as the gateway does. */
    const stepsFor = (size: number): Promise<number> => {
      const namespace = 'shop/v1';
      const routes = routesOf(size).map(([pattern, route]) => [pattern, { namespace, ...route }]);
      const index = { name: 'Shop', namespaces: [namespace], routes: Object.fromEntries(routes) };
      return countSteps(() => {
        for (const { operations } of runSteps(readServedApi(generateFrom(index).document)).routes)
          for (const { parameters } of operations.values()) expect(parameters).toBeDefined();
      });
    };
    const steps = await stepsFor(SMALL);
    expect(await stepsFor(SMALL * GROWTH)).toBeLessThan(steps * MAX_RATIO);
  });
});

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
  const steps = await apply(SMALL);
  expect(await apply(SMALL * GROWTH)).toBeLessThan(MAX_RATIO * steps);
});
