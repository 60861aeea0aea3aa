import type { GroupPurge, PurgeMode, PurgeSelection, ResponseGroup, StoredResponse } from '../../store.ts';
import { ByteReader, ByteWriter } from './byte-codec.ts';

/** First number of an encoding: its kind and version. A value with another number is treated as missing. */
const RESPONSE_FORMAT = 0xa2;
const PURGE_FORMAT = 0xb2;

/**
 * Encodes a stored response for Redis.
 *
 * @param clockOffset milliseconds by which Redis's clock is ahead of the local one: encoded times are Redis's
 */
export function encodeStoredResponse(response: StoredResponse, clockOffset: number): Uint8Array {
  const writer = new ByteWriter(response.body.byteLength + 2048);
  writer.number(RESPONSE_FORMAT).number(response.status);
  writer.number(response.requestTime + clockOffset).number(response.responseTime + clockOffset);
  writer.number(response.initialAge).number(response.freshnessLifetime);
  writer.number(response.staleWhileRevalidate).number(response.staleIfError);
  writer.number(response.staleIfUnreachable);
  writer.number(response.markedStale ? 1 : 0).text(response.variantKey);
  writer.texts(response.vary).texts(response.headers).texts(response.tags);
  writer.texts(response.group === null ? [] : [response.group.name, response.group.readKind]);
  return writer.bytes(response.body).done();
}

/**
 * Decodes a stored response.
 *
 * @returns undefined if the bytes are not a complete response in this format
 */
export function decodeStoredResponse(bytes: Uint8Array, clockOffset: number): StoredResponse | undefined {
  const reader = new ByteReader(bytes);
  if (reader.number() !== RESPONSE_FORMAT) return undefined;
  const response: StoredResponse = {
    status: reader.number(),
    requestTime: reader.number() - clockOffset,
    responseTime: reader.number() - clockOffset,
    initialAge: reader.number(),
    freshnessLifetime: reader.number(),
    staleWhileRevalidate: reader.number(),
    staleIfError: reader.number(),
    staleIfUnreachable: reader.number(),
    markedStale: reader.number() === 1,
    variantKey: reader.text(),
    vary: reader.texts(),
    headers: reader.texts(),
    tags: reader.texts(),
    group: decodeGroup(reader.texts()),
    body: reader.bytes(),
  };
  const isValid = response.status >= 200 && response.status <= 599 && response.headers.length % 2 === 0;
  return isValid && reader.isComplete ? response : undefined;
}

function decodeGroup([name, readKind]: readonly string[]): ResponseGroup | null {
  return name === undefined || readKind === undefined ? null : { name, readKind };
}

/** A purge that gateways publish to one another. */
export interface PurgeOperation {
  readonly selection: PurgeSelection;
  readonly mode: PurgeMode;
}

export function encodePurge({ selection, mode }: PurgeOperation): Uint8Array {
  const writer = new ByteWriter(256).number(PURGE_FORMAT).text(mode).text(selection.kind);
  writer.texts(listTagsOrKeys(selection));
  const groups = listGroups(selection);
  writer.number(groups.length);
  for (const { exceptKinds, name } of groups) writer.text(name).texts(exceptKinds);
  return writer.done();
}

/**
 * Decodes a purge.
 *
 * @returns undefined if the bytes are not a complete purge in this format
 */
export function decodePurge(bytes: Uint8Array): PurgeOperation | undefined {
  const reader = new ByteReader(bytes);
  if (reader.number() !== PURGE_FORMAT) return undefined;
  const mode = reader.text();
  const kind = reader.text();
  const names = reader.texts();
  const groupCount = reader.number();
  const groups: GroupPurge[] = [];
  while (groups.length < groupCount && !reader.isComplete) {
    groups.push({ name: reader.text(), exceptKinds: reader.texts() });
  }
  if (!reader.isComplete || (mode !== 'hard' && mode !== 'soft')) return undefined;
  if (kind === 'all') return { mode, selection: { kind } };
  if (kind === 'tags') return { mode, selection: { kind, tags: names, groups } };
  return kind === 'keys' ? { mode, selection: { kind, keys: names } } : undefined;
}

/** Lists the tags or keys of a selection; none for a purge of everything. */
export function listTagsOrKeys(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return [];
  return selection.kind === 'tags' ? selection.tags : selection.keys;
}

/** Lists the groups of a selection. */
export function listGroups(selection: PurgeSelection): readonly GroupPurge[] {
  return selection.kind === 'tags' ? (selection.groups ?? []) : [];
}
