import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURE_RESPONSES } from '../../src/upstream/failures.ts';
import {
  type BodyFraming,
  type ClientIdentity,
  HEADER_REFUSALS,
  type HeaderRefusal,
  readRequestHeaders,
} from '../../src/upstream/request-headers.ts';
import { parseTrustedProxies } from '../../src/upstream/trusted-proxies.ts';

const trust = parseTrustedProxies(['10.0.0.0/8']);
const BY = { host: 'site.example.com', mount: '/blog', identityEncoding: false };

interface From {
  readonly address?: string;
  readonly identityEncoding?: boolean;
  readonly mount?: string;
}

type Sent =
  | {
      readonly kind: 'read';
      readonly headers: string[];
      readonly client: ClientIdentity;
      readonly framing: BodyFraming;
    }
  | { readonly kind: 'refused'; readonly refusal: HeaderRefusal };

function sent(raw: string[], { address: peer = '203.0.113.9', ...site }: From = {}): Sent {
  const fields = readRequestHeaders({ headers: raw, peer, protocol: 'http', httpVersion: '1.1' }, trust);
  if (fields.kind === 'refused') return fields;
  const { client, framing, kind } = fields;
  return { kind, client, framing, headers: fields.toUpstream({ ...BY, ...site }, 'id-1') };
}

/** The values of a field as the site gets them, in order. */
function field(name: string, raw: string[], from?: From): string[] {
  const outcome = sent(raw, from);
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.refusal}`);
  return outcome.headers.filter((_, at) => at % 2 === 1 && outcome.headers[at - 1]?.toLowerCase() === name);
}

describe('a field of the request', () => {
  it.each([
    ['passes as it is written', ['X-WP-Nonce', 'abc'], 'x-wp-nonce', ['abc']],
    ['passes as often as it stands there', ['Cookie', 'a=1', 'Cookie', 'b=2'], 'cookie', ['a=1', 'b=2']],
    ['passes with bytes beyond ASCII', ['X-A', 'caf\xe9'], 'x-a', ['caf\xe9']],
    ['passes where it is a credential', ['Authorization', 'Basic eA=='], 'authorization', ['Basic eA==']],
    ['is replaced where it is the host', ['Host', 'gw.example.com'], 'host', ['site.example.com']],
    ['is dropped with an underscore', ['X_HTTP_Method_Override', 'DELETE'], 'x_http_method_override', []],
    ['is dropped with an underscore, even one alone', ['Content_Length', '5'], 'content_length', []],
    ['is dropped where it is httpoxy', ['Proxy', 'http://evil.test'], 'proxy', []],
    ['is dropped where it names another address', ['X-Original-URL', '/admin'], 'x-original-url', []],
    ['is dropped where it says who calls', ['X-Real-IP', '127.0.0.1'], 'x-real-ip', []],
    ['is replaced where it is the request id', ['X-Request-Id', 'mine'], 'x-request-id', ['id-1']],
    ['is dropped where it is an expectation', ['Expect', '100-continue'], 'expect', []],
    ['keeps what codings are accepted', ['Accept-Encoding', 'gzip'], 'accept-encoding', ['gzip']],
    ['gets the gateway into Via', [], 'via', ['1.1 waygate']],
    [
      'keeps the gateways before in Via',
      ['Via', '1.0 a', 'Via', '1.1 b'],
      'via',
      ['1.0 a, 1.1 b, 1.1 waygate'],
    ],
  ])('%s', (_, raw, name, want) => {
    expect(field(name, ['Host', 'gw.example.com', ...raw].slice(raw[0] === 'Host' ? 2 : 0))).toEqual(want);
  });

  it.each([
    ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Proxy-Authorization', 'TE', 'Trailer', 'Upgrade'],
    ...['HTTP2-Settings', 'connection', 'KEEP-ALIVE'],
  ])('stays here where it is %s', (name) => {
    expect(field(name.toLowerCase(), ['Host', 'gw', name, 'keep-alive'])).toEqual([]);
  });

  it('stays here where Connection names it, in whatever order and case', () => {
    const raw = ['X-Hop', '1', 'Connection', 'close, X-HOP ,x-other', 'x-other', '2', 'X-End', '3'];
    expect([field('x-hop', raw), field('x-other', raw), field('x-end', raw)]).toEqual([[], [], ['3']]);
  });

  it('of the gateway stays where Connection names it', () => {
    expect(field('x-forwarded-for', ['Connection', 'x-forwarded-for, via, host2'])).toEqual(['203.0.113.9']);
  });

  it('asks for identity where bodies are rewritten', () => {
    const got = field('accept-encoding', ['Accept-Encoding', 'gzip, br'], { identityEncoding: true });
    expect(got).toEqual(['identity']);
  });
});

describe('a request is refused', () => {
  it.each([
    ['with two lengths', ['Content-Length', '5', 'Content-Length', '6'], 'length'],
    ['with two equal lengths', ['Content-Length', '5', 'content-length', '5'], 'length'],
    ['with a list of lengths', ['Content-Length', '5, 5'], 'length'],
    ['with a signed length', ['Content-Length', '+5'], 'length'],
    ['with a length in hexadecimal', ['Content-Length', '0x5'], 'length'],
    ['with no length in the field', ['Content-Length', ''], 'length'],
    ['with a length and chunks', ['Content-Length', '5', 'Transfer-Encoding', 'chunked'], 'length'],
    ['with a coding that would be lost', ['Transfer-Encoding', 'gzip, chunked'], 'encoding'],
    ['with chunks in chunks', ['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'], 'encoding'],
    ['with two hosts', ['Host', 'a', 'Host', 'b'], 'host'],
    ['with a host that is a path', ['Host', 'a/b'], 'host'],
    ['with a host that is a user', ['Host', 'a@b'], 'host'],
    [
      'with a connection that takes the credentials away',
      ['Connection', 'close, Authorization'],
      'connection',
    ],
    ['with a connection that takes the method away', ['Connection', 'x-http-method-override'], 'connection'],
    ['that comes round again and again', ['Via', Array(5).fill('1.1 waygate').join(', ')], 'loop'],
  ] as const)('%s', (_, raw, refusal) => {
    expect(sent([...raw])).toEqual({ kind: 'refused', refusal });
  });
});

describe('the body', () => {
  it.each([
    ['is none without a word', [], { kind: 'none' }],
    ['is counted', ['Content-Length', '12'], { kind: 'length', length: 12 }],
    ['is counted where it is empty', ['Content-Length', '0'], { kind: 'length', length: 0 }],
    ['comes in chunks', ['Transfer-Encoding', 'Chunked'], { kind: 'chunked' }],
  ])('%s', (_, raw, framing) => {
    expect(sent(raw)).toMatchObject({ kind: 'read', framing });
  });

  it('keeps its length, and not its chunks', () => {
    expect(field('content-length', ['Content-Length', '12'])).toEqual(['12']);
    expect(field('transfer-encoding', ['Transfer-Encoding', 'chunked'])).toEqual([]);
  });
});

describe('a caller who is not trusted', () => {
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
  ])('has %s written for them', (name, want) => {
    expect(field(name, raw)).toEqual([want]);
  });

  it('is who the socket says', () => {
    expect(sent(raw)).toMatchObject({
      client: { address: '203.0.113.9', protocol: 'http', host: 'gw.example.com:8080', prefix: '' },
    });
  });

  it('is named in brackets in IPv6, and plainly where IPv4 is mapped', () => {
    const told = (address: string) => field('forwarded', ['Host', 'gw'], { address });
    expect(told('2001:db8::1')).toEqual(['for="[2001:db8::1]";host="gw";proto=http']);
    expect(told('::ffff:192.0.2.7')).toEqual(['for=192.0.2.7;host="gw";proto=http']);
    expect(told('')).toEqual(['for=unknown;host="gw";proto=http']);
  });
});

describe('a trusted proxy', () => {
  const address = '10.0.0.1';
  const host = ['Host', 'inner:8080'];

  it.each([
    ['by X-Forwarded-For', ['X-Forwarded-For', '198.51.100.7'], { address: '198.51.100.7' }],
    [
      'by the nearest that is not trusted',
      ['X-Forwarded-For', '192.0.2.4, 198.51.100.7, 10.9.9.9'],
      { address: '198.51.100.7' },
    ],
    ['up to what is no address', ['X-Forwarded-For', '192.0.2.4, secret, 10.9.9.9'], { address: '10.9.9.9' }],
    ['with a port beside it', ['X-Forwarded-For', '198.51.100.7:4711'], { address: '198.51.100.7' }],
    [
      'by Forwarded',
      ['Forwarded', 'for="[2001:db8::7]:80";proto=https;host=a.test'],
      { address: '2001:db8::7', protocol: 'https', host: 'a.test' },
    ],
    [
      'not by Forwarded beside the other',
      ['X-Forwarded-For', '198.51.100.7', 'Forwarded', 'for=192.0.2.9;host=b.test'],
      { address: '198.51.100.7', host: 'inner:8080' },
    ],
    [
      'with its scheme',
      ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Proto', 'HTTPS'],
      { protocol: 'https' },
    ],
    [
      'not with a scheme of its own',
      ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Proto', 'gopher'],
      { protocol: 'http' },
    ],
    ['with its host', ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Host', 'a.test'], { host: 'a.test' }],
    [
      'not with a host that is none',
      ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Host', 'a/b'],
      { host: 'inner:8080' },
    ],
    [
      'with its port',
      ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Host', 'a.test', 'X-Forwarded-Port', '8443'],
      { host: 'a.test:8443' },
    ],
    [
      'without the port of its scheme',
      [
        'X-Forwarded-For',
        '192.0.2.1',
        'X-Forwarded-Host',
        'a.test',
        'X-Forwarded-Port',
        '443',
        'X-Forwarded-Proto',
        'https',
      ],
      { host: 'a.test' },
    ],
    [
      'by its scheme and host alone',
      ['X-Forwarded-Proto', 'https', 'X-Forwarded-Host', 'a.test'],
      { address, protocol: 'https', host: 'a.test' },
    ],
    [
      'not by Forwarded beside a scheme',
      ['X-Forwarded-Proto', 'https', 'Forwarded', 'for=192.0.2.9;host=b.test'],
      { address, protocol: 'https', host: 'inner:8080' },
    ],
    ['with its prefix', ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Prefix', '/gate'], { prefix: '/gate' }],
    [
      'not with a prefix that leads elsewhere',
      ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Prefix', '//evil.test'],
      { prefix: '' },
    ],
  ])('tells the caller %s', (_, raw, client) => {
    expect(sent([...host, ...raw], { address })).toMatchObject({ client });
  });

  it('is added to those before it, in both spellings alike', () => {
    const raw = ['Host', 'a.test', 'X-Forwarded-For', '198.51.100.7', 'X-Forwarded-For', '10.0.0.9'];
    expect(field('x-forwarded-for', raw, { address })).toEqual(['198.51.100.7, 10.0.0.9, 10.0.0.1']);
    expect(field('forwarded', [...raw, 'Forwarded', 'for=192.0.2.9'], { address })).toEqual([
      'for=198.51.100.7;host="a.test";proto=http, for=10.0.0.9, for=10.0.0.1',
    ]);
  });

  it('has its prefix before the mount', () => {
    const raw = ['Host', 'a', 'X-Forwarded-For', '192.0.2.1', 'X-Forwarded-Prefix', '/gate'];
    expect(field('x-forwarded-prefix', raw, { address })).toEqual(['/gate/blog']);
  });
});

describe('whatever comes in', () => {
  const name = fc.constantFrom(
    ...[
      'Host',
      'Connection',
      'Forwarded',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'Via',
      'TE',
      'Content-Length',
    ],
    ...['Transfer-Encoding', 'X-A', '__proto__', 'constructor', 'Cookie', 'x_y'],
  );
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('close', 'x-a, te', 'for=192.0.2.4', '5', 'chunked', 'a.test'),
  );
  const raw = fc.array(fc.tuple(name, value), { maxLength: 12 }).map((pairs) => pairs.flat());

  it('one host, no hop-by-hop field and one framing go out, and it never throws', () => {
    fc.assert(
      fc.property(raw, fc.constantFrom('10.0.0.1', '203.0.113.9'), (headers, address) => {
        const outcome = sent(headers, { address });
        if (outcome.kind === 'refused') return;
        const names = outcome.headers.filter((_, at) => at % 2 === 0).map((text) => text.toLowerCase());
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
      { numRuns: 2000 },
    );
  });

  it('is told no address, host or path in a refusal or a failure', () => {
    for (const { message } of [...Object.values(HEADER_REFUSALS), ...Object.values(FAILURE_RESPONSES)]) {
      expect(message).not.toMatch(/\d|\/|:/);
    }
  });
});
