import type { ForwardedClaims } from './forwarded.ts';

/**
 * How fields of a client's request are treated; all others are forwarded unchanged.
 *
 * - `drop`: fields of the client's connection (RFC 9110 §7.6.1); fields for the gateway (`Expect`: Node has sent 100
 *   already; `X-Request-Id`: the gateway writes its own); dangerous fields: `Proxy` becomes `HTTP_PROXY` in CGI
 *   (CVE-2016-5385), `X-Original-URL` and `X-Rewrite-URL` make some servers serve another URL than the routed one.
 * - `identity`: dropped if responses are rewritten.
 * - the others: parsed by `readRequestHeaders`.
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
      // Client addresses that some sites trust and that the gateway does not verify.
      ['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'],
      ['x-forwarded', 'x-forwarded-by', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-server'],
      ['front-end-https', 'x-url-scheme', 'client-ip'],
    ] as const
  )
    .flat()
    .map((name) => [name, 'drop'] as const),
]);

/**
 * Fields that a `Connection` header must not remove: the gateway routes, validates and caches by them, so the site
 * would see a different request without them. RFC 9110 §7.6.1 forbids `Connection` to name end-to-end fields.
 */
export const END_TO_END_FIELDS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'authorization',
  'cookie',
  'accept',
  'range',
  'origin',
  'x-http-method-override',
  'x-wp-nonce',
  'cache-control',
]);

/** Why a request is refused because of its header section. `readRequestHeaders` decides it. */
export type HeaderRefusal = 'length' | 'encoding' | 'host' | 'connection' | 'loop';

/** The problem responses for refused header sections. */
export const HEADER_REFUSALS: Readonly<
  Record<HeaderRefusal, { status: number; code: string; message: string }>
> = {
  length: { status: 400, code: 'gateway_bad_length', message: 'The length of the body is ambiguous.' },
  encoding: {
    status: 501,
    code: 'gateway_bad_encoding',
    message: 'The only supported Transfer-Encoding is chunked.',
  },
  host: { status: 400, code: 'gateway_bad_host', message: 'The Host header must name one host.' },
  connection: {
    status: 400,
    code: 'gateway_bad_connection',
    message: 'The Connection header names an end-to-end field.',
  },
  loop: {
    status: 508,
    code: 'gateway_loop',
    message: 'The request has passed through this gateway too many times.',
  },
};
