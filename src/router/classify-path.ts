import { rawUrlDecode, urlDecode } from '../php/encoding.ts';

/** What a path below the mount is by its form alone. */
export type PathClass =
  /** The interface by its prefix: the rest of the path, which the site does not decode. */
  | { readonly kind: 'pretty'; readonly route: string }
  /** The interface for the site, though not for every reader on the way. */
  | { readonly kind: 'encoded' }
  /** Dot segments, raw or encoded, or a raw backslash. */
  | { readonly kind: 'dots' }
  /** `/index.php`, with or without more path that is not the interface. */
  | { readonly kind: 'front' }
  | { readonly kind: 'document'; readonly format: 'json' | 'yaml' }
  | { readonly kind: 'docs'; readonly asset: string }
  | { readonly kind: 'other'; readonly root: boolean };

/** Paths that are the gateway's own. */
const GATEWAY_PATHS: ReadonlyMap<string, PathClass> = new Map<string, PathClass>([
  ['/openapi.json', { kind: 'document', format: 'json' }],
  ['/openapi.yaml', { kind: 'document', format: 'yaml' }],
  ['/docs', { kind: 'docs', asset: '' }],
  ['/docs/', { kind: 'docs', asset: '' }],
  ['/', { kind: 'other', root: true }],
]);

const OTHER: PathClass = { kind: 'other', root: false };
const ENCODED: PathClass = { kind: 'encoded' };
const INDEX_SCRIPT = 'index.php';

/**
 * @param prefix the site's own; `wp-json` is always one too, for callers who write to a gateway and not to a site
 */
export function createPathClassifier(prefix: string): (path: string) => PathClass {
  const prefixes = [...new Set(['wp-json', prefix])];

  return (path) => {
    const own = GATEWAY_PATHS.get(path);
    if (own !== undefined) return own;
    if (hasDotSegments(path)) return { kind: 'dots' };
    if (path.startsWith('/docs/')) return { kind: 'docs', asset: path.slice('/docs/'.length) };

    // WordPress trims slashes from the front of the path before it looks for its prefix.
    const trimmed = path.replace(/^\/+/, '');
    const route = stripPrefix(trimmed, prefixes);
    if (route !== null) return { kind: 'pretty', route };
    // It tries its rules on the decoded path too, and then the route is decoded: /wp%2Djson/…, /wp-json%2F…,
    // /wp-json%0A (`$` stands before a newline too).
    const decoded = urlDecode(trimmed);
    if (stripPrefix(decoded.replace(/\n$/, ''), prefixes) !== null) return ENCODED;
    return classifyIndexPath(trimmed, prefixes) ?? OTHER;
  };
}

/** `/index.php/wp-json/…` is the interface by PATH_INFO, which the web server has decoded, merged and resolved. */
function classifyIndexPath(trimmed: string, prefixes: readonly string[]): PathClass | null {
  const merged = rawUrlDecode(trimmed).replace(/\/{2,}/g, '/');
  if (merged.slice(0, INDEX_SCRIPT.length).toLowerCase() !== INDEX_SCRIPT) return null;
  if (merged.length === INDEX_SCRIPT.length) return { kind: 'front' };
  if (merged[INDEX_SCRIPT.length] !== '/') return null;
  const info = merged.slice(INDEX_SCRIPT.length + 1);
  const route = stripPrefix(info, prefixes) ?? stripPrefix(urlDecode(info).replace(/\n$/, ''), prefixes);
  if (route === null) return { kind: 'front' };
  return merged === trimmed && trimmed.startsWith(INDEX_SCRIPT) && !/[%+]/.test(trimmed)
    ? { kind: 'pretty', route }
    : ENCODED;
}

/** What follows a prefix, with its slash; null where none stands at the front. */
function stripPrefix(path: string, prefixes: readonly string[]): string | null {
  for (const prefix of prefixes) {
    if (!path.startsWith(prefix)) continue;
    if (path.length === prefix.length) return '/';
    if (path[prefix.length] === '/') return path.slice(prefix.length);
  }
  return null;
}

/** Resolved by clients, caches, web servers and `fetch`, not by PHP. A backslash is a slash to some of them. */
function hasDotSegments(path: string): boolean {
  if (!/[.%\\]/.test(path)) return false;
  if (path.includes('\\')) return true;
  return rawUrlDecode(path)
    .split(/[/\\]/)
    .some((segment) => segment === '.' || segment === '..');
}
