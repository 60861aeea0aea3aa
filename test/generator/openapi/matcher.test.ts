import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../src/base/steps.ts';
import { OperationMatcher } from '../../../src/generator/openapi/matcher.ts';
import type { ServedApi } from '../../../src/generator/openapi/served-api.ts';
import { createReferenceMatcher } from '../../gateway/router/reference-matcher.ts';
import { createServedApi, type RouteRow } from '../../gateway/router/served-api.ts';
import { useStepCounter } from '../../support/steps.ts';

function createMatcher(api: ServedApi): OperationMatcher {
  return runSteps(OperationMatcher.create(api));
}

function matchedOperation(api: ServedApi, method: string, path: string): string {
  const match = createMatcher(api).match(method, path);
  return match.kind === 'found' ? match.operation.id : match.kind;
}

describe('the matcher finds the operation that WordPress runs', () => {
  const table: readonly RouteRow[] = [
    ['/', '', ['GET']],
    ['/batch/v1', '', ['POST']],
    ['/core/v2', 'core/v2', ['GET']],
    ['/core/v2/posts', 'core/v2', ['GET', 'POST']],
    ['/core/v2/posts/(?P<id>[\\d]+)', 'core/v2', ['GET', 'DELETE']],
    ['/core/v2/posts/(?P<slug>[\\w-]+)', 'core/v2', ['GET', 'PUT']],
    ['/core/v2/icons/(?P<collection>[a-z-]+)', 'core/v2', ['GET']],
    ['/core/v2/icons/(?P<name>[a-z-]+/[a-z-]+)', 'core/v2', ['GET']],
    [
      '/core/v2/templates/(?P<id>([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+)',
      'core/v2',
      ['GET'],
    ],
    ['/core/v2/menu(?:/(?P<location>\\w+))?', 'core/v2', ['GET']],
    ['/core/v2/up|/down', 'core/v2', ['GET']],
    ['/core/v2/colou?rs', 'core/v2', ['GET']],
    ['/core/v2/maybe/?', 'core/v2', ['GET']],
    ['/core/v2/both/(?P<a>\\w+)', 'core/v2', ['GET']],
    ['/core/v2/both/(?P<b>\\w+)', 'core', ['GET']],
    ['/core/v2/hidden/(?P<any>.*)', 'other/v1', ['GET']],
    ['/core/v20/things', 'core/v20', ['GET']],
    ['/core/v2/broken(', 'core/v2', ['GET']],
    ['/core/v2/getFile/Of/(?P<path>.+)', 'core/v2', ['GET']],
    ['/Kore/V3/(?P<Id>\\d+)', 'Kore/V3', ['GET']],
    ['/wild/(?P<one>.+)/x', 'wild', ['GET']],
  ];
  const api = createServedApi(table, ['core', 'core/v2', 'other/v1', 'core/v20', 'Kore/V3', 'wild']);

  const cases: readonly [method: string, path: string, result: string][] = [
    ['GET', '/', 'GET /'],
    ['GET', '/core/v2/posts', 'GET /core/v2/posts'],
    ['HEAD', '/core/v2/posts', 'GET /core/v2/posts'],
    ['get', '/core/v2/posts', 'method-not-allowed'],
    ['GET', '/core/v2/posts/1', 'GET /core/v2/posts/(?P<id>[\\d]+)'],
    ['PUT', '/core/v2/posts/1', 'PUT /core/v2/posts/(?P<slug>[\\w-]+)'],
    ['GET', '/core/v2/posts/a-b', 'GET /core/v2/posts/(?P<slug>[\\w-]+)'],
    ['GET', '/CORE/V2/POSTS', 'GET /core/v2/posts'],
    ['GET', '/core/v2/posts\n', 'GET /core/v2/posts'],
    ['GET', '/core/v2/posts\n\n', 'none'],
    ['GET', '/core/v2/posts/', 'none'],
    ['GET', '//core/v2/posts', 'none'],
    ['GET', '/core/v2/icons/a/b', 'GET /core/v2/icons/(?P<name>[a-z-]+/[a-z-]+)'],
    ['GET', '/core/v2/templates/x//y', `GET ${table[8]?.[0]}`],
    ['GET', '/core/v2/menu/top', 'GET /core/v2/menu(?:/(?P<location>\\w+))?'],
    ['GET', '/core/v2/up/and/away', 'GET /core/v2/up|/down'],
    ['GET', '/core/v2/maybe', 'GET /core/v2/maybe/?'],
    // Both namespaces match the path; the one registered first is tried first.
    ['GET', '/core/v2/both/x', 'GET /core/v2/both/(?P<b>\\w+)'],
    // Its namespace does not match the path, so the route is not tried.
    ['GET', '/core/v2/hidden/x', 'none'],
    // "core/v2" is a prefix of "core/v20/things/", as bytes.
    ['GET', '/core/v20/things', 'GET /core/v20/things'],
    // Namespaces are case-sensitive: none matches, so all routes are tried.
    ['GET', '/kore/v3/1', 'GET /Kore/V3/(?P<Id>\\d+)'],
    ['GET', '/core/v2/broken(', 'none'],
    ['GET', '/core/v2/getFile/Of/a/b', 'GET /core/v2/getFile/Of/(?P<path>.+)'],
    ['GET', '/wild/a/b/c/x', 'GET /wild/(?P<one>.+)/x'],
  ];
  it.each(cases)('%s %j', (method, path, expected) => {
    expect(matchedOperation(api, method, path)).toBe(expected);
    expect(createReferenceMatcher(api)(method, path) ?? 'nothing').toBe(
      expected === 'none' || expected === 'method-not-allowed' ? 'nothing' : expected,
    );
  });

  it('returns named groups as byte strings', () => {
    const match = createMatcher(api).match('GET', '/wild/caf\xc3\xa9/x');
    expect(match).toMatchObject({ kind: 'found', params: { one: 'caf\xc3\xa9' }, isCertain: true });
  });

  it('finds a route whose pattern does not parse by its first segments, at the first request too', () => {
    const quoted = createServedApi([['/core/v2/quoted/\\Qa.b\\E', 'core/v2', ['GET']]], ['core/v2']);
    const found = { kind: 'found', isCertain: false };
    expect(createMatcher(quoted).match('GET', '/core/v2/quoted/a.b')).toMatchObject(found);
    expect(createMatcher(quoted).match('GET', '/core/v2/other/a.b')).toEqual({ kind: 'none' });
  });

  it('lists the methods of all matching routes', () => {
    expect(createMatcher(api).match('PATCH', '/core/v2/posts/1')).toMatchObject({
      kind: 'method-not-allowed',
      route: { pattern: '/core/v2/posts/(?P<id>[\\d]+)' },
      methods: ['GET', 'DELETE', 'PUT'],
    });
  });
});

describe('the matcher finds the same as a search through all routes', () => {
  const piece = fc.constantFrom(
    ...String.raw`a B ab x-y a? b+ [ab] [^/]+ \d+ [\w-]+ (?P<p>[\d]+) (?P<p>\w+) (?P<p>.+) /a /?`.split(' '),
    ...String.raw`/(?P<q>[\d]+) /(?P<q>[a-b1-9_-]+) /(?P<q>\w) /(?P<q>[+-9]) /(?P<q>[\w-]+)?`.split(' '),
    ...String.raw`(?:/a)? (?:a|b/a) (a|b) a| (?=a) /B /aB/ (?x)# . .*? \/ / / / \. (?i) $ [\s\S] \x2f { ( @ é`.split(
      ' ',
    ),
  );
  const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('')}`);
  const namespace = fc.constantFrom('', 'a', 'a/b', 'B', 'ab');
  const methods = fc.subarray(['GET', 'POST', 'HEAD', 'PUT']);
  const rows = fc.array(fc.tuple(pattern, namespace, methods), { minLength: 1, maxLength: 12 });
  const paths = fc.array(
    fc
      .array(
        fc.constantFrom('a', 'b', 'A', 'B', 'ab', 'x-y', '1', '/', '/', '/', '\n', '.', '\xc3\xa9', '{'),
        { maxLength: 6 },
      )
      .map((parts) => `/${parts.join('')}`),
    { minLength: 1, maxLength: 12 },
  );

  it('on random tables and paths', () => {
    let found = 0;
    fc.assert(
      fc.property(rows, paths, (table, requestPaths) => {
        const unique = table.filter(([one], at) => table.findIndex(([other]) => other === one) === at);
        const api = createServedApi(unique, ['a/b', 'a', 'B', 'unused']);
        const matcher = createMatcher(api);
        const reference = createReferenceMatcher(api);
        for (const path of requestPaths) {
          for (const method of ['GET', 'HEAD', 'PUT']) {
            const match = matcher.match(method, path);
            const id = match.kind === 'found' ? match.operation.id : null;
            if (id !== null) found += 1;
            expect(id).toBe(reference(method, path));
          }
        }
      }),
      { numRuns: 150 },
    );
    // Guards against a property that never matches anything.
    expect(found).toBeGreaterThan(100);
  });
});

describe('a hostile index', () => {
  const countSteps = useStepCounter();
  const PATH = '/p/v1/aaaa';
  const apiOf = (count: number, pattern: string): ServedApi =>
    createServedApi(
      Array.from({ length: count }, (_, number): RouteRow => [`/p/v1/${pattern}${number}`, 'p/v1', ['GET']]),
      ['p/v1'],
    );
  const countedMatcher = async (api: ServedApi): Promise<OperationMatcher> => {
    const counted = await import('../../../src/generator/openapi/matcher.ts');
    return runSteps(counted.OperationMatcher.create(api));
  };
  const stepsToMatch = async (api: ServedApi): Promise<number> => {
    const matcher = await countedMatcher(api);
    return countSteps(() => matcher.match('GET', PATH));
  };

  it.each([
    ['literals after a group', `(a|b/)${'x'.repeat(4000)}`],
    ['groups', '(a|b/)'.repeat(600)],
    ['patterns for RE2', `(a|b/)${'(a|ab)*'.repeat(400)}`],
    ['segments', `[ab/]${'/x'.repeat(2000)}`],
    ['what cannot be read', `(a|b/)${'(?|a)'.repeat(800)}`],
  ])('of many long routes is not compiled for the first path: %s', async (_name, pattern) => {
    const steps = await stepsToMatch(apiOf(60, pattern));
    expect(await stepsToMatch(apiOf(240, pattern))).toBeLessThan(steps * 1.5);
  });

  it('leaves the operation uncertain if too many routes may match a path', () => {
    const few = createMatcher(apiOf(1, `(?P<text>[a/]+)(?:${'x'.repeat(600)})?`));
    expect(few.match('GET', '/p/v1/aa0')).toMatchObject({ params: { text: 'aa' }, isCertain: true });
    const many = createMatcher(apiOf(60, `(?P<text>[b/]+)(?:${'x'.repeat(600)})?`));
    const found = { kind: 'found', params: {}, isCertain: false };
    expect(many.match('GET', PATH)).toMatchObject(found);
    expect(many.match('GET', PATH)).toMatchObject(found);
  });
});
