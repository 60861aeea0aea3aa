import { computeHmac, createSecretCheck } from '../../base/hash.ts';

/** Seconds between a webhook's timestamp and the gateway's clock. */
const MAX_CLOCK_SKEW = 300;

export type WebhookSignatureFault = 'unsigned' | 'expired' | 'wrong';

interface SignedWebhook {
  readonly timestamp: string | null;
  /** `sha256=<hex>`: HMAC-SHA256 of `<timestamp>.<body>`. */
  readonly signature: string | null;
  readonly body: Uint8Array;
}

export function signWebhook(secret: string, timestamp: string, body: string): string {
  return `sha256=${computeHmac(secret, `${timestamp}.${body}`).toString('hex')}`;
}

/** Accepts webhooks within five minutes of their timestamp: a replay only purges again. @param now milliseconds since the epoch */
export function createWebhookVerifier(
  secret: string,
  now: () => number,
): (webhook: SignedWebhook) => WebhookSignatureFault | null {
  return ({ body, signature, timestamp }) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? '')?.[1]?.toLowerCase();
    if (hex === undefined || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
    const seconds = now() / 1000;
    if (Math.abs(seconds - Number(timestamp)) > MAX_CLOCK_SKEW) return 'expired';
    const isRight = createSecretCheck(computeHmac(secret, `${timestamp}.`, body).toString('hex'));
    return isRight(hex) ? null : 'wrong';
  };
}
