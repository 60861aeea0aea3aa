import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { networks, startGateway } from '../support/gateway.ts';
import { sendRaw } from '../support/run.ts';

/** What the site hears of the visitor's address, and of the way on which the request has reached the gateway. */

type Fields = Readonly<Record<string, string>>;

/** Starts a gateway whose pages are stored, and whose scripts are not. @returns a function that tells what the site got */
const start = startOnce(async (isTrusted: boolean) => {
  const trust = networks(...(isTrusted ? ['127.0.0.1'] : []));
  const { origin, received } = await startGateway({ gateway: { trust }, isNew: true }, ({ url }) => ({
    body: 'a',
    headers: { 'cache-control': url.includes('.php') ? 'no-store' : 'max-age=60' },
  }));
  return async (path: string, headers: Fields): Promise<readonly IncomingHttpHeaders[]> => {
    const before = received.length;
    await sendRaw(origin, path, { headers });
    return received.slice(before).map((request) => request.headers);
  };
});

const VISITOR = '198.51.100.7';
const OTHERS = [
  ...['203.0.113.8', '203.0.113.8:443', '203.0.113.8, 198.51.100.7', '198.51.100.7,203.0.113.8', '127.0.0.1'],
  ...['2001:db8::9', '[2001:db8::9]:80', '::ffff:203.0.113.8'],
];
/** Names that plugins and hosts read, and one that nobody knows. */
const NAMES =
  'X-Real-IP CF-Connecting-IP X-Sucuri-ClientIP Client-IP CloudFront-Viewer-Address X-Nobody-Knows'.split(
    ' ',
  );

describe('a field with an address', () => {
  test.each(NAMES)('%s passes only with the address of the visitor', async (name) => {
    for (const isTrusted of [true, false]) {
      const own = isTrusted ? VISITOR : '127.0.0.1';
      const send = await start(isTrusted);
      const get = async (value: string) => {
        const [fields] = await send('/x.php', { 'X-Forwarded-For': VISITOR, [name]: value });
        return [value, fields?.[name.toLowerCase()]];
      };
      for (const other of OTHERS) if (other !== own) expect(await get(other)).toEqual([other, undefined]);
      // Viewers' addresses are a network's words, as countries are.
      if (isTrusted || name !== 'CloudFront-Viewer-Address')
        for (const same of [own, `${own}:4711`, `::ffff:${own}`])
          expect(await get(same)).toEqual([same, same]);
    }
  });

  test.each<[name: string, value: string, visitor?: string]>([
    ['X-Real-IP', '2001:DB8:0::7', '2001:db8::7'],
    ['X-App-Version', '4.2.0.1'],
    ['X-Text', 'at 203.0.113.8'],
    ['User-Agent', 'Mozilla/5.0 (X11) Chrome/120.0.0.0'],
  ])('%s: %s passes, as it is the visitor’s in another spelling, or none', async (name, value, visitor) => {
    const send = await start(true);
    const [fields] = await send('/x.php', { 'X-Forwarded-For': visitor ?? VISITOR, [name]: value });
    expect(fields?.[name.toLowerCase()]).toBe(value);
  });

  test('that others claim makes no variant of a page', async () => {
    const headers = { 'cache-control': 'max-age=60', vary: 'X-Real-IP' };
    const { read } = await startGateway({ gateway: { trust: networks('127.0.0.1') } }, (sent, visit) => ({
      ...{ headers, body: `${visit} ${sent.headers['x-real-ip'] ?? ''}` },
    }));
    const ask = async (address: string) =>
      (await read('/page/', { 'X-Forwarded-For': address, 'X-Real-IP': VISITOR }))[0];
    await ask(VISITOR);
    const stored = await ask(VISITOR);
    expect(await ask('198.51.100.8')).not.toBe(stored);
  });
});

test.each(['CF-IPCountry', 'X-Vercel-IP-Country'])('%s passes only from a trusted proxy', async (name) => {
  for (const isTrusted of [true, false]) {
    const [fields] = await (await start(isTrusted))('/x.php', { [name]: 'DE' });
    expect(fields?.[name.toLowerCase()]).toBe(isTrusted ? 'DE' : undefined);
  }
});

describe('the scheme', () => {
  const STATED: readonly (readonly [name: string, https: string, http: string | undefined])[] = [
    ['CF-Visitor', '{"scheme":"https"}', '{"scheme":"http"}'],
    ['X-Forwarded-Ssl', 'on', undefined],
    ['CloudFront-Forwarded-Proto', 'https', 'http'],
    ['Fastly-SSL', '1', undefined],
  ];

  test.each(STATED)('in %s is that of a trusted proxy in every request', async (name, https, http) => {
    const send = await start(true);
    // Passed, and asked for everyone; what a stranger says does not matter.
    for (const path of ['/x.php', `/page/${name}/`])
      for (const proto of ['https', 'http'])
        for (const value of [https, 'off', 'anything']) {
          const fields = { 'X-Forwarded-For': VISITOR, 'X-Forwarded-Proto': proto, [name]: value };
          const at = `${path}?a=${proto}${value.length}`;
          const seen = [...(await send(at, fields)), ...(await send(at, fields))];
          expect(seen.length).toBeGreaterThan(0);
          for (const each of seen) expect(each[name.toLowerCase()]).toBe(proto === 'https' ? https : http);
        }
  });

  test.each(STATED)('in %s is not a stranger’s', async (name, https) => {
    const [fields] = await (await start(false))('/x.php', { [name]: https });
    expect(fields?.[name.toLowerCase()]).toBeUndefined();
  });
});

test('a site that redirects http by CF-Visitor is served to all, and not in circles', async () => {
  const gateway = { trust: networks('127.0.0.1'), publicUrl: 'https://www.example.com' };
  const { read } = await startGateway({ gateway }, ({ headers, url }) =>
    headers['cf-visitor'] === '{"scheme":"https"}'
      ? { body: 'secure' }
      : { status: 301, headers: { location: `https://www.example.com${url}` } },
  );
  const headers = { 'CF-Visitor': '{"scheme":"https"}', 'X-Forwarded-Proto': 'https' };
  for (const _ of [1, 2, 3]) expect(await read('/a/', headers)).toContain('secure');
});
