import { splitNames } from '../glob.ts';

/**
 * What the gateway does with a client's field when it forwards the request.
 *
 * - `pass`: the field is forwarded unchanged, unless `Connection` names it.
 * - `drop`: the field is not forwarded.
 * - `identity`: the field is dropped if the gateway requests the identity coding.
 * - all others: `readRequestHeaders` parses the field and writes a new one.
 */
export type FieldForwarding =
  | 'pass'
  | 'drop'
  | 'identity'
  | ('connection' | 'length' | 'encoding' | 'via' | 'host' | 'forwarded')
  | ('xFor' | 'xHost' | 'xProto' | 'xPort' | 'xPrefix');

/**
 * What a request field means for the store.
 *
 * - `negotiation`: identifies nobody. A plain origin needs it to respond: the cache evaluates it, or it selects the
 *   representation.
 * - `description`: identifies nobody, and describes the client, its browser or the way of the request.
 * - `cookie`, `body`, `override`: the value or the method decides.
 * - `credentials`: authenticates a client or a session. Configuration cannot declare it harmless.
 */
export type FieldCacheClass = 'negotiation' | 'description' | 'cookie' | 'body' | 'override' | 'credentials';

/** What is known of a request field. A field that is not in the table is forwarded, and may identify the client. */
interface KnownField {
  readonly forwarding: FieldForwarding;
  readonly cacheClass: FieldCacheClass;
  /**
   * `site`: forwarded with each request that may use the store of a WordPress site. No other field is forwarded with such
   * a request unless its value is part of the cache key, so no stored response depends on it.
   * `key`: the same, and its value is part of the key of pages and of a plain origin's resources.
   * `plain-key`: its value is part of the key of a plain origin's resources, as applications respond to scripts in other
   * forms.
   * `trace`: forwarded with each request if its value is an id. It says which request this is, and changes no response.
   */
  readonly sharing?: 'site' | 'key' | 'plain-key' | 'trace';
}

interface FieldGroup extends Omit<KnownField, 'forwarding'> {
  readonly reason: string;
  /** Fields that are forwarded unchanged. A name that ends in `*` is a prefix. */
  readonly passed?: string;
  readonly dropped?: string;
  /** Fields with another treatment. */
  readonly rewritten?: Readonly<Record<string, FieldForwarding>>;
}

/** Fields of the connection with a client, besides `Connection` itself (RFC 9110 §7.6.1, §10.1.1). */
export const CONNECTION_FIELDS: readonly string[] = splitNames(
  'keep-alive proxy-connection te trailer upgrade expect http2-settings proxy',
);

const FIELD_GROUPS: readonly FieldGroup[] = [
  {
    reason:
      'describes the message or its connection (RFC 9110 §7.6, RFC 9112); Node has answered Expect, and CGI turns Proxy into HTTP_PROXY (CVE-2016-5385)',
    cacheClass: 'negotiation',
    passed: 'max-forwards content-type alt-used early-data',
    dropped: CONNECTION_FIELDS.join(' '),
    rewritten: { host: 'host', connection: 'connection', via: 'via' },
  },
  {
    reason: 'says whether the request has content; the gateway delimits it anew (RFC 9112 §6)',
    cacheClass: 'body',
    rewritten: { 'content-length': 'length', 'transfer-encoding': 'encoding' },
  },
  {
    reason:
      'the cache evaluates it (RFC 9110 §14.2, RFC 9111 §5.2); `normalizeSharedFields` replaces the value',
    cacheClass: 'negotiation',
    sharing: 'site',
    passed: 'cache-control pragma range if-range',
  },
  {
    reason: 'the cache evaluates it (RFC 9110 §13.1)',
    cacheClass: 'negotiation',
    passed: 'if-none-match if-modified-since',
  },
  {
    reason: 'WordPress repeats it in CORS fields, with `Vary: Origin`',
    cacheClass: 'negotiation',
    sharing: 'key',
    passed: 'origin',
  },
  {
    reason: 'negotiates the content coding (RFC 9110 §12.5.3); normalized',
    cacheClass: 'negotiation',
    sharing: 'site',
    rewritten: { 'accept-encoding': 'identity' },
  },
  {
    reason:
      'negotiates the representation (RFC 9110 §12.5); forwarded only if `Vary` or a rule makes it part of the key',
    cacheClass: 'negotiation',
    passed: 'accept accept-charset accept-language user-agent',
  },
  {
    reason: 'distinguishes requests of scripts, which applications answer in other forms',
    cacheClass: 'description',
    sharing: 'plain-key',
    passed: 'x-requested-with',
  },
  {
    reason: 'describes the browser, its settings, or what caused the request',
    cacheClass: 'description',
    passed: `sec-fetch-* sec-ch-* sec-gpc sec-purpose purpose x-purpose x-moz priority dnt save-data referer from
      upgrade-insecure-requests device-memory dpr width viewport-width downlink ect rtt`,
  },
  {
    reason:
      'added by proxies: how the request reached the gateway, and from which address or place. Some sites trust those that are dropped, which the gateway does not verify; X-Original-URL makes servers serve a URL other than the routed one',
    cacheClass: 'description',
    passed: `x-forwarded-path x-forwarded-protocol x-original-forwarded-for x-original-uri x-replaced-path
      x-proxyuser-ip x-scheme x-nginx-proxy x-varnish x-timer cdn-loop x-envoy-external-address
      x-envoy-expected-rq-timeout-ms x-envoy-attempt-count x-envoy-decorator-operation x-envoy-peer-metadata
      x-envoy-peer-metadata-id`,
    dropped: `x-forwarded x-forwarded-server x-forwarded-by x-forwarded-scheme x-forwarded-ssl x-original-host
      x-original-url x-rewrite-url x-real-ip x-client-ip x-cluster-client-ip true-client-ip client-ip front-end-https
      x-url-scheme`,
    rewritten: {
      forwarded: 'forwarded',
      'x-forwarded-for': 'xFor',
      'x-forwarded-host': 'xHost',
      'x-forwarded-proto': 'xProto',
      'x-forwarded-port': 'xPort',
      'x-forwarded-prefix': 'xPrefix',
    },
  },
  {
    reason:
      'added by networks and hosts: Cloudflare, Fastly, Akamai, AWS, Azure, Google, Vercel, Fly, Heroku and others',
    cacheClass: 'description',
    dropped: 'cf-connecting-ip',
    passed: `cf-connecting-ipv6 cf-connecting-o2o cf-pseudo-ipv4 cf-ray cf-visitor cf-ipcountry cf-ipcity
      cf-ipcontinent cf-iplatitude cf-iplongitude cf-region cf-region-code cf-metro-code cf-postal-code cf-timezone
      cf-ew-via cf-worker cf-request-id cf-warp-tag-id fastly-client fastly-client-ip fastly-ff fastly-ssl
      fastly-temp-xff fastly-orig-accept-encoding fastly-no-shield akamai-origin-hop x-akamai-edgescape
      x-akamai-config-log-detail x-amz-cf-id x-amzn-tls-version x-amzn-tls-cipher-suite cloudfront-viewer-*
      cloudfront-is-* cloudfront-forwarded-proto x-azure-clientip x-azure-socketip x-azure-ref x-azure-fdid
      x-azure-requestchain x-arr-log-id x-arr-ssl x-appgw-trace-id disguised-host was-default-hostname
      x-site-deployment-id x-appengine-country x-appengine-region x-appengine-city x-appengine-citylatlong
      x-appengine-request-log-id x-vercel-id x-vercel-ip-* x-vercel-forwarded-for x-vercel-deployment-url fly-client-ip
      fly-forwarded-port fly-forwarded-proto fly-forwarded-ssl fly-region fly-request-id x-request-start connect-time
      total-route-time rndr-id do-connecting-ip x-nf-client-connection-ip x-nf-request-id x-sucuri-clientip
      x-sucuri-country incap-client-ip`,
  },
  {
    reason:
      'identifies the request in traces (W3C Trace Context, B3, and those of vendors); the gateway creates X-Request-Id anew',
    cacheClass: 'description',
    sharing: 'trace',
    dropped: 'x-request-id',
    passed: `traceparent tracestate b3 x-b3-* request-id x-correlation-id correlation-id x-trace-id x-amzn-trace-id
      x-cloud-trace-context x-datadog-trace-id x-datadog-parent-id x-datadog-sampling-priority uber-trace-id
      sentry-trace elastic-apm-traceparent fly-traceparent fly-tracestate x-client-trace-id`,
  },
  {
    reason: 'carries values of applications along with a trace (W3C Baggage), which they may read',
    cacheClass: 'description',
    passed: `baggage x-datadog-* x-ot-span-context ot-tracer-* newrelic x-instana-t x-instana-s x-instana-l x-dynatrace
      grpc-trace-bin request-context postman-token`,
  },
  { reason: 'the names of the cookies decide', cacheClass: 'cookie', passed: 'cookie' },
  {
    reason: 'changes the method that the site runs',
    cacheClass: 'override',
    passed: 'x-http-method-override x-http-method x-method-override',
  },
  {
    reason: 'authenticates a client or a session of WordPress',
    cacheClass: 'credentials',
    dropped: 'proxy-authorization',
    passed: `authorization x-authorization php-auth-user php-auth-pw php-auth-digest x-wp-nonce nonce
      x-wc-store-api-nonce cart-token`,
  },
];

const KNOWN_FIELDS: ReadonlyMap<string, KnownField> = new Map(
  FIELD_GROUPS.flatMap(({ dropped = '', passed = '', reason: _, rewritten = {}, ...field }) => [
    ...splitNames(passed).map((name) => [name, { ...field, forwarding: 'pass' }] as const),
    ...splitNames(dropped).map((name) => [name, { ...field, forwarding: 'drop' }] as const),
    ...Object.entries(rewritten).map(([name, forwarding]) => [name, { ...field, forwarding }] as const),
  ]),
);
const KNOWN_PREFIXES = [...KNOWN_FIELDS].flatMap(([name, field]) =>
  name.endsWith('*') ? [{ prefix: name.slice(0, -1), field }] : [],
);

/** Finds what is known of a request field. @param name in lower case */
export function findRequestField(name: string): KnownField | undefined {
  return KNOWN_FIELDS.get(name) ?? KNOWN_PREFIXES.find(({ prefix }) => name.startsWith(prefix))?.field;
}

/**
 * Fields that `Connection` must not name; RFC 9110 §7.6.1 forbids it for end-to-end fields. The gateway routes, validates
 * and caches by these fields. Without them the site would see a different request.
 */
export const FIELDS_PROTECTED_FROM_CONNECTION: ReadonlySet<string> = new Set(
  splitNames(`host content-length content-type content-encoding transfer-encoding authorization cookie accept range
    origin x-http-method-override x-wp-nonce cache-control`),
);
