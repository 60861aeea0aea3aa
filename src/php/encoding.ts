/**
 * PHP's percent-encoding and slash escaping, on byte strings: each code unit is one byte (0–255), because WordPress
 * compares bytes. `urldecode` and `rawurldecode` never fail: a malformed escape stays unchanged.
 */

/** `urldecode`, as PHP applies it to queries: `+` becomes a space, `%41` becomes `A`, `%zz` stays. */
export function urlDecode(text: string): string {
  return rawUrlDecode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** `rawurldecode`, for paths: as {@link urlDecode}, but `+` stays. */
export function rawUrlDecode(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Encodes a byte string as a query value. Slashes stay, as in WordPress's own `rest_route=/a/b`; all other bytes that are
 * not unreserved (RFC 3986 §2.3) are encoded, so that no server finds a delimiter in the value.
 */
export function encodeQueryValue(bytes: string): string {
  if (/^[\w.~/-]*$/.test(bytes)) return bytes;
  return bytes.replace(
    /[^\w.~/-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/**
 * `addslashes`. WordPress applies it to `$_GET` and `$_SERVER` (wp_magic_quotes), and does not remove the slashes before
 * it matches routes: `rest_route=/it's` and `/wp-json/it's` are both the route `/it\'s`.
 */
export function addSlashes(bytes: string): string {
  return bytes.replace(/[\0'"\\]/g, (byte) => (byte === '\0' ? '\\0' : `\\${byte}`));
}

/** `stripslashes`: the text to send so that WordPress sees `bytes`. */
export function stripSlashes(bytes: string): string {
  if (!bytes.includes('\\')) return bytes;
  return bytes.replace(/\\([\s\S]?)/g, (_, byte: string) => (byte === '0' ? '\0' : byte));
}
