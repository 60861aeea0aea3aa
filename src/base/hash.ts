import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Steps } from './steps.ts';

export function computeHmac(
  key: string | Uint8Array,
  ...contents: readonly (string | Uint8Array)[]
): Buffer<ArrayBuffer> {
  const hmac = createHmac('sha256', key);
  for (const content of contents) hmac.update(content);
  return Buffer.from(hmac.digest());
}

export function digest(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer');
}

export function* hashParts(head: unknown, parts: Iterable<unknown>): Steps<string> {
  const sha256 = createHash('sha256').update(JSON.stringify(head));
  for (const part of parts) {
    sha256.update(`${JSON.stringify(part)}\n`);
    yield;
  }
  return sha256.digest('hex');
}

/** Compares hashes, so the duration reveals neither the length nor where a text differs. */
export function createSecretCheck(secret: string): (text: string) => boolean {
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}
