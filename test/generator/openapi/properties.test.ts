import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../src/base/steps.ts';
import { readServedApi } from '../../../src/generator/openapi/index.ts';
import { measureIndexCoverage } from '../../support/index-coverage.ts';
import { generateFrom } from '../../support/site.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PURGE'];

/** Parts of patterns as sites write them, few enough that generated routes often share a path. */
const piece = fc.constantFrom(
  ...['x', 'y', '(?P<id>\\d+)', '(?P<slug>[a-z-]+)', '(?P<parent>[\\d]+)', '(?P<name>[a-z]+/[a-z]+)', '('],
  ...['(?P<deep>[a-z]+/[a-z]+/[a-z]+)', '(?P<path>[\\w/]+)', '(?:(?P<a>\\d+)|(?P<b>[a-z]+))', '(\\d+)'],
  ...['[a-z]+', '(?:alpha|beta)', '.*'],
);

const pattern = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '(?:/(?P<last>\\d+))?', '/?'))
  .map(([pieces, tail]) => `/p/v1/${pieces.join('/')}${tail}`);

const argument = fc.constantFrom(...'id slug name last segment context per_page _fields toString'.split(' '));

const endpoint = fc.record({
  methods: fc.uniqueArray(fc.constantFrom(...METHODS), { minLength: 1, maxLength: 4 }),
  args: fc.dictionary(
    argument,
    fc.record({ type: fc.constantFrom('string', 'integer', 'array'), required: fc.boolean() }),
  ),
});

const schema = fc.option(
  fc.record({
    title: fc.constantFrom('x', 'post', ''),
    properties: fc.dictionary(argument, fc.record({ context: fc.subarray(['view', 'edit', 'embed']) })),
  }),
  { nil: undefined },
);

const index = fc
  .dictionary(
    pattern,
    fc.record({
      namespace: fc.constant('p/v1'),
      endpoints: fc.array(endpoint, { minLength: 1, maxLength: 3 }),
      schema,
    }),
    { maxKeys: 12 },
  )
  .map((routes) => ({ name: 'A site', namespaces: ['p/v1'], routes: JSON.parse(JSON.stringify(routes)) }));

describe('any site', () => {
  it('keeps every operation and argument when routes share paths, and has no path and no id twice', () => {
    fc.assert(
      fc.property(index, (raw) => {
        const { document, report } = generateFrom(raw);
        const { missing, shadowed } = measureIndexCoverage(raw, document);
        expect(missing).toEqual([]);
        expect(report.rules['dead-endpoint'] ?? 0).toBe(shadowed.length);
        const shapes = Object.keys(document.paths).map((path) => path.replace(/\{[^}]*\}/g, '{}'));
        expect(new Set(shapes).size).toBe(shapes.length);
        const ids = Object.values(document.paths).flatMap((item) =>
          Object.values({ ...Object(item), ...Object(item)['x-waygate-methods'] }).flatMap(
            (operation) => Object(operation).operationId ?? [],
          ),
        );
        expect(new Set(ids).size).toBe(ids.length);
        const api = runSteps(readServedApi(JSON.parse(JSON.stringify(document))));
        expect(api.routes.map((route) => route.pattern)).toEqual(Object.keys(raw.routes));
      }),
      { numRuns: 40 },
    );
  });
});
