import { describe, expect, test } from 'vitest';
import { type Json, memberAt } from '../../../src/base/json.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import adversarial from '../../base/pcre/fixtures/adversarial-patterns.json' with { type: 'json' };
import { readRecorded } from '../../support/recorded-indexes.ts';
import { generateFor } from '../../support/site.ts';

const generate = (route: string) => generateFor({ [route]: 'GET' });
const templates = (route: string): readonly string[] => Object.keys(generate(route).document.paths);

/** The path parameters of each path. */
const parameters = (route: string): readonly (readonly Json[])[] =>
  listOperations(generate(route).document).map(({ parameterObjects }) =>
    parameterObjects.filter((parameter) => parameter['in'] === 'path'),
  );

describe('the paths of a route', () => {
  test.each<[route: string, paths: string[]]>([
    ['/', ['/']],
    ['/wp/v2/posts/(?P<id>[\\d]+)', ['/wp/v2/posts/{id}']],
    ['/foo(?:/(?P<id>\\d+))?', ['/foo', '/foo/{id}']],
    ['/foo(?:/(?P<id>\\d+)(?:/(?P<x>\\w+))?)?', ['/foo', '/foo/{id}', '/foo/{id}/{x}']],
    ['/(?:a|b)/x', ['/a/x', '/b/x']],
    ['/(?:posts/(?P<p>\\d+)|pages/(?P<q>\\d+))', ['/posts/{p}', '/pages/{q}']],
    ['/v[12]/x', ['/v1/x', '/v2/x']],
    ['/x/(?:[\\d]+|me)', ['/x/{segment}']],
    ['/x/(?P<options>\\w+)', ['/x/{options_value}']],
    ['/x/[^\\s(?!/)]+/y/\\w+', ['/x/{segment}/y/{segment_2}']],
    ['/x/(?P<a>\\d+)-(?P<b>\\d+)', ['/x/{a}-{b}']],
    ['/foo/?', ['/foo']],
    ['/foo/?(?P<id>\\d+)', ['/foo{id}', '/foo/{id}']],
    ['/foo/(?P<id>\\d+)/?(?P<field>\\w+)?', ['/foo/{id}', '/foo/{id}/{field}']],
    ['/(?P<a>\\d+)/?(?P<b>\\w+)/?(?P<c>\\w+)', ['/{a}/{b}/{c}']],
    ['/\\{a\\}/\\?b\\#c', ['/%7Ba%7D/%3Fb%23c']],
    ['/caf\u00e9/(?P<id>\\d+)', ['/caf%C3%A9/{id}']],
    ['/(?i)X/(?P<id>\\d+)', ['/X/{id}']],
    ['^/x/(?P<id>\\d+)$', ['/x/{id}']],
    ['/x/(?P<id>\\d+)(?#the number)', ['/x/{id}']],
    ['/x/(?P<a>\\d+(?P<b>\\w))', ['/x/{a}']],
    ['/x(?:/(?P<a>\\w+))+', ['/x{a}']],
    ['/a|/b', ['/a', '/b']],
    ['/(?!admin)x', ['/x']],
    // No path contains a `?`, and a value at the end may be empty.
    ['/x/posts(\\?.*)?', ['/x/posts']],
    ['/x/posts/?(?P<query>\\?.*)?', ['/x/posts']],
    ['/x/posts(?:/(?P<id>\\d+))?(\\?[^/]*)*', ['/x/posts', '/x/posts/{id}']],
    ['/x/posts(?:\\?.*|/(?P<id>\\d+))', ['/x/posts/{id}']],
    ['/x/posts(?:\\?.*|)', ['/x/posts']],
    ['/x/posts\\?(?P<query>.+)', ['/x/posts%3F{query}']],
    ['/x/credits(?P<sub_path>[a-zA-Z0-9-_\\/]*)(\\?.*)?', ['/x/credits', '/x/credits{sub_path}']],
    ['/x/log(?P<path>.*)', ['/x/log', '/x/log{path}']],
    ['/x/log(?P<path>(?:/\\w+)*)', ['/x/log', '/x/log{path}']],
    ['/opt/?(?P<url>.+)?', ['/opt', '/opt{url}', '/opt/{url}']],
    // WordPress trims the slash from `/x/log/`, so that the route is not found.
    ['/x/log/(?P<id>\\d*)', ['/x/log/{id}']],
  ])('%s', (route, expected) => expect(templates(route)).toEqual(expected));
});

test('the slashes of a path are read in linear time', () => {
  const pattern = `/a(?:b|c|d|e|f|g|h|i)(?:j|k)${'/'.repeat(7_500)}x/`;
  for (let i = 0; i < 10; i += 1) {
    expect(templates(pattern)).toContain(`/aik${'/'.repeat(7_500)}x`);
  }
});

test('a route whose paths have too many parameters becomes its literal prefix', () => {
  const groups = Array.from({ length: 200 }, (_, number) => `(?P<p${number}>([^/]{1,60}){1,60})b`).join('');
  const { document, report } = generate(`/p/v1/(?:a|c)(?:a|c)${groups}`);
  expect(report.diagnostics.map(({ message }) => message)).toContain(
    'Its paths have more than 100 parameters.',
  );
  expect(Object.keys(document.paths)).toEqual(['/p/v1/{segment}']);
});

test('of many optional parts, at most 16 paths are listed, the longest among them', () => {
  const unnamed = templates(`/x${[...'abcdefgh'].map((letter) => `(?:/${letter})?`).join('')}`);
  expect(unnamed.length).toBe(16);
  const named = parameters(`/x${Array.from({ length: 8 }, (_, i) => `(?:/(?P<p${i}>\\d+))?`).join('')}`);
  expect(named.length).toBeLessThanOrEqual(16);
  expect(named.some((all) => all.length === 8)).toBe(true);
});

describe('a route that cannot be parsed, or that PCRE rejects, is kept', () => {
  const twice = 'The site cannot compile the pattern (two groups are named id) and never handles the route.';
  test.each<[string, string, rule: string, message?: string]>([
    ['/x/(unclosed', '/x/{segment}', 'route-dead', 'The pattern cannot be read (unmatched (, at 4).'],
    ['/x/y(?P<id>[z-a])', '/x/{id}', 'route-dead'],
    ['/x/(?P<id>(?(?=a)a|b))', '/x/{id}', 'route-pattern-unreadable'],
    ['/x/(?P<id>\\d+)(?P<id>\\w+)', '/x/{id}{id_2}', 'route-dead', twice],
    ['/x/(?P<id>a@b)', '/x/{id}', 'route-dead'],
  ])('%.40s, and reported once', (route, template, rule, message = expect.any(String)) => {
    const { document, report } = generate(route);
    const found = report.diagnostics.filter((each) => each.rule.startsWith('route-'));
    expect(found).toMatchObject([{ rule, route, message, severity: 'warning' }]);
    expect(Object.keys(document.paths)).toEqual([template]);
  });
});

describe('the slashes of a value', () => {
  test.each([
    ['\\d+', false],
    ['[^\\s(?!/)]+', false],
    ['[^.\\/]+(?:\\/[^.\\/]+)?', true],
    ['[\\/\\d+]+', true],
    ['\\W', true],
    ['(?:a/|b)c', true],
    ['(?:/a){0}b', false],
    ['a(?!/)', false],
  ] as const)('of %s: %s', (pcre, canContainSlash) =>
    expect(memberAt(parameters(`/x/(?P<n>${pcre})`)[0]?.[0], 'x-waygate-slashes') ?? false).toBe(
      canContainSlash,
    ),
  );
});

test('a route beyond ASCII has readable names, and says that a pretty permalink does not find it', () => {
  const { document, report } = generate('/x/v1/отзывы');
  expect(listOperations(document)).toMatchObject([
    {
      id: 'getXОтзывы',
      path: '/x/v1/%D0%BE%D1%82%D0%B7%D1%8B%D0%B2%D1%8B',
      shared: { summary: 'Get the отзывы' },
    },
  ]);
  expect(listOperations(generate('/x/v1/हिन्दी').document)).toMatchObject([{ id: 'getXहिन्दी' }]);
  const message = expect.stringContaining('`?rest_route=` only');
  expect(report.diagnostics).toContainEqual(expect.objectContaining({ rule: 'route-encoded', message }));
});

test('paths of recorded and adversarial routes have unique names and patterns that compile', () => {
  const recorded = Object.keys(readRecorded('wordpress-7.1-index.json')['routes'] ?? {});
  const routes = [...recorded, ...adversarial.routes].map((route) => [route, 'GET'] as const);
  const operations = listOperations(generateFor(Object.fromEntries(routes)).document);
  expect(operations.length).toBeGreaterThan(150);
  for (const { parameterObjects, path } of operations) {
    expect(path).toMatch(/^\/(?:[^{}?#\s]|\{\w+\})*$/);
    const found = parameterObjects.filter((parameter) => parameter['in'] === 'path');
    const names = found.map(({ name }) => name);
    expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    for (const { schema = null } of found)
      for (const flags of ['u', 'v'])
        expect(() => new RegExp(String(memberAt(schema, 'pattern')), flags)).not.toThrow();
  }
});
