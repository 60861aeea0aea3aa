import {
  hasDirective,
  hasUnqualifiedDirective,
  parseCacheControl,
} from '../../base/http/cache-directives.ts';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, hasField } from '../../base/http/fields.ts';
import { toByteString } from '../../base/php/encoding.ts';
import { findPersonalField } from '../cache/policy/storability.ts';

/**
 * Finds why a WordPress response is not everyone's. `Cache-Control` counts beside a targeted field (RFC 9213): core
 * knows whether a user is logged in, and a plugin mostly only the URL.
 */
export function findUnshareableReason({ headers }: ResponseHead): string | null {
  const personal = findPersonalField(headers);
  if (personal !== undefined) return personal;
  if (hasField(headers, 'set-cookie2')) return 'header set-cookie2';
  if (hasField(headers, 'www-authenticate')) return 'header www-authenticate';
  // CSP 3 §2.3.1: the value is "unique for each response".
  const policy = fieldValue(headers, 'content-security-policy');
  if (policy?.includes("'nonce-") === true) return 'nonce in policy';
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  if (hasDirective(directives, 'no-store')) return 'no-store';
  return hasUnqualifiedDirective(directives, 'private') ? 'private' : null;
}

/**
 * Appends fields that sites negotiate by without saying so (`test/gateway/unstated-vary.test.ts`).
 * @param target path and query of the request to the site
 */
export function addUnstatedVary(head: ResponseHead, isRoute: boolean, target: string): ResponseHead {
  const headers = [...head.headers];
  if (isRoute) addVary(headers, 'Origin');
  if (hasField(headers, 'content-encoding')) addVary(headers, 'Accept-Encoding');
  if (hasField(headers, 'content-language')) addVary(headers, 'Accept-Language');
  const [, format = ''] = NEGOTIATED_IMAGE.exec(fieldValue(headers, 'content-type') ?? '') ?? [];
  const path = target.split('?', 1)[0] ?? '';
  if (format !== '' && !path.toLowerCase().endsWith(`.${format.toLowerCase()}`)) addVary(headers, 'Accept');
  return headers.length === head.headers.length ? head : { ...head, headers };
}

const NEGOTIATED_IMAGE = /^image\/(webp|avif|jxl)\b/i;

export function addVary(headers: string[], name: string): void {
  const listed = (fieldValue(headers, 'vary') ?? '').toLowerCase().split(',');
  if (!listed.some((each) => ['*', name.toLowerCase()].includes(each.trim()))) headers.push('Vary', name);
}

const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;
const MAX_OCCURRENCES = 1_000;
const FORM_FIELD = '_wpnonce';

/** Value that isn't empty. An object that begins with a keyword of JSON Schema describes an argument. */
const REST_AND_VALUE =
  /^[\w.:-]*"\s{0,64}:\s{0,64}(?:"[^"]|\d|\[\s{0,64}[^\s\]]|\{\s{0,64}"(?!(?:type|description|required|default|format|pattern|enum|items|readonly|context|title|minLength|maxLength)"))/;
const START = /(?:^|[^\\])"([\w.:-]*)$/;

/** Finds a member with a nonce in a JSON text, e.g. `"restNonce"`, or a field `_wpnonce`. @returns its name */
export function findNonceMember(body: Uint8Array): string | undefined {
  const text = toByteString(body);
  const word = /nonce/gi;
  for (let occurrences = 0; occurrences < MAX_OCCURRENCES; occurrences += 1) {
    if (!word.test(text)) return undefined;
    const end = word.lastIndex;
    const start = end - 5;
    if (text.slice(end - FORM_FIELD.length, end).toLowerCase() === FORM_FIELD) return FORM_FIELD;
    const before = START.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start))?.[1];
    if (before === undefined) continue;
    const after = REST_AND_VALUE.exec(text.slice(end, end + MAX_NAME_LENGTH + MAX_VALUE_LENGTH))?.[0];
    if (after !== undefined) return before + text.slice(start, end) + after.slice(0, after.indexOf('"'));
  }
  return 'nonce';
}
