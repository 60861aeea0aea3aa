import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../../src/base/errors.ts';
import { isJsonObject } from '../../../../src/base/json.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { toServedDocument } from '../../../../src/gateway/site/snapshot/served-document.ts';
import { readServedApi } from '../../../../src/generator/openapi/index.ts';
import { startGateway } from '../../../support/gateway.ts';
import { createRoutesIndex } from '../../../support/index-routes.ts';
import { runStubSite } from '../../../support/run.ts';
import { generateFor, PRETTY_ADDRESS } from '../../../support/site.ts';
import type { StubSite } from '../../../support/stub-site.ts';

const API = { passthrough: false, inMemory: true };

/** A root index whose name, authentication and arguments contain the site's URL. */
function indexOf(origin: () => string): () => unknown {
  return () => ({
    ...createRoutesIndex(
      { '/a/v1/x': 'GET' },
      { target: { type: 'string', default: `${origin()}/shop`, description: `As in ${origin()}.` } },
    ),
    name: new URL(origin()).host,
    home: origin(),
    url: `${origin()}/core`,
    authentication: { 'application-passwords': { endpoints: { authorization: `${origin()}/wp-admin/` } } },
  });
}

describe('the document that a gateway serves', () => {
  test('is rendered for one client after the other: the rest gets 503, and the same one waits for it', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `a${at}/v1`);
    const routes = Object.fromEntries(names.map((name) => [`/${name}/x`, 'GET']));
    const { request } = await startGateway({ ...API, index: createRoutesIndex(routes) });
    const read = (query: string) => request(`/openapi.json${query}`);
    const all = [...names, ...names].map((name) => read(`?namespace=${name}`));
    const whole = read('');
    const statuses = (await Promise.all(all)).map(({ headers, status }) => [
      status,
      headers.get('retry-after'),
    ]);
    const [first, second] = [statuses.slice(0, names.length), statuses.slice(names.length)];
    expect(first.filter(([status]) => status === 200).length).toBeGreaterThan(1);
    expect(first.filter(([status]) => status === 503).length).toBeGreaterThan(1);
    expect(second).toEqual(first);
    for (const [status, retryAfter] of first)
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect((await whole).status).toBe(200);
    for (const name of names) expect((await read(`?namespace=${name}`)).status).toBe(200);
  });

  test.each(['/openapi.json', '/openapi.json?namespace=a/v1'])(
    'contains no address of the site: %s',
    async (path) => {
      const site: StubSite = await runStubSite({ index: indexOf(() => site.origin) });
      const { read } = await startGateway({ ...API, document: undefined, url: site.url });
      const [text] = await read(path);
      const { host, port } = new URL(site.origin);
      expect(text).toContain('/a/v1/x');
      expect(text.includes(host)).toBe(false);
      expect(text.includes(`:${port}`)).toBe(false);
      const document = JSON.parse(text);
      expect(document.servers).toEqual([{ url: '/', description: 'This gateway' }]);
      expect(document.info.title).toBe('REST API');
      const { parameters } = document.paths['/a/v1/x'].get;
      expect(parameters[0]).toMatchObject({ description: 'As in .', schema: { default: '/shop' } });
    },
  );

  test('is sent in all forms that are asked for at once, though they do not fit in memory together', async () => {
    const built = generateFor({ '/a/v1/x': 'GET', '/b/v1/x': 'GET' }).document;
    const document = { ...built, info: { ...built['info'], description: 'a'.repeat(6_000_000) } };
    const { request } = await startGateway({ ...API, url: 'http://127.0.0.1:9', document });
    const queries = ['', 'openapi=3.1', 'namespace=a/v1', 'openapi=3.1.0&namespace=b/v1'];
    const responses = queries.map((query) => request(`/openapi.json?${query}`));
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses).toEqual(queries.map(() => 200));
  });

  test('does not say by itself where the site is', async () => {
    const { request } = await startGateway(API);
    const document: unknown = await (await request('/openapi.json')).json();
    expect(() => runSteps(readServedApi(document))).toThrow(ConfigurationError);
    expect(() => runSteps(readServedApi(document))).toThrow(
      /#\/x-waygate\/site\/base is ".\/"; .*URL of the site/,
    );
  });
});

describe('the served document of an address', () => {
  const document = { info: { title: 'A' }, paths: {}, 'x-waygate': { format: 1, routes: [] } };
  const serve = (text: string, address: object = {}): unknown =>
    runSteps(
      toServedDocument(
        { ...document, text },
        {
          publicPath: '/blog$&',
          passthrough: false,
          address: { ...PRETTY_ADDRESS, ...address },
          connectUrl: 'http://127.0.0.2:8080',
        },
      ),
    )['text'];

  test.each([
    ['https://example.com/a', '/blog$&/a'],
    ['http://example.com', '/blog$&'],
    ['See //example.com.', 'See /blog$&.'],
    ['http://127.0.0.2:8080/a "b"', '/blog$&/a "b"'],
    ['https://example.com.example/', 'https://example.com.example/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://sub.example.com/', 'https://sub.example.com/'],
  ])('%s becomes %s', (text, expected) => {
    expect(serve(text)).toBe(expected);
  });

  test.each([
    ['https://example.com/wp-json/', 'pretty', './wp-json/'],
    ['https://example.com/index.php?rest_route=/', 'plain', './index.php?rest_route=/'],
    ['https://api.example.com/wp-json/', 'pretty', '/wp-json/'],
  ] as const)('the root %s is relative to the site', (root, spelling, expected) => {
    const { document: stored } = generateFor(
      { '/a/v1/x': 'GET' },
      { address: { ...PRETTY_ADDRESS, root, spelling } },
    );
    const served = runSteps(
      toServedDocument(JSON.parse(JSON.stringify(stored)), {
        publicPath: '',
        passthrough: false,
        address: { ...PRETTY_ADDRESS, root, spelling },
      }),
    );
    const { 'x-waygate': site } = served;
    expect(isJsonObject(site) ? site['site'] : undefined).toEqual({
      base: './',
      root: expected,
      spelling,
      prefix: 'wp-json',
    });
    expect(JSON.stringify(served)).not.toContain('example.com');
    expect(runSteps(readServedApi(served, 'https://other.example/site')).address.root).toBe(
      new URL(expected, 'https://other.example/site/').href,
    );
  });
});
