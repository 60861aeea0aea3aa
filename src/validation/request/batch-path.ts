/** What a sub-request of a batch asks for. */
export type BatchPath =
  | {
      readonly kind: 'route';
      /** As it stands: neither decoded nor trimmed. */
      readonly route: string;
      /** Without question mark. */
      readonly query: string;
    }
  /** `parse_url()` may make several things of it, or nothing. */
  | { readonly kind: 'unclear' };

const AMBIGUOUS_PATH: BatchPath = { kind: 'unclear' };

/** A scheme with an authority, or an authority alone: they are dropped. What is odd in them PHP may refuse. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()` of a sub-request's path. A name of a host before it changes nothing. */
export function parseBatchPath(path: string): BatchPath {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // Before a colon may stand a scheme, a host or neither.
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
