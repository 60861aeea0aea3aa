import type { SiteAddress } from '../../discovery/site.ts';
import { rawUrlDecode } from '../../php/encoding.ts';

/** An address of the interface, as an answer's links have it: the route and what is asked of it. */
export interface RestLink {
  readonly route: string;
  readonly query: string;
}

/** Reads the addresses of a site's interface out of the text of its answers. */
export interface LinkParser {
  /** @param text JSON, of which the address stands from `start` to before `end`; null for an address elsewhere */
  parse(text: string, start: number, end: number): RestLink | null;
}

/**
 * @param more addresses by which the site's front is known besides its own: the gateway's, where bodies are rewritten
 */
export function createLinkParser(address: SiteAddress, more: readonly string[] = []): LinkParser {
  const fronts = [address.base, ...(address.aliases ?? []), ...more].map((url) =>
    url.endsWith('/') ? url : `${url}/`,
  );
  const ways = [
    `${address.prefix}/`,
    `index.php/${address.prefix}/`,
    'index.php?rest_route=/',
    '?rest_route=/',
    'index.php?rest_route=%2F',
    '?rest_route=%2F',
  ];
  const addresses = new Set([
    address.root.replace(/\/?$/, '/'),
    ...fronts.flatMap((front) => ways.map((way) => `${front}${way}`)),
  ]);
  // Sites write either scheme; JSON escapes slashes, unless a plugin says otherwise.
  const roots = [...addresses].flatMap((url) => {
    const other = url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
    return [url, other].flatMap((each) => [
      { text: each.replaceAll('/', '\\/'), plain: each.includes('?') },
      { text: each, plain: each.includes('?') },
    ]);
  });
  // All links of a site are spelled alike, so the spelling that fitted last is tried first.
  let usual = roots[0];

  return {
    parse(text, start, end) {
      if (usual === undefined || !text.startsWith(usual.text, start)) {
        usual = roots.find((root) => text.startsWith(root.text, start)) ?? usual;
        if (usual === undefined || !text.startsWith(usual.text, start)) return null;
      }
      const rest = text.slice(start + usual.text.length, end).replaceAll('\\/', '/');
      const mark = rest.indexOf(usual.plain ? '&' : '?');
      const path = mark < 0 ? rest : rest.slice(0, mark);
      return {
        route: `/${usual.plain ? rawUrlDecode(path) : path}`,
        query: mark < 0 ? '' : rest.slice(mark + 1),
      };
    },
  };
}
