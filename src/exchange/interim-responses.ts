import type { ServerResponse } from 'node:http';
import type { ResponseHead } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';

/** Forwards an interim response (RFC 9110 §15.2). Node sends a 103 only if it has well-formed links. */
export function writeInterim(outgoing: ServerResponse, { headers, status }: ResponseHead): void {
  if (status === 102) outgoing.writeProcessing();
  if (status !== 103) return;
  const hints = toEarlyHints(headers);
  if (hints !== undefined) outgoing.writeEarlyHints(hints);
}

/** Links for which `writeEarlyHints` does not throw. */
const WELL_FORMED_LINK = /^<[^<>]*>(?:\s*;\s*[\w-]+(?:=(?:"[^"]*"|[^\s"<>,;]+))?)*$/;
/** Other fields of a 103, which `writeEarlyHints` writes unchecked, a byte for each code unit. */
const HINT_NAME = /^[\w-]+$/;
const HINT_VALUE = /^[\t -~\x80-\xff]*$/;

/** @returns undefined if the 103 has no well-formed link, which Node needs */
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
