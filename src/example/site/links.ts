import { encodeByteString } from '../../php/byte-string.ts';
import { encodeQueryValue } from '../../php/encoding.ts';

/** The address of a route, spelled as these sites name their root: `index.php?rest_route=`. */
export function linkTo(
  base: string,
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const rest = Object.entries(query).map(
    ([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return `${base}/index.php?rest_route=${encodeQueryValue(encodeByteString(route))}${rest.join('')}`;
}

/** The `Link` header by which every page of a site names the interface. */
export function rootLink(base: string): string {
  return `<${linkTo(base, '/')}>; rel="https://api.w.org/"`;
}
