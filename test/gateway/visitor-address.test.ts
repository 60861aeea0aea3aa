import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import { startOnce } from '../support/close-after-test.ts';
import { startNewGateway } from '../support/gateway.ts';
import { runAnswering, sendRaw } from '../support/run.ts';

/** What the site hears of the visitor's address, and of the way on which the request has reached the gateway. */

type Fields = Readonly<Record<string, string>>;

const start = startOnce(async (options: Partial<GatewayOptions> = {}) => {
  const received: IncomingHttpHeaders[] = [];
  const { origin } = await runAnswering(
    ({ headers, url = '' }) => {
      if (url.includes('.php') || url.includes('/page')) received.push(headers);
      return { body: 'a', headers: { 'cache-control': url.includes('.php') ? 'no-store' : 'max-age=60' } };
    },
    {},
    { trust: ['127.0.0.1'], ...options },
    startNewGateway,
  );
  /** @returns the fields that the site has got */
  return async (path: string, headers: Fields): Promise<readonly IncomingHttpHeaders[]> => {
    received.length = 0;
    await sendRaw(origin, path, { headers });
    return [...received];
  };
});

const VISITOR = '198.51.100.7';
const OTHERS = [
  '203.0.113.8',
  '203.0.113.8:443',
  '203.0.113.8, 198.51.100.7',
  '198.51.100.7,203.0.113.8',
  '127.0.0.1',
];
const OTHERS_V6 = ['2001:db8::9', '[2001:db8::9]:80', '::ffff:203.0.113.8'];

/** Names that plugins and hosts read, and one that nobody knows. */
const NAMES =
  'X-Real-IP CF-Connecting-IP X-Sucuri-ClientIP Client-IP CloudFront-Viewer-Address X-Nobody-Knows'.split(
    ' ',
  );

describe('a field with an address', () => {
  test.each(NAMES)('%s passes only with the address of the visitor', async (name) => {
    const lower = name.toLowerCase();
    for (const trust of [['127.0.0.1'], []]) {
      const own = trust.length === 0 ? '127.0.0.1' : VISITOR;
      const send = await start({ trust });
      const get = async (value: string) => {
        const [fields] = await send('/x.php', { 'X-Forwarded-For': VISITOR, [name]: value });
        return fields?.[lower];
      };
      for (const other of [...OTHERS, ...OTHERS_V6].filter((value) => value !== own))
        expect([other, await get(other)]).toEqual([other, undefined]);
      // Viewers' addresses are a network's words, as countries are.
      if (trust.length > 0 || name !== 'CloudFront-Viewer-Address')
        for (const same of [own, `${own}:4711`, `::ffff:${own}`])
          expect([same, await get(same)]).toEqual([same, same]);
    }
  });

  test('passes with an IPv6 address in any spelling', async () => {
    const send = await start();
    const [fields] = await send('/x.php', { 'X-Forwarded-For': '2001:db8::7', 'X-Real-IP': '2001:DB8:0::7' });
    expect(fields?.['x-real-ip']).toBe('2001:DB8:0::7');
  });

  test.each([
    ['X-App-Version', '4.2.0.1'],
    ['X-Text', 'at 203.0.113.8'],
    ['User-Agent', 'Mozilla/5.0 (X11) Chrome/120.0.0.0'],
  ])('%s: %s is none', async (name, value) => {
    const send = await start();
    const [fields] = await send('/x.php', { [name]: value });
    expect(fields?.[name.toLowerCase()]).toBe(value);
  });

  test('that others claim makes no variant of a page', async () => {
    const { origin } = await runAnswering(
      ({ headers }, visit) => ({
        body: `${visit} ${headers['x-real-ip'] ?? ''}`,
        headers: { 'cache-control': 'max-age=60', vary: 'X-Real-IP' },
      }),
      {},
      { trust: ['127.0.0.1'] },
    );
    const read = async (address: string, claimed: string) => {
      const headers = { 'X-Forwarded-For': address, 'X-Real-IP': claimed };
      return (await sendRaw(origin, '/page/', { headers })).body;
    };
    await read(VISITOR, VISITOR);
    const stored = await read(VISITOR, VISITOR);
    expect(await read('198.51.100.8', VISITOR)).not.toBe(stored);
  });
});

test.each(['CF-IPCountry', 'X-Vercel-IP-Country'])('%s passes only from a trusted proxy', async (name) => {
  for (const trust of [['127.0.0.1'], []]) {
    const send = await start({ trust });
    const [fields] = await send('/x.php', { [name]: 'DE' });
    expect(fields?.[name.toLowerCase()]).toBe(trust.length === 0 ? undefined : 'DE');
  }
});

describe('the scheme', () => {
  const STATED: readonly (readonly [name: string, https: string, http: string | undefined])[] = [
    ['CF-Visitor', '{"scheme":"https"}', '{"scheme":"http"}'],
    ['X-Forwarded-Ssl', 'on', undefined],
    ['CloudFront-Forwarded-Proto', 'https', 'http'],
    ['Fastly-SSL', '1', undefined],
  ];

  test.each(STATED)(
    'in %s is the same in every request behind a trusted proxy',
    async (name, https, http) => {
      const lower = name.toLowerCase();
      const send = await start();
      // Passed, and asked for everyone; what a stranger says does not matter.
      for (const path of ['/x.php', `/page/${name}/1/`, `/page/${name}/2/`])
        for (const [proto, expected] of [
          ['https', https],
          ['http', http],
        ] as const)
          for (const value of [https, 'off', 'anything']) {
            const at = `${path}?a=${proto}${value.length}`;
            const fields = { 'X-Forwarded-For': VISITOR, 'X-Forwarded-Proto': proto, [name]: value };
            const seen = [...(await send(at, fields)), ...(await send(at, fields))];
            expect(seen.length).toBeGreaterThan(0);
            for (const each of seen) expect(each[lower]).toBe(expected);
          }
    },
  );

  test.each(STATED)('in %s is not a stranger’s', async (name, https) => {
    const send = await start({ trust: [] });
    for (const path of ['/x.php', `/page/${name}/`])
      for (const fields of await send(path, { [name]: https }))
        expect(fields[name.toLowerCase()]).toBeUndefined();
  });
});

test('a site that redirects http by CF-Visitor is served to all, and not in circles', async () => {
  const { origin } = await runAnswering(
    ({ headers, url }) =>
      headers['cf-visitor'] === '{"scheme":"https"}'
        ? { body: 'secure' }
        : { status: 301, headers: { location: `https://www.example.com${url}` } },
    {},
    { trust: ['127.0.0.1'], publicUrl: 'https://www.example.com' },
  );
  for (const path of ['/a/', '/b/'])
    for (const _ of [1, 2, 3]) {
      const headers = { 'CF-Visitor': '{"scheme":"https"}', 'X-Forwarded-Proto': 'https' };
      expect(await sendRaw(origin, path, { headers })).toMatchObject({ status: 200, body: 'secure' });
    }
});
