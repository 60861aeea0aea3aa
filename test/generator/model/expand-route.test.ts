import { describe, expect, test } from 'vitest';
import {
  expandRoute,
  type RouteExpansion,
  type RouteParameter,
} from '../../../src/generator/model/routes.ts';
import adversarial from '../../base/pcre/fixtures/adversarial-patterns.json' with { type: 'json' };
import { readRecorded } from '../../support/recorded-indexes.ts';

const templates = (route: string): string[] => expandRoute(route).variants.map(({ template }) => template);

function parameters(route: string, variant = 0): readonly RouteParameter[] {
  return expandRoute(route).variants[variant]?.parameters ?? [];
}

const parameter = (route: string): RouteParameter => {
  const [first] = parameters(route);
  if (first === undefined) throw new Error(`${route} has no parameter`);
  return first;
};

describe('the paths of a route', () => {
  test.each<[string, string[]]>([
    ['/', ['/']],
    ['/wp/v2/posts/(?P<id>[\\d]+)', ['/wp/v2/posts/{id}']],
    ['/foo(?:/(?P<id>\\d+))?', ['/foo', '/foo/{id}']],
    ['/foo(?:/(?P<id>\\d+)(?:/(?P<x>\\w+))?)?', ['/foo', '/foo/{id}', '/foo/{id}/{x}']],
    ['/foo/(?P<id>\\d+)?', ['/foo/{id}']],
    ['/(?:a|b)/x', ['/a/x', '/b/x']],
    ['/(a|b|)x', ['/ax', '/bx', '/x']],
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
    ['/a{3}', ['/aaa']],
    ['/x/(?P<id>\\d+)(?#the number)', ['/x/{id}']],
    ['/oembed/1.0', ['/oembed/1.0']],
    ['/x/(?P<a>\\d+(?P<b>\\w))', ['/x/{a}']],
    ['/x(?:/(?P<a>\\w+))+', ['/x{a}']],
    ['/a|/b', ['/a', '/b']],
    ['/(?!admin)x', ['/x']],
  ])('%s', (route, expected) => expect(templates(route)).toEqual(expected));
});

// No path contains a `?`, and a value at the end may be empty.
describe('a route that ends in a query or in a value that may be empty', () => {
  test.each<[string, string[]]>([
    ['/x/posts(\\?.*)?', ['/x/posts']],
    ['/x/posts(?:\\?.*)?$', ['/x/posts']],
    ['/x/posts/?(?P<query>\\?.*)?', ['/x/posts']],
    ['/x/posts(?:/(?P<id>\\d+))?(\\?[^/]*)*', ['/x/posts', '/x/posts/{id}']],
    ['/x/posts(?:\\?.*|/(?P<id>\\d+))', ['/x/posts/{id}']],
    ['/x/posts(?:\\?.*|)', ['/x/posts']],
    ['/x/posts\\?(?P<query>.+)', ['/x/posts%3F{query}']],
    ['/x/credits(?P<sub_path>[a-zA-Z0-9-_\\/]*)(\\?.*)?', ['/x/credits', '/x/credits{sub_path}']],
    ['/x/log(?P<path>.*)', ['/x/log', '/x/log{path}']],
    ['/x/log(?P<path>(?:/\\w+)*)', ['/x/log', '/x/log{path}']],
    ['/x/log\\w*', ['/x/log', '/x/log{segment}']],
    ['/opt/?(?P<url>.+)?', ['/opt', '/opt{url}', '/opt/{url}']],
    // WordPress trims the slash from `/x/log/`, so that the route is not found.
    ['/x/log/(?P<id>\\d*)', ['/x/log/{id}']],
  ])('%s', (route, expected) => expect(templates(route)).toEqual(expected));
});

test('the slashes of a path are read in linear time', () => {
  const pattern = `/a(?:b|c|d|e|f|g|h|i)(?:j|k)${'/'.repeat(7_500)}x/`;
  for (let i = 0; i < 10; i += 1) {
    expect(expandRoute(pattern).variants.at(-1)?.template).toBe(`/aik${'/'.repeat(7_500)}x`);
  }
});

test('a route whose paths have too many parameters becomes its literal prefix', () => {
  const groups = Array.from({ length: 200 }, (_, number) => `(?P<p${number}>([^/]{1,60}){1,60})b`).join('');
  const { defect, variants } = expandRoute(`/p/v1/(?:a|c)(?:a|c)${groups}`);
  expect(defect).toBe('Its paths have more than 100 parameters.');
  expect(variants.map(({ template }) => template)).toEqual(['/p/v1/{segment}']);
});

test('of many optional parts, at most 16 paths are listed, the longest among them', () => {
  const unnamed = expandRoute(`/x${[...'abcdefgh'].map((letter) => `(?:/${letter})?`).join('')}`);
  expect(unnamed.variants.length).toBe(16);
  const named = expandRoute(`/x${Array.from({ length: 8 }, (_, i) => `(?:/(?P<p${i}>\\d+))?`).join('')}`);
  expect(named.variants.length).toBeLessThanOrEqual(16);
  expect(named.variants.some(({ parameters: all }) => all.length === 8)).toBe(true);
});

describe('a route that cannot be parsed, or that PCRE rejects, is kept', () => {
  test.each<[string, string, boolean]>([
    ['/x/(unclosed', '/x/{segment}', true],
    ['/x/y(?P<id>[z-a])', '/x/{id}', true],
    ['/x/(?P<id>(?(?=a)a|b))', '/x/{id}', false],
    ['/x/(?P<id>\\d+)(?P<id>\\w+)', '/x/{id}{id_2}', true],
    ['/x/(?P<id>a@b)', '/x/{id}', true],
    [`/x/${'('.repeat(100_000)}`, '/x/{segment}', false],
  ])('%.40s', (route, template, isUnreachable) => {
    const expansion = expandRoute(route);
    expect(expansion).toMatchObject({ isUnreachable, defect: expect.stringMatching(/\.$/) });
    expect(expansion.variants.map((variant) => variant.template)).toEqual([template]);
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
    expect(parameter(`/x/(?P<n>${pcre})`)).toMatchObject({ canContainSlash }),
  );
});

describe('an assertion about characters outside its group', () => {
  test.each<[string, string, boolean]>([
    ['/x/(?P<n>(?!admin)[a-z]+)/y', '^[A-Za-z]+$', false],
    ['/x/(?P<n>\\d+(?=/))/y', '^\\d+$', false],
    ['/x/(?P<n>\\d+$)', '^\\d+(?=\\n?$)$', true],
    ['/x/(?P<n>\\d+(?!5))5', '^\\d+$', false],
    ['/x/(?P<n>\\b\\d+\\b)/y', '^\\b\\d+\\b$', true],
  ])('%s', (route, ecmaPattern, isExact) => expect(parameter(route)).toMatchObject({ ecmaPattern, isExact }));
});

const all = [...Object.keys(readRecorded('wordpress-7.1-index.json')['routes'] ?? {}), ...adversarial.routes];

test.each(all)('%s has at least one path, with unique names and patterns that compile', (route) => {
  const expansion: RouteExpansion = expandRoute(route);
  expect(expansion.variants.length).toBeGreaterThan(0);
  for (const { template, parameters: found } of expansion.variants) {
    expect(template).toMatch(/^\/(?:[^{}?#\s]|\{\w+\})*$/);
    const names = found.map(({ name }) => name);
    expect([...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    for (const { ecmaPattern } of found)
      for (const flags of ['u', 'v']) expect(() => new RegExp(ecmaPattern, flags)).not.toThrow();
  }
});
