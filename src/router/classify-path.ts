import { rawUrlDecode, urlDecode } from '../php/encoding.ts';

/** The class of a path below the mount, by its syntax alone. */
export type PathClass =
  /** REST API prefix and route. WordPress does not decode the route. */
  | { readonly kind: 'pretty'; readonly route: string }
  /** REST API in an encoded spelling that WordPress recognises and other servers may not. */
  | { readonly kind: 'encoded' }
  /** Path with dot segments, raw or encoded, or with a raw backslash. */
  | { readonly kind: 'dot-segments' }
  /**
   * `/index.php`, possibly followed by a path that is not the REST API. `exact`: in this spelling, so that every web server
   * runs the script.
   */
  | { readonly kind: 'index-script'; readonly exact: boolean }
  | { readonly kind: 'document'; readonly format: 'json' | 'yaml' }
  /** `path`: what follows `/docs`, raw. */
  | { readonly kind: 'docs'; readonly path: string }
  /** `/llms.txt`, which a site may have too. */
  | { readonly kind: 'llms' }
  | { readonly kind: 'types' }
  | { readonly kind: 'other'; readonly root: boolean };

/** Paths that the gateway itself serves, and the front page. */
const GATEWAY_PATHS: ReadonlyMap<string, PathClass> = new Map<string, PathClass>([
  ['/openapi.json', { kind: 'document', format: 'json' }],
  ['/openapi.yaml', { kind: 'document', format: 'yaml' }],
  ['/types.ts', { kind: 'types' }],
  ['/docs', { kind: 'docs', path: '' }],
  ['/docs.md', { kind: 'docs', path: '.md' }],
  ['/llms.txt', { kind: 'llms' }],
  ['/', { kind: 'other', root: true }],
]);

const OTHER: PathClass = { kind: 'other', root: false };
const ENCODED: PathClass = { kind: 'encoded' };
const INDEX_SCRIPT = 'index.php';

/**
 * Creates a function that classifies paths below the mount.
 *
 * @param prefix the site's REST API prefix; `wp-json` is accepted too, for clients that do not know the site
 */
export function createPathClassifier(prefix: string): (path: string) => PathClass {
  const prefixes = [...new Set(['wp-json', prefix])];

  return (path) => {
    const known = GATEWAY_PATHS.get(path);
    if (known !== undefined) return known;
    if (hasDotSegments(path)) return { kind: 'dot-segments' };
    if (path.startsWith('/docs/')) return { kind: 'docs', path: path.slice('/docs'.length) };

    // WordPress trims leading slashes from the path before it looks for its prefix.
    const trimmed = path.replace(/^\/+/, '');
    const route = stripPrefix(trimmed, prefixes);
    if (route !== null) return { kind: 'pretty', route };
    // WordPress applies its rewrite rules to the decoded path too, and the route is decoded then: /wp%2Djson/…,
    // /wp-json%2F…, /wp-json%0A (`$` also matches before a final newline).
    const decoded = urlDecode(trimmed);
    if (stripPrefix(decoded.replace(/\n$/, ''), prefixes) !== null) return ENCODED;
    return classifyIndexPath(path, trimmed, prefixes) ?? OTHER;
  };
}

/**
 * Whether every web server runs the front controller (`index.php`) for a path, so that WordPress reads `rest_route`. Other
 * paths may be files, or scripts that do not route (`wp-login.php`), or belong to another site of a network.
 */
export function runsFrontController(pathClass: PathClass): boolean {
  if (pathClass.kind === 'index-script') return pathClass.exact;
  return pathClass.kind === 'pretty' || (pathClass.kind === 'other' && pathClass.root);
}

/** Classifies `/index.php/…`. Web servers decode, merge and resolve its PATH_INFO before WordPress reads the route. */
function classifyIndexPath(path: string, trimmed: string, prefixes: readonly string[]): PathClass | null {
  const merged = rawUrlDecode(trimmed).replace(/\/{2,}/g, '/');
  if (merged.slice(0, INDEX_SCRIPT.length).toLowerCase() !== INDEX_SCRIPT) return null;
  const indexScript = { kind: 'index-script', exact: path.startsWith(`/${INDEX_SCRIPT}`) } as const;
  if (merged.length === INDEX_SCRIPT.length) return indexScript;
  if (merged[INDEX_SCRIPT.length] !== '/') return null;
  const info = merged.slice(INDEX_SCRIPT.length + 1);
  const route = stripPrefix(info, prefixes) ?? stripPrefix(urlDecode(info).replace(/\n$/, ''), prefixes);
  if (route === null) return indexScript;
  return merged === trimmed && trimmed.startsWith(INDEX_SCRIPT) && !/[%+]/.test(trimmed)
    ? { kind: 'pretty', route }
    : ENCODED;
}

/** Removes a prefix from the start of a path. The result has a leading slash; `null` if there is no prefix. */
function stripPrefix(path: string, prefixes: readonly string[]): string | null {
  for (const prefix of prefixes) {
    if (!path.startsWith(prefix)) continue;
    if (path.length === prefix.length) return '/';
    if (path[prefix.length] === '/') return path.slice(prefix.length);
  }
  return null;
}

/** Clients, caches, web servers and `fetch` resolve dot segments; PHP does not. Some treat a backslash as a slash. */
function hasDotSegments(path: string): boolean {
  if (!/[.%\\]/.test(path)) return false;
  if (path.includes('\\')) return true;
  return rawUrlDecode(path)
    .split(/[/\\]/)
    .some((segment) => segment === '.' || segment === '..');
}
