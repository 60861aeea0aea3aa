import { describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';

/** Negotiation without `Vary` by servers and plugins, e.g. WebP images by `Accept`. */

const WEBP = 'image/avif,image/webp,*/*;q=0.8';
const PNG = 'image/png,image/*;q=0.8';

type Fields = Readonly<Record<string, string>>;
type Sent = NodeJS.Dict<string | string[]>;

async function start(discovery: 'off' | 'auto', respond: (fields: Sent) => Fields, isNew = false) {
  const options = { ...(discovery === 'off' ? { discovery } : {}), cache: {}, isNew };
  const { received, request } = await startGateway(options, ({ headers }) => {
    const fields = respond(headers);
    const body = `${fields['content-type']} ${fields['content-language']}`;
    return { headers: { 'cache-control': 'max-age=60', ...fields }, body };
  });
  const read = async (path: string, headers: Fields) => {
    const response = await request(path, { headers });
    return { vary: response.headers.get('vary'), text: await response.text() };
  };
  return { read, received };
}

/** Chooses the newer type if the client names WebP, and sends further fields with either. */
const format =
  (newer: string, other: string, always: Fields = {}) =>
  ({ accept = '' }: Sent): Fields => ({
    'content-type': `image/${String(accept).includes('image/webp') ? newer : other}`,
    ...always,
  });

describe.each(['off', 'auto'] as const)('with discovery %s', (discovery) => {
  test.each<[string, string, ReturnType<typeof format>]>([
    [
      'nginx with a map of Accept (VirtuBox/ubuntu-nginx-web-server#23)',
      '/wp-content/a.jpg',
      format('webp', 'jpeg'),
    ],
    ['AVIF (vercel/next.js#26788)', '/wp-content/a.gif?w=64', format('avif', 'gif')],
    [
      'ATS, which names a field of responses (apache/trafficserver#5602)',
      '/wp-content/b.jpg',
      format('webp', 'jpeg', { vary: 'Content-Type' }),
    ],
  ])('an image is in a format that the client accepts: %s', async (_, path, respond) => {
    const { read } = await start(discovery, respond);
    for (const accept of [WEBP, PNG, WEBP, PNG, WEBP]) {
      const { text, vary } = await read(path, { accept });
      const isNewer = /image\/(?:webp|avif)/.test(text);
      if (accept === PNG) expect(isNewer).toBe(false);
      if (isNewer) expect(vary).toMatch(/(?:^|[ ,])Accept(?:,|$)/);
    }
  });

  test('an image whose address says its format is stored once', async () => {
    const { read, received } = await start(discovery, () => ({ 'content-type': 'image/webp' }));
    for (const accept of [WEBP, PNG])
      expect((await read('/wp-content/a.jpg.WebP', { accept })).vary).toBeNull();
    expect(received).toHaveLength(1);
  });

  test.each(['accept-language', 'user-agent'])(
    'the first client of an address gets the response for it, by %s',
    async (field) => {
      const { read, received } = await start(
        discovery,
        (sent) => ({
          'content-type': 'text/html',
          'content-language': String(sent[field] ?? 'none'),
          vary: field,
        }),
        true,
      );
      for (const value of ['first', 'other', 'first', 'first'])
        expect((await read('/a/', { [field]: value })).text).toContain(value);
      // The first response is not stored where it has reached the site as its client sent it.
      expect(received).toHaveLength(discovery === 'off' ? 2 : 3);
    },
  );

  test('a page with Content-Language is for clients with the same Accept-Language', async () => {
    const { read, received } = await start(
      discovery,
      ({ 'accept-language': language }) => ({
        'content-type': 'text/html',
        'content-language': String(language ?? 'none'),
      }),
      true,
    );
    await read('/a/', { 'accept-language': 'en' });
    for (const language of ['de', 'fr', 'de', 'fr', 'de']) {
      expect(await read('/a/', { 'accept-language': language })).toEqual({
        text: `text/html ${language}`,
        vary: 'Accept-Language',
      });
    }
    // What a field does is known from the first response.
    expect(received).toHaveLength(3);
  });
});
