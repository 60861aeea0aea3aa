import { isJsonObject, type Json, type JsonObject, parseJsonBytes } from '../../../json.ts';
import {
  type GroupPurge,
  listSelectedTags,
  type PurgeClause,
  type PurgeSelection,
  type StoredResponse,
  type WritePurgeMode,
} from '../../store.ts';

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

/** Decodes a stored response. @returns undefined if the bytes are not a complete response in this format */
export function decodeStoredResponse(bytes: Uint8Array, clockOffset: number): StoredResponse | undefined {
  if (bytes[0] !== RESPONSE_FORMAT || bytes.byteLength < HEAD_SIZE) return undefined;
  const bodyStart = HEAD_SIZE + new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const metadata = parseObject(bytes.subarray(HEAD_SIZE, bodyStart));
  const body = bytes.subarray(bodyStart);
  if (metadata['length'] !== body.byteLength) return undefined;
  const { group, isSoftPurged, variantKey } = metadata;
  const number = (name: string): number => {
    const value = metadata[name];
    return typeof value === 'number' ? value : Number.NaN;
  };
  const vary = parseTexts(metadata['vary']);
  const headers = parseTexts(metadata['headers']);
  const tags = parseTexts(metadata['tags']);
  const { name, routeClass } = isJsonObject(group) ? group : {};
  const isInGroup = typeof name === 'string' && typeof routeClass === 'string';
  const times = {
    requestTime: number('requestTime') - clockOffset,
    responseTime: number('responseTime') - clockOffset,
    initialAge: number('initialAge'),
    freshnessLifetime: number('freshnessLifetime'),
    staleWhileRevalidate: number('staleWhileRevalidate'),
    staleIfError: number('staleIfError'),
    staleIfUnreachable: number('staleIfUnreachable'),
  };
  const status = number('status');
  if (!(status >= 200 && status <= 599) || Object.values(times).some(Number.isNaN)) return undefined;
  if (vary === null || headers === null || tags === null || headers.length % 2 !== 0) return undefined;
  if (typeof variantKey !== 'string' || (group !== null && !isInGroup)) return undefined;
  return {
    status,
    headers,
    body,
    variantKey,
    vary,
    ...times,
    isSoftPurged: isSoftPurged === true,
    tags,
    group: isInGroup ? { name, routeClass } : null,
  };
}

function parseTexts(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : null;
}

function parseObject(bytes: Uint8Array): JsonObject {
  const value = parseJsonBytes(bytes);
  return isJsonObject(value) ? value : {};
}

/** A purge that gateways publish to one another. */
export interface PurgeOperation {
  readonly selection: PurgeSelection;
  readonly mode: WritePurgeMode;
}

/** Decodes a purge. @returns undefined if the bytes are not a purge */
function decodePurge(bytes: Uint8Array): PurgeOperation | undefined {
  const { mode, selection } = parseObject(bytes);
  if (!isJsonObject(selection) || (mode !== 'hard' && mode !== 'soft' && mode !== 'unconfirmed'))
    return undefined;
  const { kind } = selection;
  if (kind === 'all') return { mode, selection: { kind } };
  const names = parseTexts(selection[kind === 'tags' ? 'tags' : 'keys']);
  if (names === null) return undefined;
  if (kind === 'keys') return { mode, selection: { kind, keys: names } };
  const listed = selection['groups'] ?? [];
  const groups = Array.isArray(listed) ? listed.map(parseGroup) : [null];
  const known = groups.filter((group) => group !== null);
  if (kind !== 'tags' || known.length < groups.length) return undefined;
  const { clauses, plainTags } = selection;
  if (clauses === undefined) return { mode, selection: { kind, tags: names, groups: known } };
  const parsed = Array.isArray(clauses) ? clauses.map(parseClause) : [null];
  const valid = parsed.filter((clause) => clause !== null);
  if (typeof plainTags !== 'number' || valid.length < parsed.length) return undefined;
  return { mode, selection: { kind, tags: names.slice(0, plainTags), groups: known, clauses: valid } };
}

function parseClause(value: Json): PurgeClause | null {
  const clause = isJsonObject(value) ? value : {};
  const [tags, texts] = [parseTexts(clause['tags']), parseTexts(clause['texts'])];
  return tags === null || texts === null ? null : { tags, texts };
}

function parseGroup(value: Json): GroupPurge | null {
  const { exceptKinds, name } = isJsonObject(value) ? value : {};
  const kinds = parseTexts(exceptKinds);
  return typeof name === 'string' && kinds !== null ? { name, exceptKinds: kinds } : null;
}

/** Creates the name under which a purge of a cache key is recorded. Its prefix distinguishes it from those of tags. */
export function purgeKeyForCacheKey(key: string): string {
  return `k${key}`;
}

/** Creates the name under which a purge of a tag is recorded. */
export function purgeKeyForTag(tag: string): string {
  return `t${tag}`;
}

/** Lists the tags or keys of a selection, also the tags of clauses; none for a purge of everything. */
export function listTagsOrKeys(selection: PurgeSelection): readonly string[] {
  return selection.kind === 'keys' ? selection.keys : listSelectedTags(selection);
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

/** Maximum characters of the clauses in a message. Redis keeps the last messages. */
const MAX_CLAUSES_LENGTH = 16_000;

/** Encodes `instanceId` and the purge. The script that publishes the message prepends `epoch seq`. */
export function encodePurgeMessage(instanceId: string, { mode, selection }: PurgeOperation): string {
  return `${instanceId} ${JSON.stringify({ mode, selection: encodeClauses(selection) })}`;
}

/** Adds the tags of clauses to the others: an earlier version of the gateway, and one that gets no clauses, purges by them alone. */
function encodeClauses(selection: PurgeSelection): object {
  if (selection.kind !== 'tags' || selection.clauses === undefined) return selection;
  const { clauses, groups, kind, tags } = selection;
  const plain = { kind, tags: [...tags, ...listSelectedTags({ kind, tags: [], clauses })], groups };
  const isShort = JSON.stringify(clauses).length <= MAX_CLAUSES_LENGTH;
  return isShort ? { ...plain, clauses, plainTags: tags.length } : plain;
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
interface PurgeAcknowledgement {
  readonly position: PurgePosition;
  readonly instanceId: string;
}

/** Encodes an acknowledgement as `epoch seq instanceId`. */
export function encodeAcknowledgement({ instanceId, position }: PurgeAcknowledgement): string {
  return `${position.epoch} ${position.seq} ${instanceId}`;
}

/** Parses an acknowledgement; undefined for anything else. */
export function parseAcknowledgement(message: Uint8Array): PurgeAcknowledgement | undefined {
  const parts = /^(\d+) (\d+) ([\w-]+)$/.exec(new TextDecoder('latin1').decode(message.subarray(0, 200)));
  if (parts === null) return undefined;
  const [, epoch = '', seq = '', instanceId = ''] = parts;
  return { position: { epoch, seq: Number(seq) }, instanceId };
}
