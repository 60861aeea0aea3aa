import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNetworkCheck } from '../../../src/gateway/upstream/networks.ts';
import { RequestHeaders } from '../../../src/gateway/upstream/request-headers.ts';
import { networks } from '../../support/gateway.ts';

const trust = createNetworkCheck(networks('10.0.0.0/8'));
const OPTIONS = {
  host: 'site.example.com',
  isBehindCloudflare: false,
  mountPath: '/blog',
  requestsIdentity: false,
};

interface TestOptions {
  readonly address?: string;
  readonly requestsIdentity?: boolean;
}

function forwardHeaders(
  headers: string[],
  { address: peerAddress = '203.0.113.9', ...site }: TestOptions = {},
) {
  const request = { headers, peerAddress, protocol: 'http', httpVersion: '1.1' } as const;
  const fields = new RequestHeaders(request, trust);
  const { client, hasBody, refusal } = fields;
  if (refusal !== null) return { kind: 'refused', refusal } as const;
  const forwarded = fields.toUpstreamHeaders({ ...OPTIONS, ...site }, 'id-1');
  return { kind: 'read', client, hasBody, headers: forwarded } as const;
}

/** The fields of a header section that is written in one line: `A: 1 | B: 2`. */
const parseFields = (line: string): string[] =>
  line === '' ? [] : line.split(' | ').flatMap((field) => field.split(/: (.*)/s).slice(0, 2));

function forwardedValues(name: string, raw: string[], from?: TestOptions): string[] {
  const outcome = forwardHeaders(raw, from);
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.refusal}`);
  return outcome.headers.filter(
    (_, index) => index % 2 === 1 && outcome.headers[index - 1]?.toLowerCase() === name,
  );
}

describe('a request field', () => {
  it.each([
    ['is forwarded with its repetitions', 'Cookie: a=1 | Cookie: b=2', 'cookie', ['a=1', 'b=2']],
    ['is forwarded with bytes above ASCII', 'X-A: caf\xe9', 'x-a', ['caf\xe9']],
    ['with credentials is forwarded', 'Authorization: Basic eA==', 'authorization', ['Basic eA==']],
    ['named Host is replaced', 'Host: gw.example.com', 'host', ['site.example.com']],
    ['with underscores is dropped', 'X_HTTP_Method_Override: DELETE', 'x_http_method_override', []],
    ['named Proxy (httpoxy) is dropped', 'Proxy: http://evil.test', 'proxy', []],
    ['that names another URL is dropped', 'X-Original-URL: /admin', 'x-original-url', []],
    ['with an unverified client address is dropped', 'X-Real-IP: 127.0.0.1', 'x-real-ip', []],
    ['named X-Request-Id is replaced', 'X-Request-Id: mine', 'x-request-id', ['id-1']],
    ['named Expect is dropped', 'Expect: 100-continue', 'expect', []],
    ['named Via gets the gateway', '', 'via', ['1.1 waygate']],
    ['named Via keeps earlier gateways', 'Via: 1.0 a | Via: 1.1 b', 'via', ['1.0 a, 1.1 b, 1.1 waygate']],
  ])('%s', (_, line, name, want) => {
    expect(forwardedValues(name, parseFields(line))).toEqual(want);
  });

  it.each([
    ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Proxy-Authorization', 'TE', 'Trailer', 'Upgrade'],
    ...['HTTP2-Settings', 'connection', 'KEEP-ALIVE'],
  ])('named %s is dropped', (name) => {
    expect(forwardedValues(name.toLowerCase(), ['Host', 'gw', name, 'keep-alive'])).toEqual([]);
  });

  it('named by Connection is dropped, in any order and case', () => {
    const raw = ['X-Hop', '1', 'Connection', 'close, X-HOP ,x-other', 'x-other', '2', 'X-End', '3'];
    const values = ['x-hop', 'x-other', 'x-end'].map((name) => forwardedValues(name, raw));
    expect(values).toEqual([[], [], ['3']]);
  });

  it('that the gateway writes is not dropped by Connection', () => {
    expect(forwardedValues('x-forwarded-for', ['Connection', 'x-forwarded-for, via, host2'])).toEqual([
      '203.0.113.9',
    ]);
  });

  it('named Accept-Encoding is identity if bodies are rewritten', () => {
    const raw = ['Accept-Encoding', 'gzip, br'];
    expect(forwardedValues('accept-encoding', raw, { requestsIdentity: true })).toEqual(['identity']);
  });
});

describe('a request is refused', () => {
  it.each([
    ['with two Content-Length fields', ['Content-Length', '5', 'Content-Length', '6'], 'length'],
    ['with a list in Content-Length', ['Content-Length', '5, 5'], 'length'],
    ['with length and chunks', ['Content-Length', '5', 'Transfer-Encoding', 'chunked'], 'length'],
    ['with another transfer coding', ['Transfer-Encoding', 'gzip, chunked'], 'encoding'],
    ['with two Host fields', ['Host', 'a', 'Host', 'b'], 'host'],
    ['with a path in Host', ['Host', 'a/b'], 'host'],
    ['with a Connection that names the credentials', ['Connection', 'close, Authorization'], 'connection'],
    ['with a Connection that names the method', ['Connection', 'x-http-method-override'], 'connection'],
    ['with a Connection that names a field of the key', ['Connection', 'X-Requested-With'], 'connection'],
    ['that loops', ['Via', Array(5).fill('1.1 waygate').join(', ')], 'loop'],
  ] as const)('%s', (_, raw, refusal) => {
    expect(forwardHeaders([...raw])).toEqual({ kind: 'refused', refusal });
  });
});

describe('for an untrusted peer', () => {
  const raw = [
    ...['Host', 'gw.example.com:8080', 'X-Forwarded-For', '127.0.0.1', 'X-Forwarded-Proto', 'https'],
    ...['X-Forwarded-Host', 'evil.test', 'X-Forwarded-Prefix', '/evil', 'X-Forwarded-Port', '1'],
    ...['Forwarded', 'for=127.0.0.1;host=evil.test;proto=https', 'X-Forwarded-Ssl', 'on'],
  ];

  it.each([
    ['x-forwarded-for', '203.0.113.9'],
    ['x-forwarded-host', 'gw.example.com:8080'],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-port', '8080'],
    ['x-forwarded-prefix', '/blog'],
    ['forwarded', 'for=203.0.113.9;host="gw.example.com:8080";proto=http'],
  ])('%s is written by the gateway', (name, want) => {
    expect(forwardedValues(name, raw)).toEqual([want]);
  });

  it('Forwarded has IPv6 in brackets, and mapped IPv4 as IPv4', () => {
    const forwardedFor = (address: string) => forwardedValues('forwarded', ['Host', 'gw'], { address });
    expect(forwardedFor('2001:db8::1')).toEqual(['for="[2001:db8::1]";host="gw";proto=http']);
    expect(forwardedFor('::ffff:192.0.2.7')).toEqual(['for=192.0.2.7;host="gw";proto=http']);
    expect(forwardedFor('')).toEqual(['for=unknown;host="gw";proto=http']);
  });
});

describe('a trusted proxy', () => {
  const address = '10.0.0.1';

  const FORWARDED = 'X-Forwarded-For: 192.0.2.1';
  it.each([
    ['by X-Forwarded-For', 'X-Forwarded-For: 198.51.100.7', { address: '198.51.100.7' }],
    [
      'by the nearest untrusted address',
      'X-Forwarded-For: 192.0.2.4, 198.51.100.7, 10.9.9.9',
      { address: '198.51.100.7' },
    ],
    ['up to an invalid address', 'X-Forwarded-For: 192.0.2.4, secret, 10.9.9.9', { address: '10.9.9.9' }],
    ['with a port after the address', 'X-Forwarded-For: 198.51.100.7:4711', { address: '198.51.100.7' }],
    [
      'not by Forwarded, which proxies can forward as the client sent it',
      `${FORWARDED} | Forwarded: for=192.0.2.9;host=b.test`,
      { address: '192.0.2.1', host: 'inner:8080' },
    ],
    ['with a scheme', `${FORWARDED} | X-Forwarded-Proto: HTTPS`, { protocol: 'https' }],
    ['with a host', `${FORWARDED} | X-Forwarded-Host: a.test`, { host: 'a.test' }],
    ['not with an invalid host', `${FORWARDED} | X-Forwarded-Host: a/b`, { host: 'inner:8080' }],
    [
      'with a port',
      `${FORWARDED} | X-Forwarded-Host: a.test | X-Forwarded-Port: 8443`,
      { host: 'a.test:8443' },
    ],
    [
      'by scheme and host only',
      'X-Forwarded-Proto: https | X-Forwarded-Host: a.test',
      { address, protocol: 'https', host: 'a.test' },
    ],
    ['with a prefix', `${FORWARDED} | X-Forwarded-Prefix: /gate`, { forwardedPrefix: '/gate' }],
    [
      'not with a prefix that is a URL of another host',
      `${FORWARDED} | X-Forwarded-Prefix: //evil.test`,
      { forwardedPrefix: '' },
    ],
  ])('determines the client %s', (_, line, client) => {
    expect(forwardHeaders(['Host', 'inner:8080', ...parseFields(line)], { address })).toMatchObject({
      client,
    });
  });

  it('is appended to earlier hops in both formats', () => {
    const raw = ['Host', 'a.test', 'X-Forwarded-For', '198.51.100.7', 'X-Forwarded-For', '10.0.0.9'];
    expect(forwardedValues('x-forwarded-for', raw, { address })).toEqual([
      '198.51.100.7, 10.0.0.9, 10.0.0.1',
    ]);
    expect(forwardedValues('forwarded', [...raw, 'Forwarded', 'for=192.0.2.9'], { address })).toEqual([
      'for=198.51.100.7;host="a.test";proto=http, for=10.0.0.9, for=10.0.0.1',
    ]);
  });

  it('does not forward what the client claims before its own address', () => {
    const raw = parseFields('Host: a.test | X-Forwarded-For: 127.0.0.1, 203.0.113.8, 198.51.100.7, 10.0.0.9');
    expect(forwardedValues('x-forwarded-for', raw, { address })).toEqual([
      '198.51.100.7, 10.0.0.9, 10.0.0.1',
    ]);
    expect(
      forwardedValues('x-forwarded-for', parseFields('X-Forwarded-For: 23189987, 10.0.0.9'), { address }),
    ).toEqual(['10.0.0.9, 10.0.0.1']);
  });
});

describe('any header section', () => {
  const names =
    'Host Connection Forwarded X-Forwarded-For X-Forwarded-Host Via TE Content-Length Transfer-Encoding X-A __proto__ constructor Cookie x_y';
  const name = fc.constantFrom(...names.split(' '));
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('close', 'x-a, te', 'for=192.0.2.4', '5', 'chunked', 'a.test'),
  );
  const raw = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((pairs) => pairs.flat());

  it('is forwarded with one Host, one framing and no hop-by-hop field', () => {
    fc.assert(
      fc.property(raw, fc.constantFrom('10.0.0.1', '203.0.113.9'), (headers, address) => {
        const outcome = forwardHeaders(headers, { address });
        if (outcome.kind === 'refused') return;
        const names = outcome.headers.filter((_, index) => index % 2 === 0).map((text) => text.toLowerCase());
        expect(outcome.headers.length % 2).toBe(0);
        expect(names.filter((text) => text === 'host')).toHaveLength(1);
        expect(names.filter((text) => text === 'content-length').length).toBeLessThan(2);
        expect(names.filter((text) => /^(?:connection|te|transfer-encoding|upgrade)$|_/.test(text))).toEqual(
          [],
        );
        for (const once of ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'via', 'x-request-id']) {
          expect(names.filter((text) => text === once)).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
