import type { ForwardedClaims } from './forwarded.ts';

/**
 * Treatment of a client's request fields, by lower-case name. A field whose name has an underscore is dropped before.
 * All other fields that are not listed are forwarded unchanged.
 *
 * - `drop`: the field is not forwarded. Examples of the reasons: `Keep-Alive` belongs to the client's connection (RFC 9110
 *   §7.6.1). Node has answered `Expect` already. CGI turns `Proxy` into `HTTP_PROXY` (CVE-2016-5385). `X-Original-URL`
 *   makes some servers serve a URL other than the routed one.
 * - `identity`: the field is dropped if the gateway requests the identity coding.
 * - all others: `readRequestHeaders` parses the field and writes a new one.
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
      // Fields with client addresses and schemes that some sites trust and that the gateway does not verify.
      ['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip'],
      ['x-forwarded', 'x-forwarded-by', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-server'],
      ['front-end-https', 'x-url-scheme', 'client-ip'],
    ] as const
  )
    .flat()
    .map((name) => [name, 'drop'] as const),
]);

/**
 * Fields that `Connection` must not name; RFC 9110 §7.6.1 forbids it for end-to-end fields. The gateway routes, validates
 * and caches by these fields. Without them the site would see a different request.
 */
export const FIELDS_PROTECTED_FROM_CONNECTION: ReadonlySet<string> = new Set([
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

/** The reason why `readRequestHeaders` refuses a header section. */
export type HeaderRefusalReason = 'length' | 'encoding' | 'host' | 'connection' | 'loop';

/** Problem responses for refused header sections, by reason. */
export const HEADER_REFUSAL_RESPONSES: Readonly<
  Record<HeaderRefusalReason, { status: number; code: string; message: string }>
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
