/** Characters that `encodeURIComponent` encodes although a path may contain them (RFC 3986 §3.3). */
const PATH_CHARACTERS = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/**
 * Fills a path template. WordPress does not decode paths, so only characters that a path cannot contain are encoded.
 *
 * @param slashes names of the parameters whose values may contain `/`
 * @throws {TypeError} if a value is missing or empty, or if the path has a segment `.` or `..`, which would lead elsewhere
 */
export function buildPath(
  template: string,
  values: Readonly<Record<string, unknown>> = {},
  slashes: readonly string[] = [],
): string {
  const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = String((Object.hasOwn(values, name) ? values[name] : undefined) ?? '');
    if (value === '') throw new TypeError(`path parameter "${name}" of ${template} is missing`);
    const encoded = encodeURIComponent(value).replace(PATH_CHARACTERS, decodeURIComponent);
    return slashes.includes(name) ? encoded.replaceAll('%2F', '/') : encoded;
  });
  if (path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw new TypeError(`path parameters of ${template} must not be "." or ".."`);
  }
  return path;
}

/** Creates the query of a request in PHP's grammar. */
export function buildQuery(values: Readonly<Record<string, unknown>> = {}): string {
  const sent = Object.entries(values).filter(
    ([name, value]) =>
      // Of WordPress's own parameters (`_embed`) the mere presence means true.
      !(name.startsWith('_') && value === false) &&
      // An empty list is no condition. WordPress refuses it where a parameter takes a list or an object.
      !(Array.isArray(value) && value.length === 0),
  );
  return new URLSearchParams([...phpVariables(sent)]).toString();
}

/**
 * Serialises values for PHP's query and form grammar: `a[0]=1&a[k]=2`. `null`, `undefined` and empty objects are left
 * out. An empty list is an empty string, which WordPress reads as the empty list.
 */
export function* phpVariables(
  entries: Iterable<readonly [name: string, value: unknown]>,
): Generator<[string, string], void, undefined> {
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') {
      // PHP writes booleans as 1 and 0. Casts of plugins read the string "false" as true.
      yield [name, String(typeof value === 'boolean' ? Number(value) : value)];
    } else if (value instanceof Date) {
      yield [name, value.toISOString()];
    } else {
      // A list with gaps would be an object to WordPress.
      const items = Array.isArray(value)
        ? value.filter((item) => item !== undefined && item !== null)
        : value;
      const members = Object.entries(items);
      if (members.length === 0 && Array.isArray(value)) yield [name, ''];
      yield* phpVariables(members.map(([key, item]) => [`${name}[${key}]`, item]));
    }
  }
}

/** Returns a function that creates the URL of a path and query below a REST root, in the root's spelling. */
export function createUrlBuilder(baseUrl: string): (path: string, query: string) => URL {
  const { location } = globalThis as { location?: { href: string } };
  const base = new URL(baseUrl, location?.href);
  base.hash = '';
  const root = base.searchParams.get('rest_route');
  const prefix = withoutTrailingSlash(root ?? base.pathname);
  return (path, query) => {
    const url = new URL(base);
    if (root === null) url.pathname = prefix + path;
    // PHP decodes the query once, so that the site sees the path as it would in a pretty URL.
    else url.searchParams.set('rest_route', prefix + path);
    if (query !== '') url.search += (url.search === '' ? '' : '&') + query;
    return url;
  };
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
