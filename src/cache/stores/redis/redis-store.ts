import { randomUUID } from 'node:crypto';
import { applyPurge, calculateCurrentAge } from '../../policy/freshness.ts';
import type {
  Awaitable,
  CacheStore,
  CompressedResponse,
  Lease,
  Lookup,
  PurgeMode,
  PurgeSelection,
  PutResult,
  StoredResponse,
  StoreMark,
  StoreReport,
} from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import { decodeStoredResponse, encodeMetadata, toPurgedName } from './codec.ts';
import { RedisConnection, type RedisStoreOptions } from './connection.ts';
import { LOOK_UP, RELEASE_LEASE, STORE } from './scripts.ts';
import { DEFAULT_PREFIX } from './servers.ts';
import { type RedisSession, toReplyText } from './session.ts';

/** Milliseconds: a stale response can still be revalidated. */
const MIN_EXPIRY = 60_000;
/** All variants of one key, so that a lookup can read them within the deadline. */
const MAX_KEY_BYTES = 8 * 1024 * 1024;
/** Milliseconds: the holder might have crashed. */
const MAX_LEASE = 3_000;
const NOTHING: Lookup = { responses: [], mark: null };

/**
 * Stores responses in Redis or Valkey, version 6 or later. Each lookup asks Redis, which mostly only confirms
 * what is in memory. While it is unreachable the store finds nothing, unless `maxAway` allows to use the
 * memory.
 */
export class RedisStore implements CacheStore {
  readonly #options: RedisStoreOptions;
  readonly #memory: MemoryStore;
  readonly #prefix: string;
  readonly #connection: RedisConnection;
  /** Lookups that are not written to the connection yet, by key: all requests so far share one. */
  readonly #unsent = new Map<string, Promise<Lookup>>();

  constructor(options: RedisStoreOptions, memory: MemoryStore) {
    this.#options = options;
    this.#memory = memory;
    this.#prefix = options.servers.prefix ?? DEFAULT_PREFIX;
    this.#connection = new RedisConnection(options, this.#prefix, memory);
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await this.#memory.close();
  }

  get(key: string): Awaitable<Lookup> {
    const { session } = this.#connection;
    if (session === undefined) return this.#getWhileAway(key);
    let lookup = this.#unsent.get(key);
    if (lookup === undefined) {
      // The client of Redis writes at the end of this turn of the event loop.
      if (this.#unsent.size === 0) setImmediate(() => this.#unsent.clear());
      lookup = this.#lookUp(session, key).then(
        (found) => found ?? this.#lookUpAgain(key),
        () => this.#getWhileAway(key),
      );
      this.#unsent.set(key, lookup);
    }
    return lookup;
  }

  #getWhileAway(key: string): Lookup {
    return this.#connection.state === 'memory' ? { ...this.#memory.get(key) } : NOTHING;
  }

  async #lookUpAgain(key: string): Promise<Lookup> {
    const { session } = this.#connection;
    const found = session && (await this.#lookUp(session, key).catch(() => null));
    return found ?? this.#getWhileAway(key);
  }

  /** @returns `null` if another generation has begun */
  #lookUp(session: RedisSession, key: string): Promise<Lookup | null> {
    const connection = this.#connection;
    const { generation, seq } = connection;
    const { responses } = this.#memory.get(key);
    const revision = revisionOf(responses);
    return connection.run(session, LOOK_UP, this.#responsesKey(key), [revision], (reply) => {
      if (reply.length === 0 && connection.seq === seq) return { responses, mark: `${generation} ${seq}` };
      const [found] = reply;
      if (Array.isArray(found)) this.#memory.replaceAll(key, this.#decode(found));
      return { responses: this.#memory.get(key).responses, mark: `${generation} ${connection.seq}` };
    });
  }

  /** @returns newest first */
  #decode(found: readonly unknown[]): readonly StoredResponse[] {
    const now = this.#options.clock.now();
    const responses: StoredResponse[] = [];
    for (let at = 0; at + 3 < found.length; at += 4) {
      const [mode, elapsed, metadata, body] = found.slice(at, at + 4);
      if (!(metadata instanceof Uint8Array) || !(body instanceof Uint8Array)) continue;
      const response = decodeStoredResponse(metadata, body, now - Number(elapsed));
      const remaining =
        response && toReplyText(mode) === 'u' ? applyPurge(response, 'unconfirmed') : response;
      if (remaining !== null) responses.push(remaining);
    }
    return responses.sort((one, other) => other.responseTime - one.responseTime);
  }

  async put(key: string, response: StoredResponse, mark: StoreMark): Promise<PutResult> {
    const connection = this.#connection;
    const { session, generation } = connection;
    if (typeof mark === 'number')
      return connection.state === 'memory' ? this.#memory.put(key, response, mark) : 'outdated';
    const [markGeneration, seq = ''] = mark.split(' ');
    if (session === undefined || markGeneration !== generation || this.#memory.hasLater(key, response))
      return 'outdated';
    const names = [key, ...response.tags].map(toPurgedName);
    const known = revisionOf(this.#memory.get(key).responses);
    const revision = randomUUID();
    const now = this.#options.clock.now();
    const stored = { ...response, tags: names.slice(1), revision };
    const { buffer, byteLength, byteOffset } = response.body;
    const values = [
      ...[seq, revision, response.variantKey, String(expiryOf(response, now)), String(MAX_KEY_BYTES)],
      encodeMetadata(stored, now),
      Buffer.from(buffer, byteOffset, byteLength),
      ...names,
    ];
    const result = await connection
      .run(session, STORE, this.#responsesKey(key), values, (reply): PutResult => {
        const [outcome, before] = reply.map(toReplyText);
        if (outcome !== 'stored') return outcome === 'unstored' ? 'unstored' : 'outdated';
        // Another gateway has stored what this one lacks: the next lookup gets all of it.
        const isComplete = before === known;
        this.#memory.putUnchecked(key, isComplete ? stored : { ...stored, revision: undefined });
        return 'stored';
      })
      .catch(() => null);
    return result ?? 'outdated';
  }

  addForm(key: string, response: StoredResponse, coding: string, form: CompressedResponse): void {
    this.#memory.addForm(key, response, coding, form);
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    this.#memory.purge(selection, mode);
    return this.#connection.purge(selection, mode);
  }

  /** A gateway that cannot reach Redis gets each lease. */
  async acquireLease(key: string, maxDuration: number): Promise<Lease | null> {
    const { session } = this.#connection;
    const [leaseKey, token] = [`${this.#prefix}lease:${key}`, randomUUID()];
    const expiry = String(Math.min(MAX_LEASE, maxDuration));
    const reply = await session?.send(['SET', leaseKey, token, 'NX', 'PX', expiry]).catch(() => undefined);
    if (reply === null) return null;
    return { release: () => void session?.runScript(RELEASE_LEASE, [leaseKey], [token]).catch(() => {}) };
  }

  report(): StoreReport {
    const { losses, state } = this.#connection;
    return { ...this.#memory.report(), shared: { state, losses } };
  }

  #responsesKey(key: string): string {
    return `${this.#prefix}responses:${key}`;
  }
}

/** The revision that Redis must have if the memory has all of it. */
function revisionOf([newest]: readonly StoredResponse[]): string {
  return newest === undefined ? '' : (newest.revision ?? 'unknown');
}

/** Milliseconds after which a response can be neither served nor revalidated. */
function expiryOf(response: StoredResponse, now: number): number {
  const { staleIfError, staleIfUnreachable, staleWhileRevalidate } = response;
  const staleWindow = Math.max(staleWhileRevalidate, staleIfError, staleIfUnreachable);
  const left = (response.freshnessLifetime + staleWindow - calculateCurrentAge(response, now)) * 1000;
  return Math.round(Math.max(MIN_EXPIRY, left));
}
