import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readIndex } from '../../../src/generator/discovery/read-index.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';

/** An index of one route with one valid endpoint, and the changes of a test case. */
const index = (changes: object = {}): object => ({
  name: 'Site',
  namespaces: ['wp/v2'],
  routes: { '/wp/v2/posts': route() },
  ...changes,
});
const route = (changes: object = {}): object => ({
  namespace: 'wp/v2',
  methods: ['GET'],
  endpoints: [{ methods: ['GET'], args: { page: { type: 'integer' } } }],
  ...changes,
});
const withRoute = (changes: object): object => index({ routes: { '/wp/v2/posts': route(changes) } });
const withEndpoint = (changes: object): object =>
  withRoute({ endpoints: [{ methods: ['GET'], args: {}, ...changes }] });
/** `JSON.parse` makes `__proto__` an own member. */
const parsed = (text: string): unknown => JSON.parse(text);

describe('the recorded index of WordPress 7.1', () => {
  test('is read completely, without diagnostics', () => {
    const { index: read, diagnostics } = readIndex(readRecorded('wordpress-7.1-index.json'));
    expect(read.routes).toHaveLength(133);
    expect(read.routes.flatMap((one) => one.endpoints)).toHaveLength(208);
    expect(read.namespaces.join()).toBe(
      'oembed/1.0,wp/v2,wp-site-health/v1,wp-block-editor/v1,wp-abilities/v1',
    );
    expect(diagnostics).toEqual([]);
    const batch = read.routes.find(({ pattern }) => pattern === '/batch/v1');
    expect(batch).toMatchObject({ namespace: '', endpoints: [{ listIndex: 0, methods: ['POST'] }] });
    const posts = read.routes.find(({ pattern }) => pattern === '/wp/v2/posts');
    expect(posts?.endpoints.map(({ allowBatch }) => allowBatch)).toEqual([true, true]);
  });
});

describe('readIndex repairs and reports', () => {
  const args = (...names: readonly string[]): object => ({
    routes: [{ endpoints: [{ args: names.map((name) => ({ name })) }] }],
  });
  const endpoints = (...list: readonly object[]): object => ({ routes: [{ endpoints: list }] });
  const two = { 1: { methods: ['GET'], args: {} }, 3: { methods: ['POST'], args: {} } };
  const nested = ['wp', 'wp/v2', 'wp/v2/p'];
  const deep = parsed(`${'{"items":'.repeat(150)}{}${'}'.repeat(150)}`);
  const TEXT = { type: 'string' };
  const only = { namespaces: ['wp/v2'] };
  const patterns = (...list: readonly string[]): object => ({ routes: list.map((pattern) => ({ pattern })) });
  const POSTS = '/wp/v2/posts';
  /** What is reported, if anything: a rule and a pointer, in which {route} is that of the only route. */
  test.each<[string, raw: unknown, finding: string | null, want: object]>([
    ['no routes, as PHP writes it', index({ routes: [] }), 'no-routes /routes', { routes: [] }],
    ['a list of routes', index({ routes: [route()] }), 'value-dropped /routes', { routes: [] }],
    [
      'a route that is not an object',
      index({ routes: { '/wp/v2/bad': 7, [POSTS]: route() } }),
      'value-dropped /routes/~1wp~1v2~1bad',
      patterns(POSTS),
    ],
    ['authentication as text', index({ authentication: 'x' }), 'value-dropped /authentication', {}],
    ['missing namespaces', index({ namespaces: undefined }), 'value-dropped /namespaces', only],
    ['a list less an item', index({ namespaces: { 0: 'wp/v2', 2: 7 } }), 'value-dropped /namespaces/2', only],
    ['two of a name', index({ namespaces: [7, 'wp/v2', 'wp/v2'] }), 'value-dropped /namespaces/0', only],
    [
      'a route without a namespace: the longest listed namespace',
      index({ namespaces: nested, routes: { [POSTS]: route({ namespace: undefined }) } }),
      null,
      { routes: [{ namespace: 'wp/v2' }] },
    ],
    [
      'a route without a namespace and without a listed one: from the pattern, and the list is unchanged',
      index({ routes: { '/shop/v3/orders': route({ namespace: 5 }) } }),
      null,
      { routes: [{ namespace: 'shop/v3' }], ...only },
    ],
    [
      'endpoints as an object with numeric keys',
      withRoute({ endpoints: two }),
      null,
      endpoints({ listIndex: 1 }, { listIndex: 3, methods: ['POST'] }),
    ],
    ['no endpoints', withRoute({ endpoints: null }), 'value-dropped {route}/endpoints', endpoints()],
    [
      'an endpoint that is not an object, before a valid one',
      withRoute({ endpoints: ['x', { methods: ['GET'], args: {} }] }),
      'value-dropped {route}/endpoints/0',
      endpoints({ listIndex: 1, methods: ['GET'] }),
    ],
    [
      'an invalid method',
      withEndpoint({ methods: ['GET', 'A B', 9, ''] }),
      'value-dropped {route}/endpoints/0/methods',
      endpoints({ methods: ['GET'] }),
    ],
    [
      'an endpoint without methods',
      withEndpoint({ methods: undefined }),
      'value-dropped {route}/endpoints/0/methods',
      endpoints({ methods: [] }),
    ],
    ['a list of arguments', withEndpoint({ args: [TEXT, TEXT] }), null, args('0', '1')],
    // Nobody means arguments named 0 and 1.
    [
      'names of arguments in a list',
      withEndpoint({ args: ['id', { required: false }, { type: 'integer' }] }),
      'value-dropped {route}/endpoints/0/args/0',
      args('2'),
    ],
    [
      'positions beside names',
      withEndpoint({ args: { 0: { required: false }, page: {} } }),
      'value-dropped {route}/endpoints/0/args/0',
      args('page'),
    ],
    [
      'an argument that is not an object',
      withEndpoint({ args: { 'a/b': 'string', ok: {} } }),
      'value-dropped {route}/endpoints/0/args/a~1b',
      args('a/b', 'ok'),
    ],
    ['a schema as text', withRoute({ schema: 'x' }), 'value-dropped {route}/schema', {}],
    [
      'a namespace index',
      { namespace: 'wp/v2', routes: { [POSTS]: route() } },
      'namespace-index /namespace',
      patterns(POSTS),
    ],
    ['a declaration nested too deep', withEndpoint({ args: { a: deep } }), 'limit {route}', { routes: [] }],
  ])('%s', (_, raw, finding, want) => {
    const { index: read, diagnostics } = readIndex(raw);
    const findings = diagnostics.map(({ pointer, rule }) => `${rule} ${pointer}`);
    if (finding === null) expect(findings).toEqual([]);
    else expect(findings).toContain(finding.replace('{route}', '/routes/~1wp~1v2~1posts'));
    expect(read).toMatchObject(want);
    for (const one of diagnostics) {
      expect(one.message).toMatch(/\.$/);
      expect(one.action).toMatch(/\.$/);
      if (one.pointer.startsWith('/routes/')) expect(one.route).toBeDefined();
    }
  });

  test('names of members of all objects are names like others', () => {
    const { index: read, diagnostics } = readIndex(
      parsed(
        '{"namespaces":[""],"routes":{"__proto__":{"namespace":"","endpoints":[{"methods":["GET"],"args":{"__proto__":{"type":"string"},"constructor":{}}}]}}}',
      ),
    );
    const args = [{ name: '__proto__', declaration: { type: 'string' } }, { name: 'constructor' }];
    expect(read.routes).toMatchObject([{ pattern: '__proto__', endpoints: [{ args }] }]);
    expect(diagnostics.map(({ rule }) => rule)).toEqual(['value-dropped']);
  });

  const many = <Item>(count: number, make: (at: number) => Item): readonly Item[] =>
    Array.from({ length: count }, (_, at) => make(at));
  type Read = ReturnType<typeof readIndex>['index'];
  const countRoutes = ({ routes }: Read): number => routes.length;
  const countNamespaces = ({ namespaces }: Read): number => namespaces.length;
  const countMethods = ({ routes }: Read): number => routes[0]?.endpoints[0]?.methods.length ?? 0;
  const routesOf = (count: number, toPattern: (at: number) => string): object =>
    index({ routes: Object.fromEntries(many(count, (at) => [`/wp/v2/${toPattern(at)}`, route()])) });
  const namespaces = ['wp/v2', ...many(30_000, (at) => `n${at}`)];
  test.each<[string, object, (read: Read) => number, number, limits?: object]>([
    [
      'routes, after exclude',
      routesOf(20_010, (at) => `r${at}`),
      countRoutes,
      20_000,
      { exclude: ['/wp/v2/r0'] },
    ],
    [
      'four million characters of patterns',
      routesOf(90, (at) => `${at}${'x'.repeat(50_000)}`),
      countRoutes,
      79,
    ],
    ['20,000 namespaces', index({ namespaces }), countNamespaces, 20_000],
    ['32 methods', withEndpoint({ methods: many(40, (at) => `M${at}`) }), countMethods, 32],
  ])('what is beyond a limit: %s', (_, raw, count, want, limits = {}) => {
    const { index: read, diagnostics } = readIndex(raw, limits);
    expect(count(read)).toBe(want);
    expect(diagnostics).toMatchObject([{ rule: 'limit' }]);
  });

  test.each([
    ['arguments', '/wp/v2/x', { args: Object.fromEntries(many(60_000, (at) => [`a${at}`, {}])) }],
    ['methods', '/wp/v2/x', { methods: many(60_000, (at) => `M${at}`) }],
    ['characters', `/wp/v2/${'x'.repeat(66_000)}`, {}],
  ])('a route of too many %s', (_, pattern, endpoint) => {
    const routes = { [pattern]: route({ endpoints: [endpoint] }), '/wp/v2/posts': route() };
    const { index: read, diagnostics } = readIndex(index({ routes }));
    expect(read.routes.map((one) => one.pattern)).toEqual(['/wp/v2/posts']);
    expect(diagnostics).toMatchObject([{ rule: 'limit', route: pattern }]);
  });

  test('at most ten thousand diagnostics of a rule, and that there are others', () => {
    const args = Object.fromEntries(many(10_050, (at) => [`a${at}`, 7]));
    const { diagnostics } = readIndex(withEndpoint({ args }));
    expect(diagnostics).toHaveLength(10_001);
    expect(diagnostics.at(-1)).toMatchObject({ rule: 'more-findings' });
  });
});

describe('any JSON value', () => {
  const name = fc.oneof(
    fc.constantFrom(...'routes namespaces namespace endpoints methods args schema __proto__ name'.split(' ')),
    fc.string(),
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom(null, true, 0, 'GET', 'get, post', '', [], {}),
      fc.string(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;

  test('never makes readIndex throw', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.jsonValue()), json, (raw, routes) => {
        for (const value of [raw, { routes: raw, namespaces: routes }, index({ routes: { '/x': raw } })]) {
          const { index: read } = readIndex(value);
          for (const one of read.routes) {
            expect(typeof one.pattern).toBe('string');
            expect(typeof one.namespace).toBe('string');
            for (const { methods, args } of one.endpoints) {
              expect(new Set(methods).size).toBe(methods.length);
              for (const { declaration } of args) expect(Array.isArray(declaration)).toBe(false);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('as a route does not affect the other routes', () => {
    const good = readIndex(index()).index.routes[0];
    fc.assert(
      fc.property(json, fc.string(), (bad, pattern) => {
        const routes = { [`/bad${pattern}`]: bad, '/wp/v2/posts': route(), [`/worse${pattern}`]: bad };
        const { index: read } = readIndex(index({ routes }));
        expect(read.routes.find((one) => one.pattern === '/wp/v2/posts')).toEqual(good);
      }),
      { numRuns: 200 },
    );
  });
});
