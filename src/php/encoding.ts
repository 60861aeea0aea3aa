/**
 * PHP's percent-encoding, on byte strings: every code unit of the strings here is one byte (0–255), because that is
 * what the site compares. `urldecode` and `rawurldecode` never fail: a malformed escape stays as it stands.
 */

/** As PHP reads names and values of a query: `+` is a space, `%41` is `A`, `%zz` is `%zz`. */
export function urlDecode(text: string): string {
  return rawUrlDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** The same for a path: `+` is itself. */
export function rawUrlDecode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * A byte string as a value of a query. Slashes stay, as WordPress itself writes `rest_route=/a/b`; all else that is not
 * unreserved (RFC 3986 §2.3) is escaped, so that no reader on the way finds a delimiter in it.
 */
export function encodeQueryValue(bytes: string): string {
  if (/^[\w.~/-]*$/.test(bytes)) return bytes;
  return bytes.replace(
    /[^\w.~/-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/**
 * `addslashes`. WordPress applies it to all of `$_GET` and `$_SERVER` (wp_magic_quotes) and matches routes without taking
 * it back: `rest_route=/it's` and `/wp-json/it's` are both the route `/it\'s`.
 */
export function addSlashes(bytes: string): string {
  return bytes.replace(/[\0'"\\]/g, (byte) => (byte === '\0' ? '\\0' : `\\${byte}`));
}

/** `stripslashes`: what has to be sent for the site to see `bytes`. */
export function stripSlashes(bytes: string): string {
  if (!bytes.includes('\\')) return bytes;
  return bytes.replace(/\\([\s\S]?)/g, (_, byte: string) => (byte === '0' ? '\0' : byte));
}
