import { type ContentCoding, preferredCodings } from './accept-encoding.ts';
import { compressedHeaders, identityHeaders, isCompressible } from './compressible.ts';
import type { CacheStore, CompressedResponse, StoredResponse } from './store.ts';

/** Turns bodies into a coding; what the platform has (`node/codecs.ts`). */
export interface Codec {
  readonly coding: ContentCoding;
  encode(body: Uint8Array): Promise<Uint8Array>;
}

/** What goes out for a stored answer. */
export interface SelectedRepresentation {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

export interface Compressor {
  /**
   * The answer in the coding that the caller likes best among those at hand. What it would have liked better is made in
   * the background and kept beside the answer for the next one.
   *
   * @param acceptEncoding all of the request's fields of that name, joined; undefined where it must be the plain body:
   * a range is asked for, or `no-transform`
   */
  select(key: string, answer: StoredResponse, acceptEncoding: string | undefined): SelectedRepresentation;
  /** Resolves when nothing is being made. */
  idle(): Promise<void>;
}

export interface CompressorOptions {
  readonly store: CacheStore;
  readonly codecs: readonly Codec[];
}

/** Wishes that wait; the next request will wish again. */
const MAX_QUEUED = 64;
/** Spellings of `Accept-Encoding` that are remembered; browsers and libraries know a dozen. */
const MOST_SPELLINGS = 256;
/** What is saved must be worth the bytes that are kept. */
const WORTHWHILE = 0.9;

/** What there is to know of an answer, found out once. */
interface Facts {
  readonly plain: SelectedRepresentation;
  readonly codable: boolean;
  /** Codings that are being made, or that bring nothing. */
  readonly settled: Set<ContentCoding>;
}

/** Chooses among an answer's codings, and makes those that are missing, one at a time. */
export function createCompressor({ store, codecs }: CompressorOptions): Compressor {
  const offered = codecs.map(({ coding }) => coding);
  const known = new WeakMap<StoredResponse, Facts>();
  const spellings = new Map<string, readonly ContentCoding[]>();
  const waiting: (() => Promise<void>)[] = [];
  let working: Promise<void> | undefined;

  const factsOf = (answer: StoredResponse): Facts => {
    let facts = known.get(answer);
    if (facts === undefined) {
      const codable = offered.length > 0 && store.attachCompressed !== undefined && isCompressible(answer);
      const plain = codable ? { headers: identityHeaders(answer.headers), body: answer.body } : answer;
      facts = { plain, codable, settled: new Set() };
      known.set(answer, facts);
    }
    return facts;
  };

  const preferred = (field: string): readonly ContentCoding[] => {
    let codings = spellings.get(field);
    if (codings === undefined) {
      codings = preferredCodings(field, offered);
      if (spellings.size >= MOST_SPELLINGS) spellings.clear();
      spellings.set(field, codings);
    }
    return codings;
  };

  const make = async (key: string, answer: StoredResponse, coding: ContentCoding): Promise<void> => {
    const codec = codecs.find((each) => each.coding === coding);
    // What cannot be coded stays as it is: the plain body is an answer.
    const body = await codec?.encode(answer.body).catch(() => undefined);
    if (body === undefined || body.byteLength > answer.body.byteLength * WORTHWHILE) return;
    const headers = compressedHeaders(answer.headers, coding, body.byteLength);
    store.attachCompressed?.(key, answer, coding, { sourceHeaders: answer.headers, headers, body });
  };

  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    working = undefined;
  };

  /** One that is there under other headers: a 304 has brought new ones. */
  const renewed = (
    key: string,
    answer: StoredResponse,
    coding: ContentCoding,
    { body }: CompressedResponse,
  ): CompressedResponse => {
    const headers = compressedHeaders(answer.headers, coding, body.byteLength);
    const rendition = { sourceHeaders: answer.headers, headers, body };
    store.attachCompressed?.(key, answer, coding, rendition);
    return rendition;
  };

  return {
    select(key, answer, acceptEncoding) {
      const { plain, codable, settled } = factsOf(answer);
      if (!codable || acceptEncoding === undefined) return plain;
      for (const coding of preferred(acceptEncoding)) {
        const rendition = answer.compressed?.get(coding);
        if (rendition !== undefined) {
          return rendition.sourceHeaders === answer.headers
            ? rendition
            : renewed(key, answer, coding, rendition);
        }
        if (settled.has(coding) || waiting.length >= MAX_QUEUED) continue;
        settled.add(coding);
        waiting.push(() => make(key, answer, coding));
        working ??= work();
        break;
      }
      return plain;
    },

    idle: async () => await working,
  };
}
