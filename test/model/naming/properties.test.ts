import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignOperationNames, type OperationToName } from '../../../src/model/naming/names.ts';
import { NamespaceRanks } from '../../../src/model/naming/namespaces.ts';
import { toNamingInput } from '../../../src/model/naming/phrase.ts';
import { createOperationSummary } from '../../../src/model/naming/summary.ts';
import { runSteps } from '../../../src/steps.ts';

const NAMESPACES = ['', 'wp/v2', 'core/v2', 'a/v1', 'a', 'boards/v2'];
const RANKS = new NamespaceRanks([...NAMESPACES, 'z/v1']);

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
        owner: RANKS.ownerOf(namespace),
        namingInput: toNamingInput({ ...input, method }),
      }));
    });

const route = routeOf(...NAMESPACES);
const site = fc.array(route, { maxLength: 25 });

describe('the names of arbitrary routes', () => {
  test('are case-insensitively unique identifiers of at most 80 characters', () => {
    fc.assert(
      fc.property(site, (routes) => {
        const names = runSteps(assignOperationNames(routes.flat()));
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(routes.flat().length);
        for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z\d]{2,}$/);
        for (const name of names) expect(name.length).toBeLessThanOrEqual(83);
      }),
    );
  });

  test('do not change when a plugin adds a route that ranks last', () => {
    fc.assert(
      fc.property(site, routeOf('z/v1'), (routes, added) => {
        const before = runSteps(assignOperationNames(routes.flat()));
        expect(runSteps(assignOperationNames([...routes.flat(), ...added])).slice(0, before.length)).toEqual(
          before,
        );
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
