import { trimTrailingSlashes } from '../php/route-spelling.ts';

/**
 * The namespaces that the site tries alone, by their positions: those that are a prefix of the path, compared as bytes (`0 === strpos( trailingslashit( ltrim( $path, '/' ) ), $namespace )`). Not by segments: `wp/v2` is one of
 * `/wp/v20/x`. Looked up by length, so that their number does not matter.
 */
export function createNamespaceFinder(namespaces: readonly string[]): (path: string) => readonly number[] {
  const positions = new Map(namespaces.map((namespace, position) => [namespace, position]));
  const lengths = [...new Set(namespaces.map((namespace) => namespace.length))].sort((a, b) => a - b);

  return (path) => {
    const given = `${trimTrailingSlashes(path.replace(/^\/+/, ''))}/`;
    const found: number[] = [];
    for (const length of lengths) {
      if (length > given.length) break;
      const position = positions.get(given.slice(0, length));
      if (position !== undefined) found.push(position);
    }
    return found;
  };
}
