export interface CertificateDefect {
  readonly words: string;
  readonly remedy: string;
}

const INSECURE =
  'In a network that is trusted, `upstream.insecure: true` accepts any certificate. Outside of the gateway, NODE_EXTRA_CA_CERTS names a file of authorities.';

type CertificateDefectName =
  | 'certificate-self-signed'
  | 'certificate-unknown-issuer'
  | 'certificate-expired'
  | 'certificate-name';

export const CERTIFICATE_DEFECTS: Readonly<Record<CertificateDefectName, CertificateDefect>> = {
  'certificate-self-signed': {
    words: 'self-signed certificate',
    remedy: `Set \`upstream.ca\` to a file with this certificate in PEM. ${INSECURE}`,
  },
  'certificate-unknown-issuer': {
    words: 'its issuer is unknown',
    remedy: `Set \`upstream.ca\` to a file with the certificate of its authority in PEM, or let the site send its intermediate certificates. ${INSECURE}`,
  },
  'certificate-expired': {
    words: 'it has expired, or is not valid yet',
    remedy: 'Renew the certificate of the site, and check the clock of this machine.',
  },
  'certificate-name': {
    words: 'it is for another host name',
    remedy: `Set \`upstream.serverName\` to a name of the certificate. ${INSECURE}`,
  },
};

export type UpstreamFailureKind =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  /** The response can also be invalid, or the error of an unknown kind. */
  | 'connection-broken'
  | 'head-too-large'
  | 'invalid-request'
  | 'body-length-mismatch'
  | 'shutdown'
  | 'circuit-open'
  /** Too many requests wait for the origin: nothing was sent. */
  | 'overloaded'
  | 'not-stored'
  | 'client-gone'
  | 'internal';

/** Reason as a discovery names it. `other`: the error does not concern the site. */
export type NetworkErrorReason =
  | 'dns'
  | 'private-address'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'not-http'
  | 'bad-encoding'
  | CertificateDefectName
  | 'tls'
  | 'connection-lost'
  | 'other';

export interface NetworkError {
  readonly code: string;
  readonly reason: NetworkErrorReason;
  readonly kind: UpstreamFailureKind;
}

const UNKNOWN_ISSUER =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/;

/** Codes of Node, OpenSSL, llhttp, zlib and undici, or names without one. The first match applies. */
const NETWORK_ERRORS: readonly (readonly [RegExp, NetworkErrorReason, UpstreamFailureKind])[] = [
  [/^(?:ENOTFOUND$|EAI_)/, 'dns', 'dns'],
  [/^EPRIVATE$/, 'private-address', 'refused'],
  [/^ECONNREFUSED$/, 'refused', 'refused'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES)$/, 'unreachable', 'refused'],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT|TimeoutError)$/, 'timeout', 'timeout'],
  [/^(?:HPE_|HTTPParserError|UND_ERR_RESPONSE)/, 'not-http', 'connection-broken'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'not-http', 'head-too-large'],
  [/^(?:Z_|ERR_PADDING|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/, 'bad-encoding', 'connection-broken'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'certificate-self-signed', 'tls'],
  [UNKNOWN_ISSUER, 'certificate-unknown-issuer', 'tls'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate-expired', 'tls'],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'certificate-name', 'tls'],
  [/^(?:EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/, 'tls', 'tls'],
  [/^UND_ERR_REQ_CONTENT_LENGTH_MISMATCH$/, 'connection-lost', 'body-length-mismatch'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, 'connection-lost', 'connection-broken'],
  [/^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED)$/, 'other', 'invalid-request'],
  [/^UND_ERR_(?:DESTROYED|CLOSED)$/, 'other', 'shutdown'],
  [/^(?:UND_ERR_ABORTED|ABORT_ERR|AbortError)$/, 'other', 'client-gone'],
];

const MAX_DEPTH = 5;

export function classifyNetworkError(error: unknown): NetworkError | undefined {
  for (const code of listCodes(error, 0)) {
    const known = NETWORK_ERRORS.find(([codes]) => codes.test(code));
    if (known !== undefined) return { code, reason: known[1], kind: known[2] };
  }
  return undefined;
}

export function findCertificateDefect(error: unknown): CertificateDefect | undefined {
  const reason = classifyNetworkError(error)?.reason;
  return reason === undefined ? undefined : new Map(Object.entries(CERTIFICATE_DEFECTS)).get(reason);
}

/** undici 7 and 8 give their parser's errors no code. */
const CODELESS_NAMES: ReadonlySet<unknown> = new Set(['HTTPParserError', 'AbortError', 'TimeoutError']);

function listCodes(error: unknown, depth: number): readonly string[] {
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return [];
  const name = 'name' in error && CODELESS_NAMES.has(error.name) ? [String(error.name)] : [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : name;
  const attempts = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const causes = 'cause' in error ? [error.cause] : [];
  return [...code, ...[...attempts, ...causes].flatMap((inner: unknown) => listCodes(inner, depth + 1))];
}
