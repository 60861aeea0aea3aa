import { digest } from '../../../../base/hash.ts';
import { matchesExample, parseJson } from '../../../../base/json.ts';
import type { StoredResponse } from '../../store.ts';

/** Encodes a stored response without its body. */
export function encodeMetadata(response: StoredResponse): string {
  return JSON.stringify({
    ...response,
    ...{ body: undefined, compressed: undefined, identity: undefined, usage: undefined },
  });
}

const METADATA = {
  ...{ status: 0, headers: [''], variantKey: '', vary: [''], isSoftPurged: false, tags: [''], revision: '' },
  ...{ requestTime: 0, responseTime: 0, initialAge: 0, freshnessLifetime: 0 },
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
};

/** Returns null if the bytes are no metadata. */
export function decodeStoredResponse(bytes: Uint8Array, body: Uint8Array): StoredResponse | null {
  const metadata = parseJson(bytes);
  return matchesExample(metadata, METADATA) ? { ...metadata, body } : null;
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
