import { firstValue } from '../../http/fields.ts';
import { BODILESS } from '../../http/status.ts';
import { answerOf, type StoredResponse } from '../store.ts';
import type { Draft } from './storable.ts';

/**
 * A draft with its body. `null` where the body is not all that the head announced: RFC 9111 §3.3, "A cache MUST NOT use
 * an incomplete response to answer requests unless the response has been made complete, or the request is partial".
 */
export function completed(draft: Draft, body: Uint8Array, tags: readonly string[]): StoredResponse | null {
  const announced = firstValue(draft.headers, 'content-length');
  if (announced !== undefined && announced.trim() !== String(body.byteLength)) return null;
  // The length is known now, and HEAD is answered with it (RFC 9110 §8.6).
  const measured = announced === undefined && !BODILESS.has(draft.status);
  const headers = measured ? [...draft.headers, 'Content-Length', String(body.byteLength)] : draft.headers;
  return answerOf(draft, headers, body, tags);
}
