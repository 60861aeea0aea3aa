import { isJsonObject, matchesExample, parseJson, toJsonObject } from '../../../json.ts';
import { hashText } from '../../content/content-hash.ts';
import type { PurgeMode, PurgeSelection, StoredResponse } from '../../store.ts';

/**
 * Encodes what a stored response has beside its body, as JSON.
 *
 * @param clockOffset milliseconds by which Redis's clock is ahead of the local one: encoded times are Redis's
 */
export function encodeMetadata(response: StoredResponse, clockOffset: number): string {
  const requestTime = response.requestTime + clockOffset;
  const responseTime = response.responseTime + clockOffset;
  const others = { body: undefined, compressed: undefined, identity: undefined };
  return JSON.stringify({ ...response, requestTime, responseTime, ...others });
}

/** Members of a response's metadata, in the form of {@link matchesExample}. */
const METADATA = {
  ...{ status: 0, headers: [''], variantKey: '', vary: [''], isSoftPurged: false, tags: [''] },
  ...{ requestTime: 0, responseTime: 0, initialAge: 0, freshnessLifetime: 0 },
  ...{ staleWhileRevalidate: 0, staleIfError: 0, staleIfUnreachable: 0 },
};

/** Decodes a stored response. @returns null if the bytes are no metadata */
export function decodeStoredResponse(
  bytes: Uint8Array,
  body: Uint8Array,
  clockOffset: number,
): StoredResponse | null {
  const metadata = parseJson(bytes);
  if (!matchesExample(metadata, METADATA)) return null;
  const { requestTime, responseTime } = metadata;
  return {
    ...metadata,
    requestTime: requestTime - clockOffset,
    responseTime: responseTime - clockOffset,
    body,
  };
}

/** A purge that gateways publish to one another. */
export interface PurgeOperation {
  readonly selection: PurgeSelection;
  readonly mode: PurgeMode;
}

/** Decodes a purge. @returns undefined if the bytes are not a purge */
function decodePurge(bytes: Uint8Array): PurgeOperation | undefined {
  const { mode, selection } = toJsonObject(parseJson(bytes));
  if (!isJsonObject(selection) || (mode !== 'hard' && mode !== 'unconfirmed')) return undefined;
  const { kind } = selection;
  if (kind === 'all') return { mode, selection: { kind } };
  if (kind !== 'tags' || !matchesExample(selection, { tags: [''] })) return undefined;
  return { mode, selection: { kind, tags: selection.tags } };
}

/** Longer tags are hashed: clients choose the addresses of writes, and Redis records 100,000 tags. */
const MAX_TAG_LENGTH = 256;

/** Creates the name under which Redis records a purge of a tag, or of a cache key. */
export function toPurgedName(tag: string): string {
  return tag.length <= MAX_TAG_LENGTH ? tag : `#${hashText(tag)}`;
}

/** A point in the sequence of purges that Redis has recorded. */
export interface PurgePosition {
  /** Identifies a sequence. Redis starts a new one when it can have lost purges. */
  readonly epoch: string;
  /** Number of the last purge up to this position. Each epoch numbers its purges. */
  readonly seq: number;
}

/** A purge as one gateway publishes it to the others, or the acknowledgement of one. */
export interface PurgeMessage {
  readonly position: PurgePosition;
  readonly gatewayId: string;
  /** Undefined in an acknowledgement, and when its format is unknown, e.g. because a newer version of the gateway published it. */
  readonly purge: PurgeOperation | undefined;
}

/** Encodes a purge. The script that publishes the message prepends `epoch seq`. */
export function encodePurgeMessage(gatewayId: string, purge: PurgeOperation): string {
  return `${gatewayId} ${JSON.stringify(purge)}`;
}

/** Encodes that a gateway has applied the purges up to a position. */
export function encodeAcknowledgement(gatewayId: string, { epoch, seq }: PurgePosition): string {
  return `${epoch} ${seq} ${gatewayId} `;
}

/** Parses `epoch seq gatewayId` and the encoded purge; undefined for anything else. */
export function parsePurgeMessage(message: Uint8Array): PurgeMessage | undefined {
  const head = /^(\d+) (\d+) ([\w-]+) /.exec(new TextDecoder('latin1').decode(message.subarray(0, 100)));
  if (head === null) return undefined;
  const [whole, epoch = '', seq = '', gatewayId = ''] = head;
  return {
    position: { epoch, seq: Number(seq) },
    gatewayId,
    purge: decodePurge(message.subarray(whole.length)),
  };
}
