/** Maximum difference between a webhook's timestamp and the gateway's clock, in seconds. */
const MAX_CLOCK_SKEW = 300;
/** Maximum signatures that are remembered to reject replays. Further webhooks are rejected until some expire. */
const MAX_SIGNATURES = 10_000;

/** The reason why a webhook is rejected. */
export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong' | 'replayed' | 'too-many';

export interface SignedWebhook {
  /** Unix time in seconds, as it was sent; `null` if it is absent. */
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Signs a webhook as {@link createWebhookVerifier} verifies it. @returns the value of {@link SignedWebhook.signature} */
export async function signWebhook(secret: string, timestamp: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign']);
  const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(`${timestamp}.${body}`));
  const hex = Array.from(new Uint8Array(signed), (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256=${hex.join('')}`;
}

/**
 * Creates a verifier of webhooks that are signed with a shared secret. Each webhook is accepted once, within five minutes
 * of its timestamp. Web Crypto compares signatures in constant time.
 *
 * @param now milliseconds since the epoch
 */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (webhook: SignedWebhook) => Promise<WebhookSignatureFault | null> {
  const encoder = new TextEncoder();
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['verify']);
  const seen = new Map<string, number>();

  /** Remembers a signature unless it was used before. */
  function checkReplay(signature: string, seconds: number): WebhookSignatureFault | null {
    for (const [each, expires] of seen) {
      if (expires > seconds) break;
      seen.delete(each);
    }
    if (seen.has(signature)) return 'replayed';
    if (seen.size >= MAX_SIGNATURES) return 'too-many';
    // A timestamp may be in the future by the allowed skew, and the webhook is valid for the skew after that.
    seen.set(signature, seconds + 2 * MAX_CLOCK_SKEW);
    return null;
  }

  return async ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const seconds = now() / 1000;
    if (Math.abs(seconds - Number(timestamp)) > MAX_CLOCK_SKEW) return 'expired';
    const prefix = encoder.encode(`${timestamp}.`);
    const signed = new Uint8Array(prefix.length + body.length);
    signed.set(prefix);
    signed.set(body, prefix.length);
    const received = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    if (!(await crypto.subtle.verify('HMAC', await key, received, signed))) return 'wrong';
    return checkReplay(hex, seconds);
  };
}
