import { encodeByteString } from '../../php/byte-string.ts';
import { encodeQueryValue } from '../../php/encoding.ts';

/** The address of a route, spelled as these sites name their root: `index.php?rest_route=`. */
export function restUrl(
  base: string,
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `${base}/index.php?rest_route=${encodeQueryValue(encodeByteString(route))}${pairs.join('')}`;
}

/** The `Link` header by which every page of a site names the interface. */
export function rootLinkHeader(base: string): string {
  return `<${restUrl(base, '/')}>; rel="https://api.w.org/"`;
}
