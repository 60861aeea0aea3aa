import { computeHmac, createSecretCheck, encodeText, toHex } from '../hash.ts';

/** Seconds between a webhook's timestamp and the gateway's clock. */
const MAX_CLOCK_SKEW = 300;
/**
 * Maximum signatures that are remembered to reject replays. Further webhooks are rejected until some expire.
 */
const MAX_SIGNATURES = 10_000;

export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong' | 'replayed' | 'too-many';

export interface SignedWebhook {
  /** Unix time in seconds, as it was sent. */
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

/** Returns {@link SignedWebhook.signature}. */
export async function signWebhook(secret: string, timestamp: string, body: string): Promise<string> {
  return `sha256=${toHex(await computeHmac(encodeText(secret), `${timestamp}.${body}`))}`;
}

/**
 * Each webhook is accepted once, within five minutes of its timestamp.
 * @param now milliseconds since the epoch
 */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (webhook: SignedWebhook) => Promise<WebhookSignatureFault | null> {
  const key = encodeText(secret);
  const seen = new Map<string, number>();

  function checkReplay(signature: string, seconds: number): WebhookSignatureFault | null {
    for (const [each, expires] of seen) {
      if (expires > seconds) break;
      seen.delete(each);
    }
    if (seen.has(signature)) return 'replayed';
    if (seen.size >= MAX_SIGNATURES) return 'too-many';
    // The timestamp can be ahead by the skew.
    seen.set(signature, seconds + 2 * MAX_CLOCK_SKEW);
    return null;
  }

  return async ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const seconds = now() / 1000;
    if (Math.abs(seconds - Number(timestamp)) > MAX_CLOCK_SKEW) return 'expired';
    const prefix = encodeText(`${timestamp}.`);
    const signed = new Uint8Array(prefix.length + body.length);
    signed.set(prefix);
    signed.set(body, prefix.length);
    const isRight = createSecretCheck(toHex(await computeHmac(key, signed)));
    if (!(await isRight(hex))) return 'wrong';
    return checkReplay(hex, seconds);
  };
}
