import { expect, test } from 'vitest';
import { closeAfterTest } from '../../support/close-after-test.ts';
import { startNodeGateway } from '../../support/gateway.ts';
import { createSmallDocument, startStubSite } from '../../support/stub-site.ts';

const LIFETIME = { 'cache-control': 'public, max-age=600' };

test.each<[string, Record<string, string>, readonly object[], readonly string[]]>([
  ['is not stored', {}, [], ['page', 'page', 'list', 'list']],
  ['is not stored although the site states a lifetime', LIFETIME, [], ['page', 'page', 'list', 'list']],
  ['is stored if a rule does', {}, [{ match: ['/wp/v2/types'], ttl: 600 }], ['page', 'page', 'page', 'page']],
])('a page in place of the response of a route %s', async (_, fields, rules, expected) => {
  let isPage = true;
  const site = await startStubSite({
    intercept({ route }, response) {
      if (route !== '/wp/v2/types' || !isPage) return false;
      response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8', ...fields }).end('page');
      return true;
    },
    respond: () => ({ body: 'list' }),
  });
  const { request, stop } = await startNodeGateway({
    sites: [
      {
        url: site.url,
        document: createSmallDocument(),
        cache: { rules: rules as { match: string[]; ttl: number }[] },
      },
    ],
    cache: 'memory',
  });
  closeAfterTest(site.close, stop);
  const read = async (): Promise<string> =>
    (await (await request('/wp/v2/types')).text()).replaceAll('"', '');
  const before = [await read(), await read()];
  isPage = false;
  const after = [await read(), await read()];
  expect([...before, ...after]).toEqual(expected);
  expect(site.requests.filter(({ route }) => route === '/wp/v2/types')).toHaveLength(
    new Set(expected).size === 1 ? 1 : 3,
  );
});
