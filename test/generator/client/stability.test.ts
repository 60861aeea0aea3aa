import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, toJsonObject } from '../../../src/base/json.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { stringifyDocument } from '../../../src/generator/openapi/index.ts';
import { readOtherIndexes, readShopIndex } from '../../support/recorded-indexes.ts';
import { generateFor, generateFrom, type StubEndpoints } from '../../support/site.ts';

type Routes = readonly (readonly [pattern: string, endpoints: StubEndpoints])[];

const context = { type: 'string', enum: ['view', 'edit'] };
const order = { type: 'string', enum: ['asc', 'desc'] };
const LIST: JsonObject = { page: { type: 'integer', default: 1 }, order, context };
const FIELDS: JsonObject = { title: { type: 'string' }, count: { type: 'integer', minimum: 0 } };

/** A collection and its items. All of them take the same arguments, so that equal types could be shared. */
function routesOf(namespace: string, noun: string): Routes {
  return [
    [`/${namespace}/${noun}`, { GET: LIST, POST: FIELDS }],
    [
      `/${namespace}/${noun}/(?P<id>[\\d]+)`,
      { GET: { context }, 'POST, PUT': FIELDS, DELETE: { force: { type: 'boolean' } } },
    ],
  ];
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer', context: ['view', 'edit'], readonly: true },
    title: { type: 'string', context: ['view', 'edit'] },
    raw: { type: 'string', context: ['edit'] },
  },
};

function documentOf(routes: Routes) {
  const titled = routes.filter(([pattern]) => !pattern.includes('cats'));
  const titleOf = (pattern: string) => pattern.split('/')[3]?.replace(/s$/, '') ?? '';
  const schemas = titled.map(([pattern]) => [pattern, { ...SCHEMA, title: titleOf(pattern) }]);
  return generateFor(Object.fromEntries(routes), { schemas: Object.fromEntries(schemas) }).document;
}

const exportsOf = (client: string): readonly string[] =>
  Array.from(client.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name = '']) => name);

/** The lines of a text that another one lacks, or has before a line that comes earlier; a list can go on behind them. */
function missingLines(text: string, other: string): readonly string[] {
  const [all, lines = []] = [text, other].map((each) => each.replace(/,$/gm, '').split('\n'));
  let at = 0;
  const isMissing = (line: string): boolean => {
    const found = lines.indexOf(line, at);
    if (found >= 0) at = found + 1;
    return found < 0;
  };
  return all?.filter(isMissing) ?? [];
}

test('types of a query have the name of their operation, also if another one has the same arguments', async () => {
  const routes: Routes = [...routesOf('x/v1', 'bees'), ...routesOf('x/v1', 'cats')];
  const names = exportsOf(await toClient(documentOf(routes)));
  expect(names).toEqual(expect.arrayContaining(['ListXBeesQuery', 'ListXCatsQuery']));
  const after = exportsOf(await toClient(documentOf([...routesOf('a/v1', 'ants'), ...routes])));
  expect(names.filter((name) => !after.includes(name))).toEqual([]);
});

/** Two plugins that nobody knows, with the same resources. */
const TWINS: readonly (readonly [string, Json])[] = ['twin-a/v1', 'twin-b/v2'].flatMap((namespace) =>
  routesOf(namespace, 'products').map(([pattern, endpoints]): [string, Json] => [
    pattern,
    {
      namespace,
      endpoints: Object.entries(endpoints).map(([methods, args]) => ({ methods: methods.split(', '), args })),
      schema: { ...SCHEMA, title: 'product' },
    },
  ]),
);

const RECORDED: readonly (readonly [string, JsonObject])[] = [
  ['a shop with a community', readShopIndex((namespace) => !/^wc-a|^wc\/v[12]$/.test(namespace))],
  ...readOtherIndexes(),
];

describe.each(RECORDED)('the document of %s', (_, { routes: stated = {}, ...index }) => {
  const routes: readonly (readonly [string, Json])[] = Object.entries(toJsonObject(stated));
  const namespaceOf = ([, route]: readonly [string, Json]): string =>
    String(toJsonObject(route)['namespace']);
  // Resources of WordPress are embedded in those of other namespaces.
  const namespaces = [...new Set(routes.map(namespaceOf))].filter((name) => !/^(?:wp\/v2)?$/.test(name));
  const documentWith = (some: readonly (readonly [string, Json])[]): string => {
    const raw = {
      ...index,
      namespaces: [...new Set(some.map(namespaceOf))],
      routes: Object.fromEntries(some),
    };
    return stringifyDocument(generateFrom(raw).document);
  };

  test('has the same lines about a namespace when others come, go or move', () => {
    const places = fc.array(fc.nat(routes.length), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(fc.subarray(namespaces), places, (gone, positions) => {
        const kept = routes.filter((route) => !gone.includes(namespaceOf(route)));
        const foreign = [...routes.filter((route) => gone.includes(namespaceOf(route))), ...TWINS];
        const mixed = [...kept];
        for (const [at, route] of foreign.entries()) mixed.splice(positions[at % 7] ?? 0, 0, route);
        expect(missingLines(documentWith(kept), documentWith(mixed))).toEqual([]);
      }),
      { numRuns: 2 },
    );
  }, 120_000);
});
