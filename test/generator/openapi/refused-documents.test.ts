import { expect, test } from 'vitest';
import { createSiteDocument } from '../../../src/generate.ts';
import { ConfigurationError, DiscoveryError, generate, toOpenApi } from '../../../src/index.ts';
import { createRoutesIndex } from '../../support/index-routes.ts';
import { createDiscoveredSite } from '../../support/site.ts';

/** The error of a generation from an index with these routes. */
async function generateError(
  routes: readonly string[],
  selection: { include?: string[]; exclude?: string[] } = {},
) {
  const { routes: listed, ...index } = Object(createRoutesIndex({ '/shop/v1/books': 'GET' }));
  const kept = Object.entries(listed).filter(([pattern]) => routes.includes(pattern));
  const fetch = async () => Response.json({ ...index, routes: Object.fromEntries(kept) });
  return generate('https://site.example.com/wp-json/', { ...selection, fetch }).catch(
    (error: unknown) => error,
  );
}

test('an index without routes gives an error, not an empty document', async () => {
  const error = await generateError([]);
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
  const error = await generateError(['/shop/v1/books'], selection);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(words) });
});

test('an index whose document would be many times as large is refused, with advice', () => {
  const methods = Array.from({ length: 30 }, (_, at) => `M${at}`).join(', ');
  const site = createDiscoveredSite({
    '/shop/v1/things': { [methods]: { a: { description: 'x'.repeat(1_200_000) } } },
  });
  const message = expect.stringMatching(/exceeds the limit of \d+ characters\..*include and exclude/);
  const error = expect.objectContaining({ reason: 'document-too-large', message });
  expect(() => toOpenApi(site)).toThrow(error);
});
