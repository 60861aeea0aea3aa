import { parseLinks } from '../http/link.ts';
import { isHttpUrl, toCanonicalRoot } from './address.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import type { FetchedResponse } from './send-request.ts';

/** A URL that may be the root index. */
export interface RootCandidate {
  readonly root: URL;
  /** The source of the URL, for a diagnostic: `the Link header of …`. */
  readonly source: string;
  /** Whether the URL is a guess, to which no page links. An index at a guessed URL may state another URL for itself. */
  readonly isGuess: boolean;
}

/** The link relation by which WordPress names its root index (rest_output_link_header, rest_output_rsd). */
const LINK_RELATION = 'https://api.w.org/';

/** Lists the root indexes that a page links to, in its `Link` header and its HTML. */
export function linkedCandidates(
  page: FetchedResponse,
  text: string,
  report: RuleReporter,
): readonly RootCandidate[] {
  const inHeaders = parseLinks(page.headers.get('link') ?? '')
    // A link with another context says nothing about this page (RFC 8288 §3.2).
    .filter(({ rel, anchor }) => rel.includes(LINK_RELATION) && (anchor === undefined || anchor === ''))
    .map(({ target }) => [target, 'the Link header'] as const);
  const inHtml = htmlLinks(text).map((target) => [target, 'the link element'] as const);
  return [...inHeaders, ...inHtml].flatMap(([target, source]) => {
    if (target === '' || !URL.canParse(target, page.url)) return [];
    const root = new URL(target, page.url);
    if (!isHttpUrl(root)) return [];
    return candidatesAtBothOrigins(toCanonicalRoot(root), page.url, `${source} of ${page.url.href}`, report);
  });
}

/**
 * Lists a linked root at the linked origin and at the origin of the page. The page's origin comes first: through a tunnel
 * or on a local machine, a site links to its public origin, which may be unreachable or another server. An https link to
 * the host of an http page comes before the page's origin.
 */
function candidatesAtBothOrigins(
  root: URL,
  page: URL,
  source: string,
  report: RuleReporter,
): readonly RootCandidate[] {
  const linked = { root, source, isGuess: false };
  if (root.origin === page.origin) return [linked];
  report('link-elsewhere', { pointer: '', detail: `${page.origin} links to ${root.href}.` });
  const atPageOrigin = { root: new URL(root.pathname + root.search, page.origin), source, isGuess: false };
  const isUpgrade =
    root.hostname === page.hostname && root.protocol === 'https:' && page.protocol === 'http:';
  return isUpgrade ? [linked, atPageOrigin] : [atPageOrigin, linked];
}

const MAX_LINKS = 100;

/** Finds `<link rel="https://api.w.org/" href="…">`. Every quantifier is bounded, because the page may be hostile. */
function htmlLinks(html: string): readonly string[] {
  const targets: string[] = [];
  for (const [tag] of html.matchAll(/<link\s[^<>]{0,1000}>/gi)) {
    if (!tag.toLowerCase().includes('api.w.org')) continue;
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of tag.slice('<link'.length, -1).matchAll(ATTRIBUTE)) {
      // HTML ignores a repeated attribute.
      const key = name.toLowerCase();
      if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
    }
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const href = attributes.get('href');
    if (rel.includes(LINK_RELATION) && href !== undefined) {
      targets.push(href.replace(/&(?:amp|#0*38|#x26);/gi, '&').trim());
    }
    if (targets.length >= MAX_LINKS) break;
  }
  return targets;
}

/** Any attribute, so that no name inside another name (`data-href`) or inside a value is taken for one. */
const ATTRIBUTE = /([^\s"'<>/=]{1,100})(?:\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Number of folders that are tried, counted from the page upwards. */
const NEAREST_FOLDERS = 3;
/** Number of folders that are tried, counted from the root of the host downwards. */
const TOPMOST_FOLDERS = 3;

/**
 * Lists the usual addresses of a root index in the folders of the pages. The nearest folder comes first, because one site
 * may be installed inside another. Pretty URLs come before plain ones: only the folder of the site has a pretty URL, but
 * WordPress handles `rest_route` in every folder below that.
 */
export function guessedCandidates(pages: readonly URL[]): readonly RootCandidate[] {
  const folders = [...new Set(pages.flatMap(ancestorFolders))];
  const tried = folders.filter(
    (_, position) => position < NEAREST_FOLDERS || position >= folders.length - TOPMOST_FOLDERS,
  );
  return ['wp-json/', 'index.php?rest_route=/', '?rest_route=/'].flatMap((spelling) =>
    tried.map((folder) => ({
      root: new URL(folder + spelling),
      source: `guessed address ${folder}${spelling}`,
      isGuess: true,
    })),
  );
}

/** `…/blog/post` may be a page of the site `…/blog/post/`; `…/blog/index.php` is a file in `…/blog/`. */
function ancestorFolders(page: URL): readonly string[] {
  const segments = page.pathname.split('/').filter((segment) => segment !== '');
  if (!page.pathname.endsWith('/') && segments.at(-1)?.includes('.') === true) segments.pop();
  return Array.from({ length: segments.length + 1 }, (_, levels) => {
    const path = segments.slice(0, segments.length - levels).join('/');
    return `${page.origin}/${path}${path === '' ? '' : '/'}`;
  });
}
