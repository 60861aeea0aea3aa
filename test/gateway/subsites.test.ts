import { describe, expect, test } from 'vitest';
import { type Responder, startGateway, type TestOptions } from '../support/gateway.ts';

/** A network in folders, each of whose responses links to the REST root of its site: `/de/` is one. */
const network =
  (linksTo = (path: string): string => (path.startsWith('/de/') ? '/de' : '')): Responder =>
  ({ url }) => {
    const isRest = /\/wp-json\/|rest_route=/.test(url);
    const Link = `<http://www.example.com${linksTo(url)}/wp-json/>; rel="https://api.w.org/"`;
    return {
      headers: { Link, 'content-type': isRest ? 'application/json' : 'text/html' },
      body: isRest ? [] : 'a',
    };
  };

const start = (options: TestOptions = {}, respond = network()) => startGateway(options, respond);

describe('a subsite that has answered', () => {
  test.each([
    ['a page below it', '/de/about/'],
    ['a read of a route', '/de/wp-json/wp/v2/posts?page=2'],
    ['a write', '/de/wp-json/wp/v2/posts'],
  ])(
    'is known by the link of %s: its core routes have the lifetimes of the document',
    async (what, first) => {
      const { read, request } = await start();
      const method = what === 'a write' ? 'POST' : 'GET';
      await request(first, { method });
      for (const address of ['/de/wp-json/wp/v2/types', '/de/?rest_route=/wp/v2/types']) {
        await read(address);
        expect(await read(address)).toEqual(['[]', expect.stringMatching(/^hit/)]);
      }
      // Another folder has none, and a plugin of the main site can be missing there.
      for (const address of ['/xyz/wp-json/wp/v2/types', '/de/wp-json/acme/v1/x']) {
        await read(address);
        expect(await read(address)).toEqual(['[]', expect.stringMatching(/no-freshness/)]);
      }
    },
  );

  test('without links, is known once its root has answered in JSON', async () => {
    const { read } = await startGateway({}, ({ url }) => ({
      body: [url],
      headers: { 'content-type': 'application/json' },
    }));
    await read('/de/wp-json/');
    const statuses: string[] = [];
    for (const folder of ['/de', '/de', '/fr', '/fr'])
      statuses.push((await read(`${folder}/wp-json/wp/v2/types`))[1]);
    expect(statuses.map((status) => status.startsWith('hit'))).toEqual([false, true, false, false]);
  });

  test('is validated by the rules of its core routes', async () => {
    const { request } = await start({ validation: { mode: 'enforce' } });
    const send = async (folder: string): Promise<number> =>
      (await request(`${folder}/wp-json/wp/v2/posts?per_page=x`)).status;
    await request('/de/');
    expect([await send(''), await send('/de'), await send('/xyz')]).toEqual([400, 400, 200]);
  });
});
