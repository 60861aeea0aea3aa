/** A text as it is sent. */
export interface Rendition {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Strong entity tag of `body` (RFC 9110 §8.8.3), with quotes. */
  readonly etag: string;
}

/** Encodes, compresses and tags a text. */
export async function createRendition(text: string, contentType: string): Promise<Rendition> {
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  const hex = Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  const gzip = new Uint8Array(await new Response(compressed).arrayBuffer());
  return { contentType, body, gzip, etag: `"${hex}"` };
}
