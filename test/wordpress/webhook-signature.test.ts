import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createWebhookVerifier, type WebhookSignatureFault } from '../../src/wordpress/webhook-signature.ts';

const SECRET = 'a secret of the tests';
const NOW = 1_700_000_000;

function sign(body: string, timestamp = String(NOW), secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function createTestVerifier(clock = { seconds: NOW }) {
  const verify = createWebhookVerifier(SECRET, () => clock.seconds * 1000);
  return (body: string, signature: string | null, timestamp: string | null = String(NOW)) =>
    verify({ timestamp, signature, body: new TextEncoder().encode(body) });
}

describe('a webhook is accepted', () => {
  test('when it is signed with the secret', async () => {
    expect(await createTestVerifier()('{}', sign('{}'))).toBeNull();
    expect(await createTestVerifier()('{}', sign('{}').toUpperCase().replace('SHA256', 'sha256'))).toBeNull();
  });

  test('from a clock that differs by less than five minutes', async () => {
    for (const seconds of [-299, 299]) {
      const timestamp = String(NOW + seconds);
      expect(await createTestVerifier()('{}', sign('{}', timestamp), timestamp)).toBeNull();
    }
  });
});

describe('a webhook is rejected', () => {
  const old = String(NOW - 301);
  const future = String(NOW + 301);
  const CASES: readonly (readonly [string, string, string | null, string | null, WebhookSignatureFault])[] = [
    ['without a signature', '{}', null, String(NOW), 'unsigned'],
    ['without a timestamp', '{}', sign('{}'), null, 'unsigned'],
    ['with a malformed signature', '{}', 'sha256=abc', String(NOW), 'unsigned'],
    ['with a malformed timestamp', '{}', sign('{}', 'now'), 'now', 'unsigned'],
    ['with another body', '{"changed":[]}', sign('{}'), String(NOW), 'wrong'],
    ['with another timestamp', '{}', sign('{}'), String(NOW + 1), 'wrong'],
    ['with another secret', '{}', sign('{}', String(NOW), 'guess'), String(NOW), 'wrong'],
    ['that is too old', '{}', sign('{}', old), old, 'expired'],
    ['with a timestamp in the future', '{}', sign('{}', future), future, 'expired'],
  ];

  test.each(CASES)('%s', async (_, body, signature, timestamp, fault) => {
    expect(await createTestVerifier()(body, signature, timestamp)).toBe(fault);
  });

  test('when it is repeated while its timestamp is valid', async () => {
    const clock = { seconds: NOW };
    const accept = createTestVerifier(clock);
    const signature = sign('{}');
    expect(await accept('{}', signature)).toBeNull();
    expect(await accept('{}', signature)).toBe('replayed');
    clock.seconds += 299;
    expect(await accept('{}', signature)).toBe('replayed');
    clock.seconds += 2;
    expect(await accept('{}', signature)).toBe('expired');
  });
});
