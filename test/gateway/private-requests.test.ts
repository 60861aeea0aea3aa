import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOnce } from '../support/close-after-test.ts';
import { type Responder, startGateway } from '../support/gateway.ts';
import { PLAIN } from '../support/run.ts';

/**
 * A request may use the store only if all that reaches the site from it is the key. The site of these tests responds with
 * a copy of each request, so a stored response shows what its request told the site.
 */

type Fields = Readonly<Record<string, string>>;
const SECRET = 'secret-of-client-one';
const listWords = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Fields by which proxies, identity providers and applications tell a site who the client is. */
const IDENTITY_FIELDS = listWords(`
  Authorization Proxy-Authorization X-WP-Nonce Nonce Cart-Token Client-Cert X-SSL-Client-Verify
  X-Forwarded-Tls-Client-Cert Remote-User X-Forwarded-User X-Goog-Iap-Jwt-Assertion Cf-Access-Jwt-Assertion
  X-Amzn-Oidc-Data X-Api-Key X-CSRF-Token Session X-Tenant X-Currency X-Country DPoP Prefer X-Wp-Preview
`);

/** Parses fields that are separated by ` | `. */
const parseFields = (text: string): Fields =>
  Object.fromEntries(text.split(' | ').map((field) => field.trim().split(/: (.*)/s)));

/** What browsers send, as recorded. */
const BROWSERS: Readonly<Record<string, Fields>> = {
  "Chrome's fetch": parseFields(`
    accept: */* | accept-encoding: gzip, deflate, br, zstd | accept-language: de-DE,de;q=0.9,en;q=0.8
    | priority: u=1, i | referer: https://www.example.com/page
    | sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24" | sec-ch-ua-mobile: ?0 | sec-ch-ua-platform: "Linux"
    | sec-fetch-dest: empty | sec-fetch-mode: cors | sec-fetch-site: same-origin
    | user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140 Safari/537.36
    | cookie: _ga=GA1.1; _gid=2`),
  "Chrome's navigation": parseFields(`
    accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
    | accept-encoding: gzip, deflate, br, zstd | accept-language: en-US,en;q=0.9 | cache-control: max-age=3600
    | dnt: 1 | sec-ch-ua: "Chromium";v="140" | sec-ch-prefers-color-scheme: dark | sec-fetch-dest: document
    | sec-fetch-mode: navigate | sec-fetch-site: none | sec-fetch-user: ?1 | sec-gpc: 1
    | upgrade-insecure-requests: 1 | user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140`),
  "Firefox's fetch": parseFields(`
    accept: */* | accept-encoding: gzip, deflate, br, zstd
    | accept-language: fr,fr-FR;q=0.8,en-US;q=0.5,en;q=0.3 | referer: https://www.example.com/
    | sec-fetch-dest: empty | sec-fetch-mode: no-cors | sec-fetch-site: same-origin | priority: u=4
    | te: trailers | user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0
    | x-requested-with: XMLHttpRequest`),
};

/** What proxies in front of the gateway add. */
const PROXIES: Readonly<Record<string, Fields>> = {
  nginx: parseFields(`
    x-real-ip: 203.0.113.7 | x-forwarded-for: 203.0.113.7 | x-forwarded-proto: https
    | x-forwarded-host: www.example.com | x-forwarded-port: 443 | x-scheme: https | x-request-id: a1b2c3d4e5f6`),
  Cloudflare: parseFields(`
    cdn-loop: cloudflare; loops=1 | cf-connecting-ip: 203.0.113.7 | cf-ipcountry: DE
    | cf-ray: 230b030023ae2822-FRA | cf-visitor: {"scheme":"https"} | true-client-ip: 203.0.113.7
    | x-forwarded-for: 203.0.113.7 | x-forwarded-proto: https`),
  'an AWS load balancer': parseFields(`
    x-amzn-trace-id: Root=1-67891233-abcdef012345678912345678 | x-forwarded-for: 203.0.113.7
    | x-forwarded-port: 443 | x-forwarded-proto: https | x-amz-cf-id: abcdef | cloudfront-viewer-country: DE
    | via: 2.0 abcdef.cloudfront.net (CloudFront)`),
  Fastly: parseFields(`
    cdn-loop: Fastly | fastly-client-ip: 203.0.113.7 | fastly-ff: abc!FRA!cache-fra-1 | fastly-ssl: 1
    | x-forwarded-server: cache-fra-1 | x-timer: S1700000000.000000,VS0 | x-varnish: 12345`),
  Traefik: parseFields(`
    x-forwarded-for: 203.0.113.7 | x-forwarded-host: www.example.com | x-forwarded-server: traefik-1
    | x-real-ip: 203.0.113.7`),
  'a service mesh with tracing': parseFields(`
    traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 | tracestate: vendor=abc
    | baggage: userId=alice | x-b3-traceid: 80f198ee56343ba864fe8b2a57d3eff7 | x-datadog-trace-id: 1234
    | x-envoy-attempt-count: 1 | x-correlation-id: abc`),
};

const TRACE_FIELDS: ReadonlySet<string> = new Set(
  listWords('traceparent x-b3-traceid x-amzn-trace-id x-datadog-trace-id x-correlation-id'),
);

/** Answers with the request. */
const echo: Responder = ({ headers, url }) => ({ body: { url, headers } });
const HARMLESS = ['X-Theme', 'X-Ab-*', '!X-Moz', '!X-Ab-User'];
const CREDENTIALS = ['share', 'Magic_*'];
let counter = 0;
/** A path that no other test has requested. */
const nextPath = (): string => {
  counter += 1;
  return `/wp-json/wp/v2/posts/${counter}`;
};

describe('a cached site behind a gateway', () => {
  const start = startOnce(() =>
    startGateway({ cache: { harmlessHeaders: HARMLESS, credentialParameters: CREDENTIALS } }, echo),
  );

  test.each(IDENTITY_FIELDS)('%s makes a request private', async (name) => {
    const { read } = await start();
    const path = nextPath();
    const [, status] = await read(path, { [name]: SECRET });
    expect(status).toMatch(/^fwd=bypass; detail=(?:credentials|"header [A-Za-z-]+")$/);
    expect((await read(path))[0]).not.toContain(SECRET);
    const again = name === 'Proxy-Authorization' ? 'headers' : SECRET;
    expect(await read(path, { [name]: SECRET })).toEqual([expect.stringContaining(again), status]);
  });

  test.each(Object.entries({ ...BROWSERS, ...PROXIES }))(
    'a request with harmless fields uses the store, and tells the site nothing about its client: %s',
    async (_, headers) => {
      const { read } = await start();
      const stored = nextPath();
      expect((await read(stored))[1]).toContain('fwd=uri-miss');
      expect((await read(stored, headers))[1]).toMatch(/^hit/);
      const path = nextPath();
      expect((await read(path, headers))[1]).toContain('fwd=uri-miss');
      const echoed: Fields = JSON.parse((await read(path))[0]).headers;
      for (const [name, value] of Object.entries(headers)) {
        // Ids of the request itself say nothing about its client.
        if (!TRACE_FIELDS.has(name) && value.length > 4) expect(echoed[name]).not.toBe(value);
      }
      expect(echoed).toMatchObject({
        ...{ accept: '*/*', 'accept-encoding': 'identity', via: '1.1 waygate' },
        'user-agent': expect.stringMatching(/^Mozilla\/5\.0 \(X11; Linux x86_64\) .* Chrome\//),
        'x-forwarded-for': expect.stringMatching(/^(?:192\.0\.2|203\.0\.113)\.\d+$/),
        forwarded: expect.stringMatching(/^for=(?:192\.0\.2|203\.0\.113)\.\d+;host="[^"]+";proto=http$/),
      });
    },
  );

  test.each([
    ['', { 'x-theme': SECRET, 'x-ab-test': SECRET }, 'fwd=uri-miss'],
    ['', { 'x-ab-user': SECRET }, 'detail="header x-ab-user"'],
    ['', { 'x-moz': SECRET }, 'detail="header x-moz"'],
    ['?share=1', {}, 'detail="parameter share"'],
    ['?magic_link=1', {}, 'detail="parameter magic_link"'],
  ])('an operator declares fields and parameters: "%s" with %j: %s', async (query, headers, status) => {
    const { read } = await start();
    const path = nextPath();
    expect((await read(path + query, headers as Fields))[1]).toContain(status);
    expect((await read(path))[0]).not.toContain(SECRET);
  });

  const SECRETS = listWords(`
    api_token jwt_token cart_key restNonce filter[access_token] filter%5Bacc%65ss_token%5D userPass session
    access_code code pin invite ticketId email_hash reset verification`);
  test.each([
    ['_method', '"method override"'],
    ...['_wpnonce', '%5Fwpnonce', '_wpnonce[]', 'a=1;_wpnonce', '_wpnonce[;]'].map((name) => [
      name,
      '"parameter _wpnonce"',
    ]),
    ['_ajax.nonce', '"parameter _ajax_nonce"'],
    ['JWT', '"parameter JWT"'],
    ...SECRETS.map((name) => [name, `"parameter ${/token(?=]|%5D)/.test(name) ? 'access_token' : name}"`]),
  ])('the parameter %s makes a request private', async (name, detail) => {
    const { read } = await start();
    const path = `${nextPath()}?${name}=GET`;
    for (const _time of [1, 2]) expect((await read(path))[1]).toBe(`fwd=bypass; detail=${detail}`);
  });

  test.each(
    listWords(`
      meta_key keyword author passage orderby sticky monkeys tokyo authors country_code pinned status_code
      encoder`),
  )('the parameter %s does not', async (name) => {
    const { read } = await start();
    expect((await read(`${nextPath()}?${name}=1`))[1]).toContain('fwd=uri-miss');
  });

  test.each(['basket', '_gate_session', '_ttrack_session', '_uet_session'])(
    'the cookie %s, which is not known to be harmless, makes a request private',
    async (name) => {
      const { read } = await start();
      const path = nextPath();
      expect((await read(path, { cookie: `_ga=1; ${name}=${SECRET}` }))[1]).toBe('fwd=bypass; detail=cookie');
      expect((await read(path))[0]).not.toContain(SECRET);
    },
  );

  /** Fields that `fetch`, Node or the gateway interpret: the value of a test would be an invalid one. */
  const INTERPRETED =
    /^(?:host|connection|keep-alive|transfer-encoding|content-(?:length|encoding)|expect|upgrade|te|trailer|via|range|forwarded|x-forwarded-.*|proxy-connection)$/;

  test('no generated header field, cookie or parameter of one client reaches another', async () => {
    const { read } = await start();
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z][a-z0-9-]{0,14}[a-z0-9]$/).filter((name) => !INTERPRETED.test(name)),
        fc.constantFrom('header', 'cookie', 'parameter'),
        fc.stringMatching(/^[a-z]{8}-[a-z]{8}$/),
        fc.boolean(),
        async (name, kind, value, isFirst) => {
          const path = nextPath();
          const readMarked = (): ReturnType<typeof read> =>
            kind === 'parameter'
              ? read(`${path}?${name}=${value}`)
              : read(path, kind === 'header' ? { [name]: value } : { cookie: `${name}=${value}` });
          if (isFirst) await readMarked();
          else await read(path);
          expect((await read(path))[0]).not.toContain(value);
          // With the value, a client gets the response that was made for it, unless the name is a harmless one.
          const [body, status] = await readMarked();
          const isHarmless = status.startsWith('hit') && kind !== 'parameter';
          expect(body.includes(value)).toBe(!isHarmless);
          expect((await read(path))[0]).not.toContain(value);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test.each(
  listWords(`
    Referer From Baggage Newrelic X-Sucuri-Country X-Azure-FDID Sec-CH-UA Fastly-Client CF-IPCountry
    X-Client-IP Width X-Request-Start`),
)('a plain origin is not told %s with a request that may use the store', async (name) => {
  const { read } = await startGateway(PLAIN, (request, ...more) => ({
    ...echo(request, ...more),
    headers: { 'cache-control': 'max-age=60' },
  }));
  await read('/a', { [name]: SECRET });
  expect((await read('/a'))[0]).not.toContain(SECRET);
});
