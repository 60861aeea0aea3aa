/** How far the clocks of a site and its gateway may be apart, and for how long a signature is remembered. */
const WINDOW_SECONDS = 300;
/** More notices than this within the window are refused: each is remembered so that none is taken twice. */
const MOST_REMEMBERED = 10_000;

/** What is wrong with a signed notice. */
export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong' | 'replayed' | 'too-many';

export interface SignedWebhook {
  /** Unix seconds, as sent. */
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

/**
 * Checks notices that are signed with a shared secret: each counts once, and for five minutes. Web Crypto compares in
 * constant time.
 *
 * @param now milliseconds since the epoch
 */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (notice: SignedWebhook) => Promise<WebhookSignatureFault | null> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const seen = new Map<string, number>();

  function isReplayed(signature: string, at: number): WebhookSignatureFault | null {
    for (const [each, expires] of seen) {
      if (expires > at) break;
      seen.delete(each);
    }
    if (seen.has(signature)) return 'replayed';
    if (seen.size >= MOST_REMEMBERED) return 'too-many';
    // A notice may come from a clock that is ahead, and is valid for as long again.
    seen.set(signature, at + 2 * WINDOW_SECONDS);
    return null;
  }

  return async ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const at = now() / 1000;
    if (Math.abs(at - Number(timestamp)) > WINDOW_SECONDS) return 'expired';
    const stamp = encoder.encode(`${timestamp}.`);
    const signed = new Uint8Array(stamp.length + body.length);
    signed.set(stamp);
    signed.set(body, stamp.length);
    const given = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    if (!(await crypto.subtle.verify('HMAC', await key, given, signed))) return 'wrong';
    return isReplayed(hex, at);
  };
}
