import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createWebhookVerifier,
  type WebhookSignatureFault,
} from '../../../src/cache/wordpress/webhook-signature.ts';

const SECRET = 'a secret of the tests';
const NOW = 1_700_000_000;

function signed(body: string, timestamp = String(NOW), secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function verifier(clock = { seconds: NOW }) {
  const verify = createWebhookVerifier(SECRET, () => clock.seconds * 1000);
  return (body: string, signature: string | null, timestamp: string | null = String(NOW)) =>
    verify({ timestamp, signature, body: new TextEncoder().encode(body) });
}

describe('a notice is taken', () => {
  test('where it is signed with the secret', async () => {
    expect(await verifier()('{}', signed('{}'))).toBeNull();
    expect(await verifier()('{}', signed('{}').toUpperCase().replace('SHA256', 'sha256'))).toBeNull();
  });

  test('from a clock that is a little off', async () => {
    for (const seconds of [-299, 299]) {
      const timestamp = String(NOW + seconds);
      expect(await verifier()('{}', signed('{}', timestamp), timestamp)).toBeNull();
    }
  });
});

describe('a notice is refused', () => {
  const old = String(NOW - 301);
  const early = String(NOW + 301);
  const CASES: readonly (readonly [string, string, string | null, string | null, WebhookSignatureFault])[] = [
    ['that is not signed', '{}', null, String(NOW), 'unsigned'],
    ['that has no time', '{}', signed('{}'), null, 'unsigned'],
    ['whose signature is no hash', '{}', 'sha256=abc', String(NOW), 'unsigned'],
    ['whose time is no number', '{}', signed('{}', 'now'), 'now', 'unsigned'],
    ['with another body', '{"changed":[]}', signed('{}'), String(NOW), 'wrong'],
    ['with another time', '{}', signed('{}'), String(NOW + 1), 'wrong'],
    ['with another secret', '{}', signed('{}', String(NOW), 'guess'), String(NOW), 'wrong'],
    ['that is old', '{}', signed('{}', old), old, 'expired'],
    ['that is of the future', '{}', signed('{}', early), early, 'expired'],
  ];

  test.each(CASES)('%s', async (_, body, signature, timestamp, fault) => {
    expect(await verifier()(body, signature, timestamp)).toBe(fault);
  });

  test('that has been taken already, for as long as its time counts', async () => {
    const clock = { seconds: NOW };
    const take = verifier(clock);
    const signature = signed('{}');
    expect(await take('{}', signature)).toBeNull();
    expect(await take('{}', signature)).toBe('replayed');
    clock.seconds += 299;
    expect(await take('{}', signature)).toBe('replayed');
    clock.seconds += 2;
    expect(await take('{}', signature)).toBe('expired');
  });
});
