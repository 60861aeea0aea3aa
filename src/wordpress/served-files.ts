import { splitNames } from '../glob.ts';
import { parseHttpDate } from '../http/date.ts';
import type { ResponseHead } from '../http/exchange.ts';
import { fieldValue, firstFieldValue } from '../http/fields.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };
import { toTagPath } from './tags.ts';

/** Extensions of files that a web server sends itself: scripts, styles, fonts and pictures. */
const FILE_PATH = new RegExp(`\\.(?:${splitNames(CONVENTIONS.pages.fileExtensions).join('|')})$`);
const FILE_TYPE = new RegExp(`^(?:${splitNames(CONVENTIONS.pages.fileTypes).join('|')})`, 'i');
/** Fields that PHP and WordPress add, and web servers do not. */
const SCRIPT_FIELD = /^(?:x-powered-by|link|set-cookie|x-robots-tag|x-wp-|x-pingback|x-redirect-by)/i;
/** RFC 9110 §8.8.2.2: a date that is as recent as the response says little. Milliseconds. */
const MIN_UNCHANGED = 60_000;

/**
 * Whether the web server sent a file without running PHP: by its address and its type, without a field of a script, with two
 * validators that do not come from this response.
 */
export function isServedFile(path: string, { headers, status }: ResponseHead): boolean {
  if (status !== 200 || !FILE_PATH.test(toTagPath(path)) || /\.php/i.test(path)) return false;
  if (!FILE_TYPE.test(fieldValue(headers, 'content-type') ?? '')) return false;
  if (headers.some((name, at) => at % 2 === 0 && SCRIPT_FIELD.test(name))) return false;
  const [modified, sent] = ['last-modified', 'date'].map((name) => {
    const text = firstFieldValue(headers, name);
    return text === undefined ? null : parseHttpDate(text, 0);
  });
  if (modified == null || sent == null || firstFieldValue(headers, 'etag') === undefined) return false;
  return modified + MIN_UNCHANGED <= sent;
}
