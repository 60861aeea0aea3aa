import type { ServerResponse } from 'node:http';
import type { ResponseHead } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';

/** Forwards an interim response, as a proxy must (RFC 9110 §15.2). Node sends a 103 only if it has well-formed links. */
export function writeInterim(outgoing: ServerResponse, { headers, status }: ResponseHead): void {
  if (status === 102) outgoing.writeProcessing();
  if (status !== 103) return;
  const hints = toEarlyHints(headers);
  if (hints !== undefined) outgoing.writeEarlyHints(hints);
}

/** Links that `writeEarlyHints` accepts; it throws for others. */
const WELL_FORMED_LINK = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;
/** Other fields of a 103. `writeEarlyHints` writes them unchecked, a byte for each code unit. */
const HINT_NAME = /^[\w-]+$/;
const HINT_VALUE = /^[\t -~\x80-\xff]*$/;

/**
 * Converts the fields of a 103 to the argument of `writeEarlyHints`.
 *
 * @returns undefined if the 103 cannot be sent: Node needs a well-formed link
 */
function toEarlyHints(headers: readonly string[]): Record<string, string> | undefined {
  const link = fieldValue(headers, 'link') ?? '';
  if (!WELL_FORMED_LINK.test(link)) return undefined;
  const hints: Record<string, string> = { link };
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = fieldValue(headers, name) ?? '';
    if (name !== 'link' && HINT_NAME.test(name) && HINT_VALUE.test(value)) hints[name] = value;
  }
  return hints;
}
