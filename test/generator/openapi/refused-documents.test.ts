import { expect, test } from 'vitest';
import { createSiteDocument } from '../../../src/generate.ts';
import { ConfigurationError, DiscoveryError, generate, toOpenApi } from '../../../src/index.ts';
import { createDiscoveredSite } from '../../support/site.ts';

const ROUTES = { '/shop/v1/books': { GET: {} } };

/** The error of a generation from an index with these routes. */
async function generateError(routes: object, selection: { include?: string[]; exclude?: string[] } = {}) {
  const endpoints = [{ methods: ['GET'], args: {} }];
  const index = {
    name: 'Site',
    namespaces: ['shop/v1'],
    routes: Object.fromEntries(
      Object.keys(routes).map((pattern) => [pattern, { namespace: 'shop/v1', methods: ['GET'], endpoints }]),
    ),
  };
  const fetch = async () => Response.json(index);
  return generate('https://site.example.com/wp-json/', { ...selection, fetch }).catch(
    (error: unknown) => error,
  );
}

test('an index without routes gives an error, not an empty document', async () => {
  const error = await generateError({});
  expect(error).toBeInstanceOf(DiscoveryError);
  expect(error).toMatchObject({
    reason: 'no-routes',
    exitCode: 3,
    message: expect.stringContaining('--auth'),
  });
  expect(() => createSiteDocument(createDiscoveredSite({}))).toThrow(DiscoveryError);
});

test.each([
  [{ include: ['shop/v2'] }, 'include "shop/v2"'],
  [{ exclude: ['shop/*'] }, 'exclude "shop/*"'],
  [{ include: ['shop/v1'], exclude: ['/shop/v1/books*'] }, 'include "shop/v1" and exclude "/shop/v1/books*"'],
])('a selection that leaves no route gives an error that names it: %j', async (selection, words) => {
  const error = await generateError(ROUTES, selection);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(words) });
});

test('an index whose document would be many times as large is refused, with advice', () => {
  const methods = Array.from({ length: 30 }, (_, at) => `M${at}`).join(', ');
  const site = createDiscoveredSite({
    '/shop/v1/things': { [methods]: { a: { description: 'x'.repeat(1_200_000) } } },
  });
  expect(() => toOpenApi(site)).toThrow(
    expect.objectContaining({
      reason: 'document-too-large',
      message: expect.stringMatching(/exceeds the limit of \d+ characters\..*include and exclude/),
    }),
  );
});
