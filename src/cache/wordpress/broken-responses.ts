import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { toByteString } from '../../php/encoding.ts';
import { isJsonContentType } from '../../php/request.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };
import { isFeed, isHtml } from './page-responses.ts';

/** Bytes at either end of a page in which an error page shows what it is. */
const SEARCHED_BYTES = 4096;
/**
 * Maximum bytes of JSON that are parsed. WordPress sends a response in one piece, so one that is cut off has other ends than a
 * whole one; only that is looked at in a longer text, whose parsing would cost more than all else of a miss.
 */
const MAX_PARSED_BYTES = 16 * 1024;
/** Fields of a page that asks the visitor to prove something: Cloudflare, SiteGround, AWS. */
const CHALLENGE_FIELDS = /^(?:cf-mitigated|sg-captcha|x-amzn-waf-action)$/i;
const ERROR_PAGE = new RegExp(Object.values(CONVENTIONS.errorPages).join('|'));

/**
 * Whether a response that claims to be good (200) is broken: an empty page, one that is cut off, the page of an error or of a
 * challenge, JSON that does not parse, or a page where JSON is promised.
 *
 * @param body without content coding
 */
export function isBrokenResponse(head: ResponseHead, body: Uint8Array, promisesJson: boolean): boolean {
  if (head.status !== 200) return false;
  const isPage = isHtml(head);
  if (isPage && promisesJson) return true;
  const isJson = !isPage && isJsonContentType(fieldValue(head.headers, 'content-type') ?? null);
  if (!isPage && !isJson && !isFeed(head)) return false;
  if (isJson) return isBrokenJson(body);
  if (!body.some((byte) => byte > 0x20)) return true;
  return (
    isPage &&
    (head.headers.some((name, at) => at % 2 === 0 && CHALLENGE_FIELDS.test(name)) || isErrorPage(body))
  );
}

function isErrorPage(body: Uint8Array): boolean {
  const start = toByteString(body.subarray(0, SEARCHED_BYTES));
  const end = body.length <= SEARCHED_BYTES ? '' : toByteString(body.subarray(-SEARCHED_BYTES));
  if (ERROR_PAGE.test(start) || (end !== '' && ERROR_PAGE.test(end))) return true;
  // A document that is cut off by an error that is not shown. WP Super Cache and WP Rocket ask for this tag, too.
  const isDocument = /^[^<]{0,100}<(?:!doctype\s|html\b)/i.test(start);
  return isDocument && !/<\/html/i.test(end === '' ? start : end) && !/<\/html/i.test(toByteString(body));
}

const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['"', '"'],
]);

function isBrokenJson(body: Uint8Array): boolean {
  if (body.length > MAX_PARSED_BYTES) {
    const start = toByteString(body.subarray(0, 100)).replace(BYTE_ORDER_MARK, '').trimStart();
    const end = toByteString(body.subarray(-100)).trimEnd();
    return BRACKETS.get(start.charAt(0)) !== end.at(-1);
  }
  try {
    JSON.parse(toByteString(body).replace(BYTE_ORDER_MARK, ''));
    return false;
  } catch {
    return true;
  }
}

/** Plugins whose files begin with one send it before all else, and clients ignore it. */
const BYTE_ORDER_MARK = /^(?:\u00ef\u00bb\u00bf)+/;
