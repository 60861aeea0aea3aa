/** The parsed path of a subrequest of a batch. */
export type BatchPath =
  | {
      readonly kind: 'route';
      /** Neither decoded nor trimmed. */
      readonly route: string;
      /** Without question mark. */
      readonly query: string;
    }
  /** PHP versions may parse it differently, or `parse_url()` may fail. */
  | { readonly kind: 'ambiguous' };

const AMBIGUOUS_PATH: BatchPath = { kind: 'ambiguous' };

/** A scheme with an authority, or an authority alone. PHP may reject unusual characters in them. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()` of a subrequest's path. A scheme and host before the path are ignored. */
export function parseBatchPath(path: string): BatchPath {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // The text before a colon may be a scheme, a host or neither.
  return /^[^?#]*:/.test(path) || path.startsWith('//') ? AMBIGUOUS_PATH : splitQuery(path);
}

function splitQuery(path: string): BatchPath {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { kind: 'route', route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
