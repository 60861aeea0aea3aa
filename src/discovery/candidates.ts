import { parseLinks } from '../http/link.ts';
import { canonicalRoot, isHttp } from './address.ts';
import type { Answer } from './client.ts';
import type { Note } from './findings.ts';

/** An address where a root index may stand, and what made one think so. */
export interface Candidate {
  readonly root: URL;
  /** Completes "The root index was found by …". */
  readonly by: string;
  /** Named by nobody: what is found there may name a better address of its own. */
  readonly isGuess: boolean;
}

/** The relation type by which WordPress names its root index (rest_output_link_header, rest_output_rsd). */
const RELATION = 'https://api.w.org/';

/** The root indexes that a page names, in its headers and in its HTML. */
export function namedCandidates(page: Answer, text: string, note: Note): readonly Candidate[] {
  const inHeaders = parseLinks(page.headers.get('link') ?? '')
    // A link with another context says nothing about this page (RFC 8288 §3.2).
    .filter(({ rel, anchor }) => rel.includes(RELATION) && (anchor === undefined || anchor === ''))
    .map(({ target }) => [target, 'the Link header'] as const);
  const inHtml = htmlLinks(text).map((target) => [target, 'the link element'] as const);
  return [...inHeaders, ...inHtml].flatMap(([target, by]) => {
    if (target === '' || !URL.canParse(target, page.url)) return [];
    const root = new URL(target, page.url);
    if (!isHttp(root)) return [];
    return atBothOrigins(canonicalRoot(root), page.url, `${by} of ${page.url.href}`, note);
  });
}

/**
 * A site that is asked by another name than its own (through a tunnel, on its own machine) names an address that may
 * lead nowhere from here, or past what the caller asked for: the origin that was asked comes first. Only where the
 * same host names its https address is that the better one.
 */
function atBothOrigins(root: URL, page: URL, by: string, note: Note): readonly Candidate[] {
  const stated = { root, by, isGuess: false };
  if (root.origin === page.origin) return [stated];
  note('link-elsewhere', { pointer: '', detail: `${page.origin} names ${root.href}.` });
  const here = { root: new URL(root.pathname + root.search, page.origin), by, isGuess: false };
  const isUpgrade =
    root.hostname === page.hostname && root.protocol === 'https:' && page.protocol === 'http:';
  return isUpgrade ? [stated, here] : [here, stated];
}

const MOST_LINKS = 100;

/** `<link rel="https://api.w.org/" href="…">`: bounded, because the page may be made to be slow. */
function htmlLinks(html: string): readonly string[] {
  const targets: string[] = [];
  for (const [tag] of html.matchAll(/<link\s[^<>]{0,1000}>/gi)) {
    if (!tag.toLowerCase().includes('api.w.org')) continue;
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of tag.matchAll(ATTRIBUTE)) {
      attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '');
    }
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const href = attributes.get('href');
    if (rel.includes(RELATION) && href !== undefined)
      targets.push(href.replace(/&(?:amp|#0*38|#x26);/gi, '&').trim());
    if (targets.length >= MOST_LINKS) break;
  }
  return targets;
}

const ATTRIBUTE = /\b(rel|href)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Sites stand near the top of their host; a deep page has few ancestors worth asking. */
const NEAREST = 3;
const HIGHEST = 3;

/**
 * Addresses to try below the folders of a page, the nearest first: a site may stand within another. The pretty ones
 * come first: only the site's own folder has one, while WordPress answers `rest_route` in any folder below its own.
 */
export function guessedCandidates(pages: readonly URL[]): readonly Candidate[] {
  const folders = [...new Set(pages.flatMap(foldersOf))];
  const tried = folders.filter((_, at) => at < NEAREST || at >= folders.length - HIGHEST);
  return ['wp-json/', 'index.php?rest_route=/', '?rest_route=/'].flatMap((spelling) =>
    tried.map((folder) => ({
      root: new URL(folder + spelling),
      by: `trying ${folder}${spelling}`,
      isGuess: true,
    })),
  );
}

/** `…/blog/post` may be a page of the site `…/blog/post/`; `…/blog/index.php` is a file in `…/blog/`. */
function foldersOf(page: URL): readonly string[] {
  const segments = page.pathname.split('/').filter((segment) => segment !== '');
  if (!page.pathname.endsWith('/') && segments.at(-1)?.includes('.') === true) segments.pop();
  return Array.from({ length: segments.length + 1 }, (_, up) => {
    const path = segments.slice(0, segments.length - up).join('/');
    return `${page.origin}/${path}${path === '' ? '' : '/'}`;
  });
}
