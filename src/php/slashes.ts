/**
 * `addslashes`, which WordPress applies to everything in `$_GET` (wp_magic_quotes) and never takes back before it
 * matches a route: `rest_route=/it's` is the route `/it\'s`. Pretty addresses are spared it.
 */
export function addSlashes(bytes: string): string {
  return bytes.replace(/[\0'"\\]/g, (byte) => (byte === '\0' ? '\\0' : `\\${byte}`));
}

/** What has to be sent in a query for the site to see `bytes` there; null if nothing does (a bare quote). */
export function unsendSlashes(bytes: string): string | null {
  if (!/[\0'"\\]/.test(bytes)) return bytes;
  const sent = bytes.replace(/\\([0'"\\])/g, (_, byte: string) => (byte === '0' ? '\0' : byte));
  return addSlashes(sent) === bytes ? sent : null;
}
