const HMAC: HmacImportParams = { name: 'HMAC', hash: 'SHA-256' };

/** HMAC-SHA-256 (RFC 2104). */
export async function computeHmac(
  key: Uint8Array<ArrayBuffer>,
  content: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  const bytes = typeof content === 'string' ? encodeText(content) : content;
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
}

export async function digest(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === 'string' ? encodeText(content) : content;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/**
 * Compares hashes of equal length, so the duration reveals neither the secret's length nor where a text
 * differs.
 */
export function createSecretCheck(secret: string): (text: string) => Promise<boolean> {
  const expected = digest(secret);
  return async (text) => {
    const [left, right] = await Promise.all([digest(text), expected]);
    return left.reduce((difference, byte, at) => difference | (byte ^ (right[at] ?? 0)), 0) === 0;
  };
}

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** FNV-1a of UTF-16 code units in 32 bits, without security purpose. */
export function hashFnv(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
