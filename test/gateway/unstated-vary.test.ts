import { describe, expect, test } from 'vitest';
import { closeAfterTest } from '../support/close-after-test.ts';
import { startNodeGateway } from '../support/gateway.ts';
import { readSmallIndex, startStubSite } from '../support/stub-site.ts';

/** What servers and plugins negotiate without `Vary`: the table in `docs/caching.md`. */

const WEBP = 'image/avif,image/webp,*/*;q=0.8';
const PLAIN = 'image/png,image/*;q=0.8';

type Fields = Readonly<Record<string, string>>;

async function start(discovery: 'off' | 'auto', respond: (fields: NodeJS.Dict<string | string[]>) => Fields) {
  let requests = 0;
  const site = await startStubSite({
    index: readSmallIndex(),
    intercept({ headers, route, url }, response) {
      if (route !== undefined || url === '/') return false;
      requests += 1;
      const fields = respond(headers);
      response.writeHead(200, { 'Cache-Control': 'max-age=60', ...fields });
      response.end(`${fields['Content-Type']} ${fields['Content-Language']}`);
      return true;
    },
  });
  const { request, stop } = await startNodeGateway({
    sites: [{ url: site.url, passthrough: true, ...(discovery === 'off' ? { discovery } : {}) }],
    cache: 'memory',
  });
  closeAfterTest(site.close, stop);
  const read = async (path: string, headers: Fields) => {
    const response = await request(path, { headers });
    return { response, text: await response.text() };
  };
  return { read, requests: () => requests };
}

const format =
  (webp: string, other: string, always: Fields = {}) =>
  ({ accept = '' }: NodeJS.Dict<string | string[]>): Fields => ({
    'Content-Type': String(accept).includes('image/webp') ? webp : other,
    ...always,
  });

describe.each(['off', 'auto'] as const)('with discovery %s', (discovery) => {
  test.each<[string, string, string, ReturnType<typeof format>]>([
    [
      'nginx with a map of Accept and no add_header',
      'VirtuBox/ubuntu-nginx-web-server#23',
      '/wp-content/a.jpg',
      format('image/webp', 'image/jpeg'),
    ],
    [
      'WebP Express before 0.9, Vary with WebP only',
      'rosell-dk/webp-express#116',
      '/wp-content/a.png',
      format('image/webp', 'image/png'),
    ],
    [
      'Photon, with ETag and Last-Modified alone',
      'rosell-dk/webp-express#142',
      '/i0/a.jpeg',
      format('image/webp', 'image/jpeg', { ETag: '"1"' }),
    ],
    ['AVIF', 'vercel/next.js#26788', '/wp-content/a.gif?w=64', format('image/avif', 'image/gif')],
    [
      'a resizer without extension',
      'vercel/next.js#26788',
      '/_next/image?url=a.webp',
      format('image/webp', 'image/jpeg'),
    ],
    [
      'PageSpeed behind a cache',
      'apache/incubator-pagespeed-ngx#1392',
      '/wp-content/a.JPG',
      format('image/webp', 'image/jpeg'),
    ],
    [
      'ATS, which names a field of responses',
      'apache/trafficserver#5602',
      '/wp-content/b.jpg',
      format('image/webp', 'image/jpeg', { Vary: 'Content-Type' }),
    ],
  ])('an image is in a format that the client accepts: %s (%s)', async (_, __, path, respond) => {
    const { read } = await start(discovery, respond);
    for (const accept of [WEBP, PLAIN, WEBP, PLAIN, WEBP]) {
      const { response, text } = await read(path, { accept });
      const isNewer = /image\/(?:webp|avif)/.test(text);
      if (accept === PLAIN) expect(isNewer).toBe(false);
      if (isNewer) expect(response.headers.get('vary')).toMatch(/(?:^|[ ,])Accept(?:,|$)/);
    }
  });

  test('an image whose address says its format is stored once', async () => {
    const { read, requests } = await start(discovery, () => ({ 'Content-Type': 'image/webp' }));
    for (const accept of [WEBP, PLAIN]) {
      expect(
        (await read('/wp-content/a.jpg.WebP?ver=1', { accept })).response.headers.get('vary'),
      ).toBeNull();
    }
    expect(requests()).toBe(1);
  });

  test.each<[string, string, Fields]>([
    ['Accept-Language', 'de', {}],
    ['Accept-Language, of a redirect that is not stored', 'de', { 'Cache-Control': 'no-cache' }],
    ['User-Agent', 'Phone/1', {}],
  ])('the first client of an address gets the response for it: by %s', async (what, value, more) => {
    const field = /^[\w-]+/.exec(what)?.[0] ?? '';
    const { read, requests } = await start(discovery, (sent) => ({
      'Content-Type': 'text/html',
      'Content-Language': String(sent[field.toLowerCase()] ?? 'none'),
      Vary: field,
      ...more,
    }));
    expect((await read('/a/', { [field]: value })).text).toContain(value);
    const asked = requests();
    expect((await read('/a/', { [field]: 'other' })).text).toContain('other');
    expect(requests()).toBe(asked + 1);
    const before = requests();
    expect((await read('/a/', { [field]: value })).text).toContain(value);
    expect(requests() - before).toBe('Cache-Control' in more ? 1 : 0);
  });

  test('a page with Content-Language is for clients with the same Accept-Language', async () => {
    const { read, requests } = await start(discovery, ({ 'accept-language': language }) => ({
      'Content-Type': 'text/html',
      'Content-Language': String(language ?? 'none'),
    }));
    await read('/a/', { 'accept-language': 'en' });
    for (const language of ['de', 'fr', 'de', 'fr', 'de']) {
      const { response, text } = await read('/a/', { 'accept-language': language });
      expect(text).toBe(`text/html ${language}`);
      expect(response.headers.get('vary')).toBe('Accept-Language');
    }
    // What a field does is known from the first response. Where only some fields are forwarded, that one is asked for again with its own.
    expect(requests()).toBe(discovery === 'off' ? 3 : 4);
  });
});
