import { isJsonObject, matchesExample, parseJson, toJsonObject } from '../../../json.ts';
import { hashText } from '../../content/content-hash.ts';
import type { PurgeMode, PurgeSelection, StoredResponse } from '../../store.ts';

/** First byte of an encoded response: its format. One in another format is treated as missing. */
const RESPONSE_FORMAT = 0xa5;
/** The format and the length of the metadata, which is before the body. */
const HEAD_SIZE = 5;
const encoder = new TextEncoder();

/**
 * Encodes a stored response for Redis: its metadata as JSON, and the body.
 *
 * @param clockOffset milliseconds by which Redis's clock is ahead of the local one: encoded times are Redis's
 */
export function encodeStoredResponse(response: StoredResponse, clockOffset: number): Uint8Array {
  const { body } = response;
  const requestTime = response.requestTime + clockOffset;
  const responseTime = response.responseTime + clockOffset;
  const others = { body: undefined, compressed: undefined, identity: undefined, length: body.byteLength };
  const metadata = encoder.encode(JSON.stringify({ ...response, requestTime, responseTime, ...others }));
  const encoded = new Uint8Array(HEAD_SIZE + metadata.byteLength + body.byteLength);
  encoded[0] = RESPONSE_FORMAT;
  new DataView(encoded.buffer).setUint32(1, metadata.byteLength);
  encoded.set(metadata, HEAD_SIZE);
  encoded.set(body, HEAD_SIZE + metadata.byteLength);
  return encoded;
}

/** What the metadata of a response has, in the form of {@link matchesExample}. */
const METADATA = {
  ...{ status: 0, headers: [''], variantKey: '', vary: [''], length: 0, isSoftPurged: false, tags: [''] },
  ...{ requestTime: 0, responseTime: 0, initialAge: 0, freshnessLifetime: 0 },
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
};

/** Decodes a stored response. @returns undefined if the bytes are not a complete response in this format */
export function decodeStoredResponse(bytes: Uint8Array, clockOffset: number): StoredResponse | undefined {
  if (bytes[0] !== RESPONSE_FORMAT || bytes.byteLength < HEAD_SIZE) return undefined;
  const bodyStart = HEAD_SIZE + new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const metadata = parseJson(bytes.subarray(HEAD_SIZE, bodyStart));
  const body = bytes.subarray(bodyStart);
  if (!matchesExample(metadata, METADATA) || metadata.length !== body.byteLength) return undefined;
  const { headers, length: _, requestTime, responseTime, status, ...others } = metadata;
  if (status < 200 || status > 599 || headers.length % 2 !== 0) return undefined;
  const times = { requestTime: requestTime - clockOffset, responseTime: responseTime - clockOffset };
  return { ...others, ...times, status, headers, body };
}

/** A purge that gateways publish to one another. */
export interface PurgeOperation {
  readonly selection: PurgeSelection;
  readonly mode: PurgeMode;
}

/** Decodes a purge. @returns undefined if the bytes are not a purge */
function decodePurge(bytes: Uint8Array): PurgeOperation | undefined {
  const { mode, selection } = toJsonObject(parseJson(bytes));
  if (!isJsonObject(selection) || (mode !== 'hard' && mode !== 'soft' && mode !== 'unconfirmed'))
    return undefined;
  const { kind } = selection;
  if (kind === 'all') return { mode, selection: { kind } };
  if (kind === 'keys' && matchesExample(selection, { keys: [''] }))
    return { mode, selection: { kind, keys: selection.keys } };
  if (kind !== 'tags' || !matchesExample(selection, { tags: [''] })) return undefined;
  return { mode, selection: { kind, tags: selection.tags } };
}

/** Longer names of purges are hashed: clients choose the addresses of writes, and Redis records 100,000 names. */
const MAX_PURGE_KEY_LENGTH = 256;

/** Creates the name under which a purge of a cache key is recorded. Its prefix distinguishes it from those of tags. */
export function purgeKeyForCacheKey(key: string): string {
  return key.length <= MAX_PURGE_KEY_LENGTH ? `k${key}` : `K${hashText(key)}`;
}

export function purgeKeyForTag(tag: string): string {
  return tag.length <= MAX_PURGE_KEY_LENGTH ? `t${tag}` : `T${hashText(tag)}`;
}

/** Lists the tags or keys of a selection; none for a purge of everything. */
export function listTagsOrKeys(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return [];
  return selection.kind === 'keys' ? selection.keys : selection.tags;
}

/** A point in the sequence of purges that Redis has recorded. */
export interface PurgePosition {
  /** Identifies a sequence. Redis starts a new one when it may have lost purges. */
  readonly epoch: string;
  /** Number of the last purge up to this position. Each epoch numbers its purges. */
  readonly seq: number;
}

/** A purge as one gateway instance publishes it to the others. */
export interface PurgeMessage {
  readonly position: PurgePosition;
  readonly instanceId: string;
  /** Undefined when its format is unknown, for instance because a newer version of the gateway published it. */
  readonly purge: PurgeOperation | undefined;
}

/** Encodes `instanceId` and the purge. The script that publishes the message prepends `epoch seq`. */
export function encodePurgeMessage(instanceId: string, purge: PurgeOperation): string {
  return `${instanceId} ${JSON.stringify(purge)}`;
}

/** Parses `epoch seq instanceId` and the encoded purge; undefined for anything else. */
export function parsePurgeMessage(message: Uint8Array): PurgeMessage | undefined {
  const head = /^(\d+) (\d+) ([\w-]+) /.exec(new TextDecoder('latin1').decode(message.subarray(0, 100)));
  if (head === null) return undefined;
  const [whole, epoch = '', seq = '', instanceId = ''] = head;
  return {
    position: { epoch, seq: Number(seq) },
    instanceId,
    purge: decodePurge(message.subarray(whole.length)),
  };
}

/** An instance has applied the purges up to a position. */
export type PurgeAcknowledgement = Pick<PurgeMessage, 'position' | 'instanceId'>;

/** Encodes an acknowledgement as `epoch seq instanceId`. */
export function encodeAcknowledgement({ instanceId, position }: PurgeAcknowledgement): string {
  return `${position.epoch} ${position.seq} ${instanceId}`;
}

/** Parses an acknowledgement; undefined for anything else. */
export function parseAcknowledgement(message: Uint8Array): PurgeAcknowledgement | undefined {
  const text = new TextDecoder('latin1').decode(message.subarray(0, 200));
  const parts = /^(\d+) (\d+) ([\w-]+)$/.exec(text);
  if (parts === null) return undefined;
  const [, epoch = '', seq = '', instanceId = ''] = parts;
  return { position: { epoch, seq: Number(seq) }, instanceId };
}
