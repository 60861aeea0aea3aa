import { fieldValue } from '../http/fields.ts';
import { TRANSFER_CODING_ERROR } from '../http/network-errors.ts';

/**
 * Returns the transfer codings of a response if one of them is not decoded: all but a single `chunked` (RFC 9112 §7). The
 * gateway sends no `TE`, so a site must not use others. Without the field the body would be relayed coded.
 *
 * @param headers flat list name, value
 */
export function findUnsupportedTransferCoding(headers: readonly string[]): string | undefined {
  const codings = fieldValue(headers, 'transfer-encoding');
  return codings === undefined || SUPPORTED.test(codings) ? undefined : codings;
}

/** `identity` is obsolete and means no coding. */
const SUPPORTED = /^\s*(?:chunked|identity)?\s*$/i;

/** The cause of a failure `transfer-coding`. */
export class TransferCodingError extends Error {
  readonly code: string = TRANSFER_CODING_ERROR;

  constructor(codings: string) {
    super(`the site sent the transfer coding ${JSON.stringify(codings.slice(0, 60))}`);
  }
}
