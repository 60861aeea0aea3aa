import { computeHmac, createSecretCheck } from '../../base/hash.ts';

/** Seconds between a webhook's timestamp and the gateway's clock. */
const MAX_CLOCK_SKEW = 300;
/** Signatures remembered to reject replays. Further webhooks are rejected until some expire. */
const MAX_SIGNATURES = 10_000;

export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong' | 'replayed' | 'too-many';

interface SignedWebhook {
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

export function signWebhook(secret: string, timestamp: string, body: string): string {
  return `sha256=${computeHmac(secret, `${timestamp}.${body}`).toString('hex')}`;
}

/**
 * Each webhook is accepted once, within five minutes of its timestamp.
 * @param now milliseconds since the epoch
 */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (webhook: SignedWebhook) => WebhookSignatureFault | null {
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

  return ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const seconds = now() / 1000;
    if (Math.abs(seconds - Number(timestamp)) > MAX_CLOCK_SKEW) return 'expired';
    const isRight = createSecretCheck(computeHmac(secret, `${timestamp}.`, body).toString('hex'));
    if (!isRight(hex)) return 'wrong';
    return checkReplay(hex, seconds);
  };
}
