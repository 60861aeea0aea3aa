import type { Reason } from './reasons.ts';

interface NetworkFault {
  readonly reason: Reason;
  readonly came: string;
}

/** What Node's sockets, OpenSSL, llhttp, zlib and undici call their failures, by the start of the code. */
const CODES: readonly (readonly [RegExp, Reason, string])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'dns', 'has a name that could not be resolved'],
  [/^ECONNREFUSED$/, 'refused', 'refused the connection'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'unreachable', 'could not be reached'],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, 'timeout', 'did not answer in time'],
  [/^(?:HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'not-http', 'sent more in its headers than is read'],
  [/^(?:HPE_|UND_ERR_RESPONSE)/, 'not-http', 'answered with something that is no HTTP'],
  [
    /^(?:Z_|ERR_PADDING|ERR__ERROR_FORMAT|ERR_BROTLI|ERR_ZSTD)/,
    'bad-encoding',
    'sent a body that could not be decompressed',
  ],
  [
    /^(?:EPROTO|ERR_SSL|ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/,
    'tls',
    'failed to agree on TLS',
  ],
  [
    /^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_REQ_CONTENT)/,
    'connection-lost',
    'closed the connection',
  ],
];

const DEEPEST_CAUSE = 5;

/** What a rejected `fetch` or body means. Its text is shown only where no code of it is known. */
export function toNetworkFault(error: unknown): NetworkFault {
  for (const code of codesOf(error)) {
    const known = CODES.find(([pattern]) => pattern.test(code));
    if (known !== undefined) return { reason: known[1], came: `${known[2]} (${code})` };
  }
  const text = messagesOf(error).join(': ');
  if (/^terminated|other side closed|aborted/i.test(text)) {
    return { reason: 'connection-lost', came: 'closed the connection before the end of its answer' };
  }
  return {
    reason: 'network-error',
    came: `could not be asked${text === '' ? '' : ` (${text.slice(0, 200)})`}`,
  };
}

/** The codes of an error and its causes; of several tries (RFC 8305), that of each. */
function codesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const tries = error instanceof AggregateError ? error.errors.flatMap((one) => codesOf(one, depth + 1)) : [];
  return [...own, ...tries, ...codesOf(error.cause, depth + 1)];
}

function messagesOf(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return [];
  return [error.message, ...messagesOf(error.cause, depth + 1)].filter((text) => text !== '');
}
