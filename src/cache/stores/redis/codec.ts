import { digest } from '../../../hash.ts';
import { matchesExample, parseJson } from '../../../json.ts';
import type { StoredResponse } from '../../store.ts';

/** Encodes a stored response without its body. Times are relative to now: clocks of gateways differ. */
export function encodeMetadata(response: StoredResponse, now: number): string {
  return JSON.stringify({
    ...response,
    ...{ requestTime: response.requestTime - now, responseTime: response.responseTime - now },
    ...{ body: undefined, compressed: undefined, identity: undefined, uses: undefined },
  });
}

const METADATA = {
  ...{ status: 0, headers: [''], variantKey: '', vary: [''], isSoftPurged: false, tags: [''], revision: '' },
  ...{ requestTime: 0, responseTime: 0, initialAge: 0, freshnessLifetime: 0 },
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
};

/** Returns null if the bytes are no metadata. @param storedAt by the clock of this gateway */
export function decodeStoredResponse(
  bytes: Uint8Array,
  body: Uint8Array,
  storedAt: number,
): StoredResponse | null {
  const metadata = parseJson(bytes);
  if (!matchesExample(metadata, METADATA)) return null;
  const { requestTime, responseTime } = metadata;
  return { ...metadata, requestTime: requestTime + storedAt, responseTime: responseTime + storedAt, body };
}

/** Longer tags are hashed: clients choose the addresses of writes. */
const MAX_TAG_LENGTH = 256;

/** The name of a tag or a cache key in the record of purges. UTF-8 has no lone surrogates. */
export function toPurgedName(tag: string): string {
  return tag.length <= MAX_TAG_LENGTH && !LONE_SURROGATE.test(tag)
    ? tag
    : `#${digest(tag).toString('base64url')}`;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
