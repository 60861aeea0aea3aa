import { omitUndefined } from '../omit-undefined.ts';

/** One link of a `Link` header (RFC 8288 §3). */
export interface WebLink {
  /** The target URI or a relative reference to it, unresolved. */
  readonly target: string;
  /** Relation types in lower case, because they compare case-insensitively (§2.1). */
  readonly rel: readonly string[];
  /** The context of the link, if it is not the resource itself (§3.2). */
  readonly anchor?: string;
}

/** A target, and its parameters up to the next comma outside of quotes. An unclosed quoted string runs to the end. */
const LINK = /<([^<>]*)>((?:[^,"]+|"(?:\\.|[^"\\])*"?)*)/gs;
/** A parameter: its name, and its value as a quoted string or a token (RFC 9110 §5.6.4). */
const PARAMETER = /;[ \t]*([^ \t;,=]*)[ \t]*(?:=[ \t]*(?:"((?:\\.|[^"\\])*)"?|([^;]*)))?/gs;

/**
 * Parses a `Link` field, or several that are joined by commas. Skips links that violate the grammar, as
 * RFC 8288 §B.3 allows. Takes linear time.
 */
export function parseLinks(header: string): WebLink[] {
  return Array.from(header.matchAll(LINK), ([, target = '', text = '']) => {
    const parameters = new Map<string, string>();
    for (const [, name = '', quoted, token = ''] of text.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // §3.3: a `rel` after the first must be ignored.
      if (!parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? token.trim());
    }
    const rel = (parameters.get('rel') ?? '')
      .toLowerCase()
      .split(/[ \t]+/)
      .filter((word) => word !== '');
    return omitUndefined({ target: target.trim(), rel, anchor: parameters.get('anchor') });
  });
}
