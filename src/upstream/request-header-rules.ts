import type { ForwardedClaims } from './forwarded.ts';

/**
 * - `drop`: for this connection only (RFC 9110 §7.6.1), or for the gateway (`Expect`: Node has answered 100 already;
 *   `X-Request-Id`: written anew), or dangerous: `Proxy` becomes `HTTP_PROXY` in CGI (CVE-2016-5385), `X-Original-URL`
 *   and `X-Rewrite-URL` make some servers answer for another address than the one that was routed.
 * - `identity`: dropped where answers are rewritten.
 */
export const REQUEST_FIELD_TREATMENTS: ReadonlyMap<
  string,
  'drop' | 'identity' | keyof ForwardedClaims | 'connection' | 'length' | 'encoding' | 'via'
> = new Map([
  ['host', 'host'],
  ['connection', 'connection'],
  ['content-length', 'length'],
  ['transfer-encoding', 'encoding'],
  ['via', 'via'],
  ['accept-encoding', 'identity'],
  ['forwarded', 'forwarded'],
  ['x-forwarded-for', 'xFor'],
  ['x-forwarded-host', 'xHost'],
  ['x-forwarded-proto', 'xProto'],
  ['x-forwarded-port', 'xPort'],
  ['x-forwarded-prefix', 'xPrefix'],
  ...(
    [
      ['keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'http2-settings', 'expect', 'proxy'],
      ['proxy-authorization', 'x-request-id', 'x-original-url', 'x-rewrite-url', 'x-original-host'],
      // Other spellings of who is calling, which sites believe and which nobody here vouches for.
      ['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'],
      ['x-forwarded', 'x-forwarded-by', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-server'],
      ['front-end-https', 'x-url-scheme', 'client-ip'],
    ] as const
  )
    .flat()
    .map((name) => [name, 'drop'] as const),
]);

/**
 * Fields that a `Connection` header must not take away: the gateway has matched, judged and keyed the request by them,
 * and without them the site would take it for another one. (RFC 9110 §7.6.1 forbids naming them.)
 */
export const END_TO_END_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'host',
    'content-length',
    'content-type',
    'content-encoding',
    'transfer-encoding',
    'authorization',
    'cookie',
  ],
  ...['accept', 'range', 'origin', 'x-http-method-override', 'x-wp-nonce', 'cache-control'],
]);

export type HeaderRefusal = 'length' | 'encoding' | 'host' | 'connection' | 'loop';

/** What a caller is told; the reasons stand where the refusals are made. */
export const HEADER_REFUSALS: Readonly<
  Record<HeaderRefusal, { status: number; code: string; message: string }>
> = {
  length: { status: 400, code: 'gateway_bad_length', message: 'The length of the body is ambiguous.' },
  encoding: {
    status: 501,
    code: 'gateway_bad_encoding',
    message: 'Only chunked is taken as Transfer-Encoding.',
  },
  host: { status: 400, code: 'gateway_bad_host', message: 'The Host header is not one host.' },
  connection: {
    status: 400,
    code: 'gateway_bad_connection',
    message: 'Connection names a field of the message.',
  },
  loop: { status: 508, code: 'gateway_loop', message: 'The request came through this gateway too often.' },
};
