/** Request header fields that identify nobody, with the reason why a request with them may use the store. */
export interface HarmlessHeaderGroup {
  readonly reason: string;
  /** Names in lower case. A name that ends in `*` is a prefix. */
  readonly names: readonly string[];
  /** Whether a plain origin needs them to respond: the cache evaluates them, or they select the representation. */
  readonly isNegotiated?: boolean;
}

/**
 * The request header fields that a request may have and still use the store of a WordPress site. None of them is
 * forwarded with such a request unless its value is part of the cache key (`shared-request-fields.ts`), so no response
 * that is stored depends on it. A request with any other field bypasses the store.
 */
export const HARMLESS_HEADERS: readonly HarmlessHeaderGroup[] = [
  {
    isNegotiated: true,
    reason: 'describes the message or its connection (RFC 9110 §7.6, RFC 9112); the gateway writes its own',
    names: [
      ...['host', 'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect'],
      ...['http2-settings', 'via', 'max-forwards', 'content-type', 'alt-used', 'early-data', 'proxy'],
    ],
  },
  {
    isNegotiated: true,
    reason: 'the cache evaluates it (RFC 9110 §13.1 and §14.2, RFC 9111 §5.2)',
    names: [...['cache-control', 'pragma', 'range', 'if-range'], ...['if-none-match', 'if-modified-since']],
  },
  {
    isNegotiated: true,
    reason:
      'negotiates the representation (RFC 9110 §12.5); forwarded only if `Vary` or a rule makes it part of the key',
    names: ['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'origin', 'user-agent'],
  },
  {
    reason: 'describes the browser, its settings, or what caused the request',
    names: [
      ...['sec-fetch-*', 'sec-ch-*', 'sec-gpc', 'sec-purpose', 'purpose', 'x-purpose', 'x-moz', 'priority'],
      ...['dnt', 'save-data', 'referer', 'from', 'upgrade-insecure-requests', 'x-requested-with'],
      ...['device-memory', 'dpr', 'width', 'viewport-width', 'downlink', 'ect', 'rtt'],
    ],
  },
  {
    reason: 'added by proxies: how the request reached the gateway, and from which address or place',
    names: [
      ...['forwarded', 'x-forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
      ...[
        'x-forwarded-port',
        'x-forwarded-prefix',
        'x-forwarded-server',
        'x-forwarded-by',
        'x-forwarded-scheme',
      ],
      ...['x-forwarded-ssl', 'x-forwarded-path', 'x-forwarded-protocol', 'x-original-forwarded-for'],
      ...['x-original-host', 'x-original-url', 'x-original-uri', 'x-rewrite-url', 'x-replaced-path'],
      ...['x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'client-ip', 'x-proxyuser-ip'],
      ...['front-end-https', 'x-url-scheme', 'x-scheme', 'x-nginx-proxy', 'x-varnish', 'x-timer', 'cdn-loop'],
      ...['x-envoy-external-address', 'x-envoy-expected-rq-timeout-ms', 'x-envoy-attempt-count'],
      ...['x-envoy-decorator-operation', 'x-envoy-peer-metadata', 'x-envoy-peer-metadata-id'],
    ],
  },
  {
    reason:
      'added by networks and hosts: Cloudflare, Fastly, Akamai, AWS, Azure, Google, Vercel, Fly, Heroku and others',
    names: [
      ...[
        'cf-connecting-ip',
        'cf-connecting-ipv6',
        'cf-connecting-o2o',
        'cf-pseudo-ipv4',
        'cf-ray',
        'cf-visitor',
      ],
      ...['cf-ipcountry', 'cf-ipcity', 'cf-ipcontinent', 'cf-iplatitude', 'cf-iplongitude', 'cf-region'],
      ...['cf-region-code', 'cf-metro-code', 'cf-postal-code', 'cf-timezone', 'cf-ew-via', 'cf-worker'],
      ...['cf-request-id', 'cf-warp-tag-id', 'fastly-client', 'fastly-client-ip', 'fastly-ff', 'fastly-ssl'],
      ...['fastly-temp-xff', 'fastly-orig-accept-encoding', 'fastly-no-shield', 'akamai-origin-hop'],
      ...['x-akamai-edgescape', 'x-akamai-config-log-detail', 'x-amz-cf-id', 'x-amzn-tls-version'],
      ...['x-amzn-tls-cipher-suite', 'cloudfront-viewer-*', 'cloudfront-is-*', 'cloudfront-forwarded-proto'],
      ...['x-azure-clientip', 'x-azure-socketip', 'x-azure-ref', 'x-azure-fdid', 'x-azure-requestchain'],
      ...['x-arr-log-id', 'x-arr-ssl', 'x-appgw-trace-id', 'disguised-host', 'was-default-hostname'],
      ...['x-site-deployment-id', 'x-appengine-country', 'x-appengine-region', 'x-appengine-city'],
      ...['x-appengine-citylatlong', 'x-appengine-request-log-id', 'x-vercel-id', 'x-vercel-ip-*'],
      ...['x-vercel-forwarded-for', 'x-vercel-deployment-url', 'fly-client-ip', 'fly-forwarded-port'],
      ...['fly-forwarded-proto', 'fly-forwarded-ssl', 'fly-region', 'fly-request-id', 'x-request-start'],
      ...['connect-time', 'total-route-time', 'rndr-id', 'do-connecting-ip', 'x-nf-client-connection-ip'],
      ...['x-nf-request-id', 'x-sucuri-clientip', 'x-sucuri-country', 'incap-client-ip'],
    ],
  },
  {
    reason: 'identifies the request in traces (W3C Trace Context, B3, and those of vendors)',
    names: [
      ...['traceparent', 'tracestate', 'baggage', 'b3', 'x-b3-*', 'x-request-id', 'request-id'],
      ...['x-correlation-id', 'correlation-id', 'x-trace-id', 'x-amzn-trace-id', 'x-cloud-trace-context'],
      ...['x-datadog-*', 'x-ot-span-context', 'ot-tracer-*', 'uber-trace-id', 'sentry-trace', 'newrelic'],
      ...[
        'elastic-apm-traceparent',
        'x-instana-t',
        'x-instana-s',
        'x-instana-l',
        'x-dynatrace',
        'grpc-trace-bin',
      ],
      ...['request-context', 'fly-traceparent', 'fly-tracestate', 'x-client-trace-id', 'postman-token'],
    ],
  },
];
