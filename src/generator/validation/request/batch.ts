interface BatchPath {
  /** Neither decoded nor trimmed. */
  readonly route: string;
  readonly query: string;
}

/** Authority, with or without a scheme. PHP can reject unusual characters in it. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()`, without scheme and host; `null` if PHP versions differ or can fail */
export function parseBatchPath(path: string): BatchPath | null {
  if (path.startsWith('/') && !path.startsWith('//')) return splitQuery(path);
  const authority = AUTHORITY.exec(path);
  if (authority !== null) return splitQuery(path.slice(authority[0].length));
  // The text before a colon can be a scheme, a host or neither.
  return /^[^?#]*:/.test(path) || path.startsWith('//') ? null : splitQuery(path);
}

function splitQuery(path: string): BatchPath {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  return { route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
