import { splitNames } from '../../glob.ts';
import { parseHttpDate } from '../../http/date.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, firstFieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';
import { parsePhpQuery, phpArrayToJsonMembers } from '../../php/query.ts';
import { toTagPath } from '../dependencies/tags.ts';
import { describeParameters, UNKNOWN_ROUTE_CLASS } from './cache-key.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/**
 * Kinds of reads and writes outside of the REST API. A page has no template, so its pattern takes the place of one: the first of
 * several segments, the words of WordPress's own addresses, and what kind of value each other segment has.
 */

/** Stands for a namespace where globs select the reads of pages, and of files. */
export const PAGE_NAMESPACES = { pages: 'pages', files: 'files' } as const;

/** Segments of WordPress's addresses that say what is shown (`WP_Rewrite`). */
const PATH_WORDS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.pages.pathWords));

/** Patterns have no more segments than this. Deeper pages are one kind. */
const MAX_SEGMENTS = 6;

/** Returns the pattern of a page's path: `/product/{}` for `/product/cup/`, `/{n}/{n}/{}` for `/2024/05/hello/`. */
export function toPagePattern(path: string): string {
  const segments = toTagPath(path)
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return '/{}/…';
  return `/${segments.map((segment, at) => toPatternSegment(segment, at === 0 && segments.length > 1)).join('/')}`;
}

function toPatternSegment(segment: string, isFirst: boolean): string {
  if (PATH_WORDS.has(segment)) return segment;
  if (/^\d+$/.test(segment)) return '{n}';
  const extension = /\.[a-z]\w{0,4}$/.exec(segment)?.[0] ?? '';
  return isFirst && extension === '' && /^[a-z][a-z_-]{0,23}$/.test(segment) ? segment : `{}${extension}`;
}

export function namePageKind(address: string): string {
  const [path = '/', query = ''] = address.split(/\?(.*)/s);
  const parameters = query === '' ? '' : describeParameters(phpArrayToJsonMembers(parsePhpQuery(query)));
  if (parameters === null) return UNKNOWN_ROUTE_CLASS;
  const pattern = toPagePattern(path);
  return `${PAGE_NAMESPACES.pages} ${pattern}${parameters === '' ? '' : `?${parameters}`}`;
}

/** Names the kind of the reads of files like this one. */
export function nameFileKind(path: string): string {
  return `${PAGE_NAMESPACES.files} /*${/\.\w+$/.exec(toTagPath(path))?.[0] ?? ''}`;
}

interface PageWrite {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly isAnonymous: boolean;
  readonly sentParameters: ReadonlyMap<string, Json>;
}

/** Fields of WordPress's comment form that are no options, whatever their values: who comments what on which post. */
const COMMENT_TEXTS = ['author', 'email', 'url', 'comment', 'comment_post_ID'];

/** Names the kind of a write to a page; `null` if its parameters are too many. */
export function namePageWriteKind(write: PageWrite): string | null {
  const { isAnonymous, method, path, sentParameters, status } = write;
  const values = new Map(sentParameters);
  if (path.endsWith('/wp-comments-post.php')) {
    for (const name of COMMENT_TEXTS) if (values.has(name)) values.set(name, 'a text');
  }
  const parameters = describeParameters(values);
  if (parameters === null) return null;
  // The script of a handler is what it does.
  const target = /\.php$/.test(path) ? toTagPath(path) : toPagePattern(path);
  const client = isAnonymous ? 'anonymous ' : '';
  return `${client}${method} ${target}${parameters === '' ? '' : ` ${parameters}`} -> ${Math.floor(status / 100)}xx`;
}

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
