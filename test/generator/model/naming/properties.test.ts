import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupBy } from '../../../../src/base/group-by.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { assignOperationNames, type OperationToName } from '../../../../src/generator/model/naming/names.ts';
import { ownerOf } from '../../../../src/generator/model/naming/namespaces.ts';
import { toNamingInput } from '../../../../src/generator/model/naming/phrase.ts';
import { createOperationSummary } from '../../../../src/generator/model/naming/summary.ts';

const NAMESPACES = ['', 'wp/v2', 'core/v2', 'a/v1', 'a', 'boards/v2'];

const segment = fc.oneof(
  fc.constantFrom(...'posts post media by-id run archive-board board v1 Posts settings me'.split(' ')),
  fc.constantFrom('{id}', '{slug}', '{parent}', '{__proto__}', '{a}-{b}', 'file.{ext}'),
  // Two or three of them, with other words, are longer than a name may be.
  fc.constantFrom('application-passwords-of-users', 'by-identifier-of-customer'),
  fc.string({ maxLength: 6 }).map((text) => text.replaceAll(/[/{}]/g, '')),
);
const methods = fc.uniqueArray(
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'M-SEARCH', '1X', '!~|'),
  {
    minLength: 1,
  },
);

/** The operations of one route with one endpoint. */
const routeOf = (...namespaces: readonly string[]): fc.Arbitrary<readonly OperationToName[]> =>
  fc
    .record({
      namespace: fc.constantFrom(...namespaces),
      segments: fc.array(segment, { maxLength: 4 }),
      methods,
      argumentNamesOfGet: fc.constantFrom<readonly string[]>([], ['per_page']),
    })
    .map(({ namespace, segments, methods: routeMethods, argumentNamesOfGet }) => {
      const template = `/${[namespace, ...segments].filter((part) => part !== '').join('/')}`;
      const input = { namespace, template, routeMethods, endpointMethods: routeMethods, argumentNamesOfGet };
      return routeMethods.map((method) => ({
        owner: ownerOf(namespace, segments[0]),
        namingInput: toNamingInput({ ...input, method }),
      }));
    });

const isOf =
  (namespace: string) =>
  ({ namingInput }: OperationToName): boolean =>
    namingInput.namespace === namespace;

function namesByNamespace(operations: readonly OperationToName[]): ReadonlyMap<string, readonly string[]> {
  const names = runSteps(assignOperationNames(operations));
  const named = operations.map((operation, at) => ({ ...operation, name: names[at] ?? '' }));
  const groups = groupBy(named, ({ namingInput }) => namingInput.namespace);
  return new Map(Array.from(groups, ([namespace, group]) => [namespace, group.map(({ name }) => name)]));
}

const route = routeOf(...NAMESPACES);
const site = fc.array(route, { maxLength: 25 });

describe('the names of arbitrary routes', () => {
  test('are case-insensitively unique identifiers of at most 80 characters', () => {
    fc.assert(
      fc.property(site, (routes) => {
        const names = runSteps(assignOperationNames(routes.flat()));
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(routes.flat().length);
        for (const name of names) expect(name).toMatch(/^[a-z][\p{L}\d]{2,}$/u);
        for (const name of names) expect(name.length).toBeLessThanOrEqual(83);
      }),
    );
  });

  test('are the same with and without routes of other namespaces, wherever these stand', () => {
    const routes = fc.array(routeOf('wp/v2', 'toolbox/v1', 'toolbox/v2', 'another/plugin'), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(routes, (all) => {
        const together = namesByNamespace(all.flat());
        for (const [namespace, names] of together)
          expect([...namesByNamespace(all.flat().filter(isOf(namespace)))]).toEqual([[namespace, names]]);
      }),
    );
  });

  test('have a summary of one line', () => {
    fc.assert(
      fc.property(site, (routes) => {
        for (const { namingInput } of routes.flat())
          expect(createOperationSummary(namingInput)).toMatch(/^[A-Z][^\n]{2,}$/);
      }),
    );
  });
});
