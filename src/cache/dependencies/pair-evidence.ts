/** What was observed about one kind of write and one kind of read. */
export interface PairEvidence {
  readonly writeKind: string;
  readonly readKind: string;
  /** Writes after which a response was the same, since the last counter-example. */
  observations: number;
  /** Counter-examples: responses that a single write of the kind has changed. */
  changes: number;
  /** Hashes of written resources, at most {@link MIN_RESOURCES}. */
  readonly resources: Set<number>;
  /** Hashes of the keys of compared responses, at most {@link MIN_KEYS}. */
  readonly keys: Set<number>;
  /** Whether writes of the kind keep responses of the kind. */
  isIndependent: boolean;
  /** Writes since the pair became independent. */
  uses: number;
}

/** Different resources that must have been written. */
export const MIN_RESOURCES = 5;
/** Different addresses that must have been read, if the kind of read has more than one. */
export const MIN_KEYS = 5;
/** Observations for each address of a kind of read, because a write may change only one of them. */
const OBSERVATIONS_PER_KEY = 5;
/** Each counter-example multiplies the required observations, up to this factor. */
const MAX_FACTOR = 10;
/** Every so many writes an independent pair is purged all the same, and compared. */
export const CHECK_INTERVAL = 50;
/** Maximum pairs. The write kind that was seen the longest time ago is dropped first. */
const MAX_PAIRS = 10_000;
/** Maximum kinds of read per kind of write. Clients choose some of the values that are part of their names. */
const MAX_READS = 500;

/** The evidence about all pairs of a site. */
export class PairTable {
  readonly #byWriteKind = new Map<string, Map<string, PairEvidence>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(writeKind: string, readKind: string): PairEvidence | undefined {
    return this.#byWriteKind.get(writeKind)?.get(readKind);
  }

  getOrCreate(writeKind: string, readKind: string): PairEvidence {
    const known = this.find(writeKind, readKind);
    if (known !== undefined) return known;
    const pair: PairEvidence = {
      writeKind,
      readKind,
      observations: 0,
      changes: 0,
      resources: new Set(),
      keys: new Set(),
      isIndependent: false,
      uses: 0,
    };
    this.add(pair);
    return pair;
  }

  add(pair: PairEvidence): void {
    const reads = this.#byWriteKind.get(pair.writeKind) ?? new Map<string, PairEvidence>();
    // The order of the map is that of the last additions.
    this.#byWriteKind.delete(pair.writeKind);
    this.#byWriteKind.set(pair.writeKind, reads);
    if (!reads.has(pair.readKind)) {
      if (reads.size >= MAX_READS) this.#dropLeastObserved(reads);
      this.#size += 1;
    }
    reads.set(pair.readKind, pair);
    for (const [writeKind, others] of this.#byWriteKind) {
      if (this.#size <= MAX_PAIRS || this.#byWriteKind.size === 1) break;
      this.#byWriteKind.delete(writeKind);
      this.#size -= others.size;
    }
  }

  /**
   * Lists the kinds of read that a write of this kind keeps.
   *
   * @param countsWrite whether there is such a write: every {@link CHECK_INTERVAL} of them purge the responses all the same
   */
  listIndependentKinds(writeKind: string, countsWrite: boolean): readonly string[] {
    const kinds: string[] = [];
    for (const pair of this.#byWriteKind.get(writeKind)?.values() ?? []) {
      if (!pair.isIndependent) continue;
      if (countsWrite) pair.uses += 1;
      if (!countsWrite || pair.uses % CHECK_INTERVAL !== 0) kinds.push(pair.readKind);
    }
    return kinds;
  }

  /** Drops a pair with little evidence, the oldest of several: without it the write purges the responses. */
  #dropLeastObserved(reads: Map<string, PairEvidence>): void {
    let least: PairEvidence | null = null;
    for (const pair of reads.values()) {
      if (least === null || weightOf(pair) < weightOf(least)) least = pair;
    }
    if (least !== null && reads.delete(least.readKind)) this.#size -= 1;
  }

  *[Symbol.iterator](): Generator<PairEvidence, undefined> {
    for (const reads of this.#byWriteKind.values()) yield* reads.values();
  }

  clear(): void {
    this.#byWriteKind.clear();
    this.#size = 0;
  }
}

/** Counter-examples are kept the longest: without them a dependent pair would need fewer observations again. */
function weightOf({ changes, isIndependent, observations }: PairEvidence): number {
  return observations + (changes + (isIndependent ? 1 : 0)) * OBSERVATIONS_PER_KEY;
}

/** Whether the evidence suffices to keep responses of a kind after writes of a kind. */
export function isSufficient(pair: PairEvidence, required: number, keyCount: number): boolean {
  const factor = Math.min(MAX_FACTOR, 1 + pair.changes);
  return (
    pair.observations >= Math.max(required, OBSERVATIONS_PER_KEY * keyCount) * factor &&
    pair.resources.size >= MIN_RESOURCES &&
    pair.keys.size >= (hasOneAddress(pair.readKind) ? 1 : MIN_KEYS)
  );
}

/** Whether all reads of a kind have one address: no part of the path and no value of the query varies. */
function hasOneAddress(readKind: string): boolean {
  const [template = '', ...query] = readKind.split('?');
  const parameters = query.join('?').split('&');
  return !template.includes('{') && (query.length === 0 || parameters.every((each) => each.includes('=')));
}

/** Hashes that compare contents, not cryptographic: MurmurHash3's mixing in two lanes of 32 bits. */

const PRIME_A = 0xcc9e2d51;
const PRIME_B = 0x1b873593;

/** Hashes bytes to an integer of 53 bits. */
export function hashBytes(bytes: Uint8Array, seed = 0): number {
  let one = Math.imul(seed ^ 0x9747b28c, PRIME_B);
  let two = Math.imul(seed ^ 0x3c6ef372, PRIME_A);
  const words = toWords(bytes);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    one = Math.imul(one ^ word, PRIME_A);
    one ^= one >>> 15;
    two = Math.imul(two ^ word, PRIME_B);
    two ^= two >>> 13;
  }
  for (let at = words.byteLength; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, PRIME_A);
    two = Math.imul(two ^ byte, PRIME_B);
  }
  return combine(one ^ bytes.byteLength, two);
}

/** Views bytes as words of 32 bits, without the last three at most. Words must begin at a multiple of four. */
function toWords(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

/** Hashes a text to an integer of 53 bits. */
export function hashText(text: string, seed = 0): number {
  let one = Math.imul(seed ^ 0x9747b28c, PRIME_B);
  let two = Math.imul(seed ^ 0x3c6ef372, PRIME_A);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, PRIME_A);
    one ^= one >>> 15;
    two = Math.imul(two ^ code, PRIME_B);
  }
  return combine(one ^ text.length, two);
}

function combine(one: number, two: number): number {
  const high = finish(one) & 0x1fffff;
  return high * 0x1_0000_0000 + (finish(two) >>> 0);
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
