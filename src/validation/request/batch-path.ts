/** What a sub-request of a batch asks for. */
export type BatchAddress =
  | {
      readonly kind: 'route';
      /** As it stands: neither decoded nor trimmed. */
      readonly route: string;
      /** Without question mark. */
      readonly query: string;
    }
  /** `parse_url()` may make several things of it, or nothing. */
  | { readonly kind: 'unclear' };

const UNCLEAR: BatchAddress = { kind: 'unclear' };

/** A scheme with an authority, or an authority alone: they are dropped. What is odd in them PHP may refuse. */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[a-z0-9][a-z0-9.-]*(?=[/?#]|$)/i;

/** `wp_parse_url()` of a sub-request's path. A name of a host before it changes nothing. */
export function readBatchPath(given: string): BatchAddress {
  if (given.startsWith('/') && !given.startsWith('//')) return cut(given);
  const authority = AUTHORITY.exec(given);
  if (authority !== null) return cut(given.slice(authority[0].length));
  // Before a colon may stand a scheme, a host or neither.
  return /^[^?#]*:/.test(given) || given.startsWith('//') ? UNCLEAR : cut(given);
}

function cut(given: string): BatchAddress {
  const [, route = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(given) ?? [];
  return { kind: 'route', route: withoutControls(route), query: withoutControls(query) };
}

/** php_replace_controlchars() */
function withoutControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, '_');
}
