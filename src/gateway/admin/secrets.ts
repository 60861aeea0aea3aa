const HMAC: HmacImportParams = { name: 'HMAC', hash: 'SHA-256' };

/** Computes HMAC-SHA-256 (RFC 2104). */
export async function computeHmac(
  key: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeText(text)));
}

/** Hashes a text with SHA-256. */
export async function digestText(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encodeText(text)));
}

/**
 * Creates a check of a secret. Hashes have equal lengths, so the duration of a comparison reveals neither the length of the
 * secret nor where a text differs from it.
 */
export function createSecretCheck(secret: string): (text: string) => Promise<boolean> {
  const expected = digestText(secret);
  return async (text) => equalsInConstantTime(await digestText(text), await expected);
}

export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function equalsInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}
