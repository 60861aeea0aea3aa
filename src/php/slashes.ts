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
