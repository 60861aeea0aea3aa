import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type DiscoveredSite, discover } from '../../../src/generator/discovery/index.ts';
import { runStubSite } from '../../support/run.ts';
import type { StubRequest, StubSite, StubSiteOptions } from '../../support/stub-site.ts';

const TITLE = { type: 'string' };
const ACF = { type: 'object', properties: { year: { type: ['integer', 'null'] } } };

const COUNT = { type: 'integer', readonly: true };
const LINK = { type: 'string', readonly: true };
const schema = (title: string, added: object = {}): object => ({
  ...{ title, type: 'object', properties: { id: COUNT, link: LINK, title: TITLE, ...added } },
});
const endpoint = (methods: string, args: object = {}): object => ({ methods: methods.split(' '), args });

/** A collection and its item, as the site registers a type of posts. */
const resource = (path: string, title: string, namespace = 'wp/v2'): object => ({
  [path]: {
    ...{ namespace, schema: schema(title) },
    endpoints: [endpoint('GET', { page: { type: 'integer' } }), endpoint('POST', { title: TITLE })],
  },
  [`${path}/(?P<id>[\\d]+)`]: {
    ...{ namespace, schema: schema(title) },
    endpoints: [endpoint('GET'), endpoint('POST PUT PATCH', { title: TITLE }), endpoint('DELETE')],
  },
});

/** One that has no page. */
const bare = (path: string, title: string): object =>
  JSON.parse(JSON.stringify(resource(path, title, 'x/v1')).replaceAll('"link":', '"other":'));

const INDEX = {
  namespaces: ['wp/v2'],
  routes: { ...resource('/wp/v2/books', 'book'), ...resource('/wp/v2/films', 'film') },
};

const BOOKS_ANSWER = {
  endpoints: [
    endpoint('GET', { page: { type: 'integer' }, acf_format: { type: 'string' } }),
    endpoint('POST', { title: TITLE, acf: { ...ACF, required: true, default: {} } }),
  ],
  schema: schema('book', {
    ...{ acf: { ...ACF, context: ['view', 'edit'] }, likes: COUNT, isbn: { ...TITLE, context: ['view'] } },
  }),
};

/** Answers `OPTIONS` requests for books; those for films as the index. */
const answering =
  (answer: unknown, status = 200, routes = /books$/) =>
  ({ method, route = '' }: StubRequest, response: ServerResponse): boolean => {
    if (method !== 'OPTIONS' || !routes.test(route)) return false;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    return true;
  };

const rules = ({ diagnostics }: DiscoveredSite): readonly string[] =>
  diagnostics.map(({ rule }) => rule).filter((rule) => rule !== 'found-by');
const asked = ({ requests }: StubSite): readonly string[] =>
  requests.flatMap(({ method, route = '' }) => (method === 'OPTIONS' ? [route] : []));

function argsOf({ index }: DiscoveredSite, method: string, pattern: string): JsonObject {
  const route = index.routes.find((each) => each.pattern === pattern);
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes(method));
  return Object.fromEntries((endpoint?.args ?? []).map(({ declaration, name }) => [name, declaration]));
}

const ITEM = '/wp/v2/books/(?P<id>[\\d]+)';

describe('what only the OPTIONS response of a resource states', () => {
  test('is added to the schemas and arguments of its routes, and to no other resource', async () => {
    const site = await runStubSite({ index: INDEX, intercept: answering(BOOKS_ANSWER) });
    const found = await discover(site.rootUrl);
    const members = found.index.routes.map(({ schema }) => Object.keys(schema?.['properties'] ?? {}));
    const added = ['id', 'link', 'title', 'acf', 'likes', 'isbn'];
    expect(members).toEqual([added, added, ...Array.from({ length: 2 }, () => ['id', 'link', 'title'])]);
    expect(argsOf(found, 'GET', '/wp/v2/books')).toHaveProperty('acf_format');
    expect(argsOf(found, 'POST', '/wp/v2/books')).toEqual({
      title: TITLE,
      acf: { ...ACF, required: true, default: {} },
      // Registered for the request only, so the endpoints were there before it.
      isbn: { type: 'string' },
    });
    // An update needs no field, and leaves out what has no value.
    expect(argsOf(found, 'PUT', ITEM)).toEqual({ title: TITLE, acf: ACF, isbn: { type: 'string' } });
    expect([argsOf(found, 'GET', ITEM), argsOf(found, 'DELETE', ITEM)]).toEqual([{}, {}]);
    expect(rules(found)).toEqual([]);
    expect(asked(site)).toEqual(['/wp/v2/books', '/wp/v2/films']);
  });

  test('takes a field that was registered after the endpoints of posts, and no member of another resource', async () => {
    const late = JSON.stringify({ ...resource('/wp/v2/books', 'book'), ...bare('/x/v1/tasks', 'task') });
    const routes = JSON.parse(late, (key, value) =>
      key === 'properties' ? { ...value, rating: { type: 'integer' } } : value,
    );
    const site = await runStubSite({ index: { namespaces: ['wp/v2', 'x/v1'], routes } });
    const found = await discover(site.rootUrl);
    expect(argsOf(found, 'POST', '/wp/v2/books')).toEqual({ title: TITLE, rating: { type: 'integer' } });
    expect(argsOf(found, 'POST', '/x/v1/tasks')).toEqual({ title: TITLE });
  });

  test('comes in the order of the index, whichever resource answers first', async () => {
    const late = answering(BOOKS_ANSWER, 200, /./);
    const site = await runStubSite({
      index: INDEX,
      intercept: (request, response) => {
        if (request.method !== 'OPTIONS') return false;
        const answer = () => late(request, response);
        setTimeout(answer, asked(site).length === 1 ? 40 : 0);
        return true;
      },
    });
    const one = await discover(site.rootUrl);
    const other = await discover(site.rootUrl);
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(argsOf(one, 'POST', '/wp/v2/films')).toHaveProperty('acf');
  });

  test('is asked for with the credentials of the discovery', async () => {
    const site = await runStubSite({ index: INDEX });
    await discover(site.rootUrl, { headers: { Authorization: 'Bearer abcdef' } });
    const fields = site.requests.filter(({ method }) => method === 'OPTIONS').map(({ headers }) => headers);
    expect(fields.map(({ authorization }) => authorization)).toEqual(['Bearer abcdef', 'Bearer abcdef']);
  });

  test('is not asked for with a refused password, because of plugins that lock its sender out', async () => {
    const me = { '/wp/v2/users/me': { namespace: 'wp/v2', endpoints: [endpoint('GET')] } };
    const site = await runStubSite({
      index: { ...INDEX, routes: { ...INDEX.routes, ...me } },
      respond({ headers, route }) {
        if (route !== '/wp/v2/users/me') return undefined;
        if (headers.authorization === `Basic ${btoa('ada:right')}`) return { body: { id: 1 } };
        return { status: 401, body: { code: 'incorrect_password', message: 'No.' } };
      },
    });
    const discoverWith = (password: string) => discover(site.rootUrl, { auth: { user: 'ada', password } });
    expect([rules(await discoverWith('wrong')), asked(site)]).toEqual([['credentials-unused'], []]);
    expect(rules(await discoverWith('right'))).toEqual([]);
    expect(asked(site)).toEqual(['/wp/v2/books', '/wp/v2/films']);
  });

  test('is asked of 200 resources at most, of those with a page first; others are named', async () => {
    const paths = Array.from({ length: 210 }, (_, at) => `/x/v1/r${at}`);
    const many = Object.assign({}, ...paths.map((path) => bare(path, path.slice(6))));
    const index = { namespaces: ['x/v1', 'wp/v2'], routes: { ...many, ...INDEX.routes } };
    const site = await runStubSite({ index });
    const found = await discover(site.rootUrl);
    expect(rules(found)).toEqual(['options-incomplete']);
    expect(JSON.stringify(found.diagnostics)).toContain('/x/v1/r198 was not asked, ');
    const first = ['/wp/v2/books', '/wp/v2/films', ...paths.slice(0, 198)];
    expect(asked(site).toSorted()).toEqual(first.toSorted());
  });
});

describe('a site whose OPTIONS responses cannot be used', () => {
  const deep = `{"endpoints":[],"schema":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`;
  test.each<[string, unknown, number?]>([
    ['403', { code: 'rest_forbidden', message: 'No.' }, 403],
    ['another object', { endpoints: 'none' }],
    ['nested too deeply', deep],
    ['too many values', { endpoints: [], schema: { enum: Array.from({ length: 60_000 }, () => 0) } }],
    ['too many bytes', { endpoints: [], schema: { description: 'x'.repeat(5 * 1024 * 1024) } }],
  ])('is read without them and asked twice: %s', async (...[, answer, status]) => {
    const index = { ...INDEX, routes: { ...INDEX.routes, ...resource('/wp/v2/songs', 'song') } };
    const site = await runStubSite({ index, intercept: answering(answer, status, /./) });
    const found = await discover(site.rootUrl);
    expect(rules(found)).toEqual(['options-refused']);
    expect(asked(site)).toEqual(['/wp/v2/books', '/wp/v2/films']);
    expect(argsOf(found, 'POST', '/wp/v2/books')).toEqual({ title: TITLE });
  });

  test.each(['refuses', 'is cut off'])('is asked for the other resources if the first %s', async (what) => {
    const [films, refused] = [answering(BOOKS_ANSWER, 200, /films$/), answering('{}', 403)];
    const site = await runStubSite({
      index: INDEX,
      intercept(request, response) {
        if (films(request, response)) return true;
        if (what === 'refuses' || request.method !== 'OPTIONS') return refused(request, response);
        return Boolean(response.destroy());
      },
    });
    const found = await discover(site.rootUrl);
    expect(rules(found)).toEqual([what === 'refuses' ? 'options-refused' : 'options-incomplete']);
    expect(argsOf(found, 'POST', '/wp/v2/films')).toHaveProperty('acf');
  });

  test('is not asked for the others while it is overloaded: after three failures in a row, twice', async () => {
    const many = Array.from({ length: 20 }, (_, at) => resource(`/wp/v2/r${at}`, `thing-${at}`));
    const index = { ...INDEX, routes: Object.assign({}, ...many) };
    const site = await runStubSite({ index, intercept: answering('', 503, /./) });
    expect(rules(await discover(site.rootUrl))).toEqual(['options-incomplete']);
    expect(asked(site)).toHaveLength(6);
  });

  test('is understood behind a notice of PHP', async () => {
    const text = `<br />\n<b>Notice</b>: x {"a":1}<br />\n${JSON.stringify(BOOKS_ANSWER)}`;
    const site = await runStubSite({ index: INDEX, intercept: answering(text) });
    const found = await discover(site.rootUrl);
    expect([rules(found), argsOf(found, 'PUT', ITEM)]).toEqual([[], expect.objectContaining({ acf: ACF })]);
  });

  test('cannot change what the index states, or the prototype of an object', async () => {
    const text = JSON.stringify({
      endpoints: [{ methods: ['POST'], args: { title: { type: 'array' }, PROTO: { type: 'string' } } }],
      schema: schema('book', { title: { type: 'array' }, PROTO: { type: 'string', polluted: true } }),
    }).replaceAll('PROTO', '__proto__');
    const site = await runStubSite({ index: INDEX, intercept: answering(text) });
    const found = await discover(site.rootUrl);
    const [books] = found.index.routes;
    expect(books?.schema?.['properties']).toMatchObject({ title: TITLE });
    expect(argsOf(found, 'POST', '/wp/v2/books')['title']).toEqual(TITLE);
    expect(Object.hasOwn(argsOf(found, 'POST', '/wp/v2/books'), '__proto__')).toBe(true);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });
});

describe('namespaces that the root index hides', () => {
  const namespace = 'cocart/v2';
  const HIDDEN = { namespace, routes: { '/cocart/v2/cart': { namespace, endpoints: [endpoint('GET')] } } };
  const withHidden: StubSiteOptions = {
    index: INDEX,
    respond: ({ route }) => (route === '/cocart/v2' ? { body: HIDDEN } : undefined),
  };
  const patterns = ({ index }: DiscoveredSite): readonly string[] =>
    index.routes.map(({ pattern }) => pattern);

  test.each<[string, string, number, boolean]>([
    ['its index fails', '', 503, true],
    ['only its schemas fail', 'help', 503, true],
    ['its index is missing', '', 404, false],
    ['its schemas are refused', 'help', 403, false],
  ])('are read in part if %s', async (_, context, status, isTemporary) => {
    const site = await runStubSite({
      ...withHidden,
      intercept: ({ query, route }, response) => {
        if (route !== '/cocart/v2' || !(query.get('context') ?? '').includes(context)) return false;
        response.writeHead(status).end(JSON.stringify({ code: 'internal_server_error', message: 'No.' }));
        return true;
      },
    });
    const found = await discover(site.url, { namespaces: ['cocart/v2'] });
    expect(patterns(found).includes('/cocart/v2/cart')).toBe(context === 'help');
    expect(rules(found)).toEqual([context === 'help' ? 'help-refused' : 'namespace-unread']);
    expect(found.schemasFailure !== undefined).toBe(isTemporary);
  });

  test.each(['/wp-json/cocart/v2', '/wp-json/cocart/v2/', '/?rest_route=/cocart/v2'])(
    'are read alone at their own address %s',
    async (address) => {
      const site = await runStubSite(withHidden);
      const found = await discover(site.origin + address);
      expect(patterns(found)).toEqual(['/cocart/v2/cart']);
      expect(found.address.base).toBe(site.url);
      expect(rules(found)).toEqual(expect.arrayContaining(['namespace-selected']));
    },
  );

  test('an address in a namespace that the root lists leads to the whole site, its index to itself', async () => {
    const site = await runStubSite({ index: { ...INDEX, namespaces: ['wp/v2', 'acme/v1'] } });
    expect(patterns(await discover(`${site.origin}/wp-json/wp/v2/books/7`))).toHaveLength(4);
    expect(patterns(await discover(`${site.origin}/wp-json/wp/v2`))).toHaveLength(4);
    expect(patterns(await discover(`${site.origin}/wp-json/acme/v1`))).toEqual([]);
  });

  test('are named if a page or an OPTIONS response mentions them at the site', async () => {
    let host = '';
    const hrefs = () => [`http://${host}/wp-json/wallet/v3/1`, 'http://b.example/wp-json/b/v1'];
    const answer = () => ({ endpoints: [], _links: { cart: hrefs().map((href) => ({ href })) } });
    const page = `<a href="/wp-json/pll/v1/languages"><script>x = "https:\\/\\/HOST\\/wp-json\\/cocart\\/v2";
      y = "/wp-json/wp/" + v; z = "/wp-json/wp/v2/posts?rest_route=/acme/v1/x"</script>
      <a href="https://other.example/wp-json/foreign/v3/x"> "https:\\/\\/other.example\\/a\\/wp-json\\/escaped\\/v1"
      //other.example/?rest_route=/queried/v1 /wp-json/wp-json/x`;
    const site = await runStubSite({
      ...withHidden,
      intercept: (request, response) => {
        if (request.method === 'OPTIONS') return answering(answer())(request, response);
        if (request.url !== '/') return false;
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(page.replace('HOST', host));
        return true;
      },
    });
    host = new URL(site.url).host;
    const found = await discover(site.url);
    const named = found.diagnostics.find(({ rule }) => rule === 'namespace-hidden');
    expect(named?.message).toContain(' acme/v1, cocart/v2, pll/v1, wallet/v3.');
  });

  test.each(['../x', 'a b', 'x?y', '', 'a//b', 'a/v1,b/v1'])(
    'refuses %j as a namespace',
    async (namespace) => {
      await expect(discover('http://127.0.0.1:1/', { namespaces: [namespace] })).rejects.toThrow(
        'is no namespace',
      );
    },
  );
});
