interface RouteGlob {
  /** Whether it is compared with routes because it begins with `/`, otherwise with namespaces. */
  readonly isForRoutes: boolean;
  /** Whether all of `text` matches. `*` matches any run of characters including `/`; case is significant. */
  readonly matches: (text: string) => boolean;
}

export function parseRouteGlob(glob: string): RouteGlob {
  const isForRoutes = glob.startsWith('/');
  const pieces = (isForRoutes ? glob : glob.replace(/\/$/, '')).split('*');
  return { isForRoutes, matches: (text) => isMatch(pieces, text) };
}

/**
 * A glob that is compared with the names of a target, as people write addresses: `/?rest_route=/wp/v2/users*` is the route. Case,
 * percent-encoding and a slash at the end don't count.
 */
export function parseAddressGlob(glob: string): RouteGlob & { readonly text: string } {
  const route = glob
    .replace(/^\/(?:index\.php)?\?rest_route=(?=\/|%2f)/i, '')
    .replace(/^\/index\.php(?=\/)/, '');
  const text = decode(route).toLowerCase();
  const { isForRoutes, matches } = parseRouteGlob(text);
  const endsInSlash = text.endsWith('/');
  return { isForRoutes, text, matches: (name) => matches(name) || (endsInSlash && matches(`${name}/`)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isMatch(pieces: readonly string[], text: string): boolean {
  const [first = ''] = pieces;
  const end = pieces.length - 1;
  if (end < 1) return text === first;
  if (!text.startsWith(first)) return false;
  const last = pieces[end] ?? '';
  let at = first.length;
  // A copy of the list for each glob of a table would be a tenth of what a write allocates.
  for (let next = 1; next < end; next += 1) {
    const piece = pieces[next] ?? '';
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

export function splitNames(text: string): readonly string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

/** `x*` is a prefix, and `!name` takes a name off the rest. @param isKnown finds built-in names */
export function createNameMatcher(
  names: readonly string[],
  isKnown: (name: string) => boolean = () => false,
): (name: string) => boolean {
  const isListed = createListMatcher(names.filter((name) => !name.startsWith('!')));
  const isRemoved = createListMatcher(listRemoved(names));
  return (name) => (isListed(name) || isKnown(name)) && !isRemoved(name);
}

export function listRemoved(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith('!')).map((name) => name.slice(1));
}

function createListMatcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
