/** A segment that ends a namespace: `v2`, `1.0`. */
const VERSION = /^v?\d[\w.-]*$/;

/**
 * Returns the resource of a path: `/wp/v2/posts` of `/wp/v2/posts/{parent}/revisions`. A write of an item so
 * reaches the lists that contain it.
 */
export function resourceOf(path: string): string {
  const segments = path.split('/');
  const literals = segments.findIndex((segment) => segment.includes('{'));
  const version = segments.findIndex((segment) => VERSION.test(segment));
  // Without a version the namespace is the first segment, after the empty one before the slash.
  const end = Math.max(version, 1) + 2;
  return segments.slice(0, literals < 0 ? end : Math.min(end, literals)).join('/');
}
