import { expect, test } from 'vitest';
import { discover } from '../../../src/generator/discovery/index.ts';
import { runStubSite } from '../../support/run.ts';

const CITY = { type: 'object', properties: { city: { type: 'string' } } };
const ID = { type: 'integer' };
/** As of The Events Calendar, which has a document beside its index. */
const DOCUMENT = {
  components: {
    schemas: {
      Event: { type: 'object', properties: { id: ID, venue: { $ref: '#/components/schemas/Venue' } } },
      Venue: CITY,
      Tree: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      More: { $ref: '{site}tec/v1/more#/a~1b/c%20d' },
      Wide: { enum: Array.from({ length: 20 }, (_, at) => at), properties: { $ref: { type: 'string' } } },
    },
  },
};
const MORE = { 'a/b': { 'c d': CITY } };
const refer = (name: string): object => ({ $ref: `{site}tec/v1/docs#/components/schemas/${name}` });
const EVENT = { type: 'object', properties: { id: ID, venue: CITY } };

/** Reads a site of one route, whose schema and argument have the member `it`. `{site}` is the address of the root index. */
async function readIt(it: object, definitions: object) {
  const site = await runStubSite({
    index: () => {
      const schema = { type: 'object', properties: { it }, definitions };
      const endpoints = [{ methods: ['GET'], args: { it } }];
      const index = {
        namespaces: ['tec/v1'],
        routes: { '/tec/v1/events': { namespace: 'tec/v1', endpoints, schema } },
      };
      return JSON.parse(JSON.stringify(index).replaceAll('{site}', site.rootUrl));
    },
    intercept({ route = '' }, response) {
      if (!/^\/tec\/v1\/(?:docs|more|broken)$/.test(route)) return false;
      const text = JSON.stringify(route === '/tec/v1/more' ? MORE : DOCUMENT).replaceAll(
        '{site}',
        site.rootUrl,
      );
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(route === '/tec/v1/broken' ? text.slice(1) : text);
      return true;
    },
  });
  const { diagnostics, index } = await discover(site.rootUrl, { options: false });
  const asked = site.requests.filter(({ route }) => /docs|more|broken/.test(route ?? '')).length;
  const [route] = index.routes;
  return {
    ...{
      asked,
      member: Object(route?.schema?.['properties']).it,
      argument: route?.endpoints[0]?.args[0]?.declaration,
    },
    unread: diagnostics.some(({ rule }) => rule === 'reference-unread'),
  };
}

test.each<[string, object, unknown, number]>([
  ['a document of the site', refer('Event'), EVENT, 1],
  ['it in a list, twice', { items: refer('Venue'), not: refer('Venue') }, { items: CITY, not: CITY }, 1],
  [
    'it beside a description',
    { ...refer('Venue'), description: 'Where' },
    { ...CITY, description: 'Where' },
    1,
  ],
  ['a document that refers to another one', refer('More'), CITY, 2],
  ['a schema that contains itself', refer('Tree'), { type: 'array', items: {} }, 1],
  ['a schema whose property is named `$ref`', refer('Wide'), DOCUMENT.components.schemas.Wide, 1],
])('a reference to %s has what it names', async (_, it, expected, requests) => {
  const { argument, asked, member, unread } = await readIt(it, {});
  expect([member, argument]).toEqual([expected, expected]);
  expect([asked, unread]).toEqual([requests, false]);
});

test.each([{ $ref: '#/definitions/city' }, { anyOf: [{ $ref: '#/definitions/outer' }, ID] }])(
  'a reference %j to a definition of its own schema has what it names',
  async (it) => {
    const { asked, member } = await readIt(it, { city: CITY, outer: { $ref: '#/definitions/city' } });
    expect(member).toEqual('$ref' in it ? CITY : { anyOf: [CITY, ID] });
    expect(asked).toBe(0);
  },
);

test.each<[string, string, number]>([
  ['at another site', 'https://example.com/docs#/components/schemas/Event', 0],
  ['in a document that is no JSON', '{site}tec/v1/broken#/components', 1],
  ['that is missing', '{site}tec/v1/docs#/components/schemas/None', 1],
  ['that is no address', 'http://[', 0],
  ['of a file', 'file:///etc/hostname#/a', 0],
])('what a reference names %s is left open, and reported', async (_, $ref, requests) => {
  expect(await readIt({ title: 'It', $ref }, {})).toEqual({
    ...{ asked: requests, unread: true, member: { title: 'It' }, argument: { title: 'It' } },
  });
});

test('schemas that refer to ever more schemas end', async () => {
  const definitions = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = { $ref: `#/definitions/d${at + 1}` };
      return [`d${at}`, { anyOf: Array.from({ length: 10 }, () => next) }];
    }),
  );
  const { member } = await readIt({ $ref: '#/definitions/d0' }, { ...definitions, d30: ID });
  expect(JSON.stringify(member).length).toBeLessThan(1_000_000);
});
