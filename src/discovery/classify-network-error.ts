import { CERTIFICATE_DEFECTS, findCertificateDefect } from '../http/certificate-defects.ts';
import type { FetchFailure } from './failure-reasons.ts';

type NetworkFailure = Pick<FetchFailure, 'reason' | 'description'>;

/** Patterns of the error codes of Node's sockets, OpenSSL, llhttp, zlib and undici, with the failure that they indicate. */
const ERROR_CODES: readonly (readonly [RegExp, NetworkFailure['reason'], string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns', 'has a host name that could not be resolved'],
  [/^ECONNREFUSED$/, 'refused', 'refused the connection'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable', 'could not be reached'],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, 'timeout', 'did not respond in time'],
  [/^(?:HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'not-http', 'sent a header section over the limit'],
  [/^(?:HPE_|HTTPParserError|UND_ERR_RESPONSE)/, 'not-http', 'sent data that is not HTTP'],
  [
    /^(?:Z_|ERR_PADDING|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/,
    'bad-encoding',
    'sent a body that could not be decompressed',
  ],
  [
    /^(?:EPROTO|ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/,
    'tls',
    'failed the TLS handshake',
  ],
  [
    /^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_REQ_CONTENT)/,
    'connection-lost',
    'closed the connection',
  ],
];

const MAX_CAUSE_DEPTH = 5;

/** Classifies a rejection of `fetch` or of a body. The message of the error is used only if no code is known. */
export function classifyNetworkError(error: unknown): NetworkFailure {
  for (const code of collectCodes(error)) {
    const defect = findCertificateDefect(code);
    if (defect !== undefined) {
      const { words } = CERTIFICATE_DEFECTS[defect];
      return { reason: defect, description: `has a certificate that is not trusted: ${words} (${code})` };
    }
    const known = ERROR_CODES.find(([pattern]) => pattern.test(code));
    if (known !== undefined) return { reason: known[1], description: `${known[2]} (${code})` };
  }
  const text = collectMessages(error).join(': ');
  if (/^terminated|other side closed|aborted/i.test(text)) {
    return {
      reason: 'connection-lost',
      description: 'closed the connection before the end of its response',
    };
  }
  return {
    reason: 'network-error',
    description: `could not be requested${text === '' ? '' : ` (${text.slice(0, 200)})`}`,
  };
}

/** Lists the codes of an error, of its causes, and of the connection attempts (RFC 8305) in an `AggregateError`. */
function collectCodes(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return [];
  // undici 7 and 8 (Node 24 and later) give their parser's errors no code.
  const fallback = error.name === 'HTTPParserError' ? [error.name] : [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : fallback;
  const attempts =
    error instanceof AggregateError ? error.errors.flatMap((each) => collectCodes(each, depth + 1)) : [];
  return [...code, ...attempts, ...collectCodes(error.cause, depth + 1)];
}

function collectMessages(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return [];
  return [error.message, ...collectMessages(error.cause, depth + 1)].filter((text) => text !== '');
}
