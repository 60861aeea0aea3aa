import { memoizeByString } from '../memoize.ts';
import {
  type ContentCoding,
  listPreferredCodings,
  MAX_MEMOIZED_ACCEPT_ENCODINGS,
} from './accept-encoding.ts';
import { createCompressedHeaders, createIdentityHeaders, isCompressible } from './compression-rules.ts';
import type { CacheStore, CompressedResponse, StoredResponse } from './store.ts';

/** Compresses bodies to one content coding. The platform supplies the implementations (`node/platform.ts`). */
export interface ContentEncoder {
  readonly coding: ContentCoding;
  encode(body: Uint8Array): Promise<Uint8Array>;
}

/** Headers and body of a stored response in the content coding that a client gets (RFC 9110 §3.2). */
export interface SelectedRepresentation {
  readonly headers: readonly string[];
  readonly body: Uint8Array;
}

/** Selects and creates the compressed forms of stored responses. */
export interface Compressor {
  /**
   * Selects the best available coding for a client. If a better one is missing, it is created in the background for
   * later requests.
   *
   * @param acceptEncoding the `Accept-Encoding` of the request; undefined if the field is absent, or if the client must
   * get the identity body because of `Range` or `no-transform`
   */
  selectRepresentation(
    key: string,
    stored: StoredResponse,
    acceptEncoding: string | undefined,
  ): SelectedRepresentation;
  /** Resolves when no compression is running. */
  whenIdle(): Promise<void>;
}

export interface CompressorOptions {
  readonly store: CacheStore;
  readonly encoders: readonly ContentEncoder[];
}

/** Maximum queued compressions. Beyond that none is queued until the next request for the coding. */
const MAX_QUEUED = 64;
/** A compressed body must be smaller than this fraction of the identity body to be stored. */
const MAX_SIZE_RATIO = 0.9;

/** The state of the compressions of one stored response. */
interface CompressionState {
  readonly identity: SelectedRepresentation;
  readonly isCompressible: boolean;
  /** Codings whose compression has been queued. Its result may have been too large to store. */
  readonly attempted: Set<ContentCoding>;
}

/** Creates a compressor, which runs one compression at a time. */
export function createCompressor({ store, encoders }: CompressorOptions): Compressor {
  const offered = encoders.map(({ coding }) => coding);
  const states = new WeakMap<StoredResponse, CompressionState>();
  const queue: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;

  const getState = (stored: StoredResponse): CompressionState => {
    let state = states.get(stored);
    if (state === undefined) {
      const compressible =
        offered.length > 0 && store.attachCompressed !== undefined && isCompressible(stored);
      const identity = compressible
        ? { headers: createIdentityHeaders(stored.headers), body: stored.body }
        : stored;
      state = { identity, isCompressible: compressible, attempted: new Set() };
      states.set(stored, state);
    }
    return state;
  };

  const getPreferredCodings = memoizeByString(
    (acceptEncoding) => listPreferredCodings(acceptEncoding, offered),
    MAX_MEMOIZED_ACCEPT_ENCODINGS,
  );

  const compress = async (key: string, stored: StoredResponse, coding: ContentCoding): Promise<void> => {
    const encoder = encoders.find((each) => each.coding === coding);
    // If an encoder fails, clients continue to get the identity body.
    const body = await encoder?.encode(stored.body).catch(() => undefined);
    if (body === undefined || body.byteLength > stored.body.byteLength * MAX_SIZE_RATIO) return;
    attach(key, stored, coding, body);
  };

  const attach = (
    key: string,
    stored: StoredResponse,
    coding: ContentCoding,
    body: Uint8Array,
  ): CompressedResponse => {
    const headers = createCompressedHeaders(stored.headers, coding, body.byteLength);
    const compressed = { sourceHeaders: stored.headers, headers, body };
    store.attachCompressed?.(key, stored, coding, compressed);
    return compressed;
  };

  const runQueue = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
    running = undefined;
  };

  return {
    selectRepresentation(key, stored, acceptEncoding) {
      const state = getState(stored);
      if (!state.isCompressible || acceptEncoding === undefined) return state.identity;
      for (const coding of getPreferredCodings(acceptEncoding)) {
        const compressed = stored.compressed?.get(coding);
        if (compressed !== undefined) {
          // After a 304 the stored response has new headers.
          const isCurrent = compressed.sourceHeaders === stored.headers;
          return isCurrent ? compressed : attach(key, stored, coding, compressed.body);
        }
        if (state.attempted.has(coding) || queue.length >= MAX_QUEUED) continue;
        state.attempted.add(coding);
        queue.push(() => compress(key, stored, coding));
        running ??= runQueue();
        break;
      }
      return state.identity;
    },

    whenIdle: async () => await running,
  };
}
