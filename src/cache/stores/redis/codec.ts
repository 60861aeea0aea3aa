import type { GroupPurge, PurgeMode, PurgeSelection, ResponseGroup, StoredResponse } from '../../store.ts';

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

function encodePurge({ selection, mode }: PurgeOperation): Uint8Array {
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
function decodePurge(bytes: Uint8Array): PurgeOperation | undefined {
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

/** Creates the name under which a purge of a cache key is recorded. Its prefix distinguishes it from those of tags. */
export function purgeKeyForCacheKey(key: string): string {
  return `k${key}`;
}

/** Creates the name under which a purge of a tag is recorded. */
export function purgeKeyForTag(tag: string): string {
  return `t${tag}`;
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

/** A point in the sequence of purges that Redis has recorded. */
export interface PurgePosition {
  /** Identifies a sequence. Redis starts a new one when it may have lost purges. */
  readonly epoch: string;
  /** Number of the last purge up to this position. Each epoch numbers its purges. */
  readonly seq: number;
}

/** A purge as one gateway instance publishes it to the others. */
interface PurgeMessage {
  readonly position: PurgePosition;
  /** The gateway instance that purged. */
  readonly instanceId: string;
  /** Undefined when its format is unknown, for instance because a newer version of the gateway published it. */
  readonly purge: PurgeOperation | undefined;
}

/** Encodes `instanceId` and the purge. The script that publishes the message prepends `epoch seq`. */
export function encodePurgeMessage(instanceId: string, purge: PurgeOperation): Uint8Array {
  return Buffer.concat([Buffer.from(`${instanceId} `), encodePurge(purge)]);
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

/**
 * The encoding of values in Redis: a number is a big-endian IEEE 754 double, bytes and UTF-8 text follow their length as
 * 32 bits, a list of texts follows its length as a number.
 */

const NUMBER_SIZE = 8;
const LENGTH_SIZE = 4;
const encoder = new TextEncoder();

/** Appends values to a buffer that grows as needed. */
class ByteWriter {
  #buffer: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(expectedLength: number) {
    this.#buffer = new Uint8Array(expectedLength);
    this.#view = new DataView(this.#buffer.buffer);
  }

  number(value: number): this {
    this.#reserve(NUMBER_SIZE);
    this.#view.setFloat64(this.#length, value);
    this.#length += NUMBER_SIZE;
    return this;
  }

  text(value: string): this {
    // One UTF-16 code unit is at most three bytes of UTF-8.
    this.#reserve(LENGTH_SIZE + 3 * value.length);
    const { written } = encoder.encodeInto(value, this.#buffer.subarray(this.#length + LENGTH_SIZE));
    this.#view.setUint32(this.#length, written);
    this.#length += LENGTH_SIZE + written;
    return this;
  }

  texts(values: readonly string[]): this {
    this.number(values.length);
    for (const value of values) this.text(value);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(LENGTH_SIZE + value.byteLength);
    this.#view.setUint32(this.#length, value.byteLength);
    this.#buffer.set(value, this.#length + LENGTH_SIZE);
    this.#length += LENGTH_SIZE + value.byteLength;
    return this;
  }

  /** The written bytes, as a view of the buffer. */
  done(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.byteLength) return;
    const larger = new Uint8Array(Math.max(this.#length + more, this.#buffer.byteLength * 2));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/**
 * Reads what {@link ByteWriter} wrote. The bytes are untrusted: a missing value reads as 0 or as empty, and
 * {@link isComplete} tells whether the bytes contain the values that were read and nothing else.
 */
class ByteReader {
  readonly #source: Uint8Array;
  readonly #view: DataView;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #offset = 0;
  #isInvalid = false;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.#view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  }

  get isComplete(): boolean {
    return !this.#isInvalid && this.#offset === this.#source.byteLength;
  }

  number(): number {
    const start = this.#advance(NUMBER_SIZE);
    const value = start === undefined ? 0 : this.#view.getFloat64(start);
    if (!Number.isFinite(value)) this.#isInvalid = true;
    return value;
  }

  text(): string {
    return this.#decoder.decode(this.bytes());
  }

  texts(): readonly string[] {
    const count = this.number();
    const values: string[] = [];
    while (values.length < count && !this.#isInvalid) values.push(this.text());
    return values;
  }

  /** Returns a view of the source. */
  bytes(): Uint8Array {
    const lengthStart = this.#advance(LENGTH_SIZE);
    const length = lengthStart === undefined ? 0 : this.#view.getUint32(lengthStart);
    const start = this.#advance(length) ?? 0;
    return this.#isInvalid ? new Uint8Array(0) : this.#source.subarray(start, start + length);
  }

  /** @returns the offset before the bytes that it steps over; undefined when the source has fewer */
  #advance(length: number): number | undefined {
    if (this.#isInvalid || this.#offset + length > this.#source.byteLength) {
      this.#isInvalid = true;
      return undefined;
    }
    this.#offset += length;
    return this.#offset - length;
  }
}
