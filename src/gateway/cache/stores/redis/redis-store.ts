import { randomUUID } from 'node:crypto';
import { applyPurge } from '../../policy/freshness.ts';
import { calculateCurrentAge } from '../../policy/reuse.ts';
import type {
  CacheStore,
  CompressedResponse,
  Lookup,
  PurgeMode,
  PurgeSelection,
  PutResult,
  StoredResponse,
  StoreMark,
  StoreReport,
} from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import {
  decodeStoredResponse,
  encodeMetadata,
  RedisConnection,
  type RedisSession,
  type RedisStoreOptions,
  toPurgedName,
} from './connection.ts';
import { LOOK_UP, STORE } from './scripts.ts';
import { DEFAULT_PREFIX } from './servers.ts';

/** Milliseconds: a stale response can still be revalidated. */
const MIN_EXPIRY = 60_000;
const NOTHING: Lookup = { responses: [], mark: null };
type Found = ReadonlyMap<string, Lookup>;

/** Redis or Valkey, version 6 or later. Each lookup asks the server, which mostly confirms the memory. */
export class RedisStore implements CacheStore {
  readonly isShared = true;
  readonly #options: RedisStoreOptions;
  readonly #memory: MemoryStore;
  readonly #prefix: string;
  readonly #connection: RedisConnection;
  #batch: { readonly keys: Set<string>; readonly found: Promise<Found> } | undefined;

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

  async get(key: string): Promise<Lookup> {
    const { session } = this.#connection;
    if (session !== undefined) {
      this.#batch ??= this.#startBatch(session);
      this.#batch.keys.add(key);
    }
    const found = (await this.#batch?.found)?.get(key);
    // What this gateway has stored while the reply was under way is newer.
    return found === undefined ? NOTHING : { ...found, responses: this.#memory.get(key).responses };
  }

  #startBatch(session: RedisSession): { readonly keys: Set<string>; readonly found: Promise<Found> } {
    const keys = new Set<string>();
    const found = new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
      this.#batch = undefined;
      return this.#lookUp(session, [...keys]).catch(() => new Map());
    });
    return { keys, found };
  }

  /** Asks again for what Redis has and the memory does not, key by key: a reply is bounded. */
  async #lookUp(session: RedisSession, keys: readonly string[]): Promise<Found> {
    const connection = this.#connection;
    const revisions = keys.map((key) => revisionOf(this.#memory.get(key).responses));
    const found = new Map<string, Lookup>();
    let differing: readonly string[] = [];
    const use = ([changed]: readonly unknown[]): true => {
      const [only = ''] = keys;
      if (Array.isArray(changed) && keys.length === 1) this.#memory.replaceAll(only, this.#decode(changed));
      else if (Array.isArray(changed)) differing = keys.filter((_, at) => changed.includes(at));
      const mark = `${connection.generation} ${connection.seq}`;
      for (const key of keys) found.set(key, { responses: this.#memory.get(key).responses, mark });
      return true;
    };
    const redisKeys = keys.map((key) => this.#responsesKey(key));
    while ((await connection.run(session, LOOK_UP, redisKeys, revisions, use)) === null);
    const others = await Promise.all(differing.map((key) => this.#lookUp(session, [key])));
    for (const other of others) for (const [key, lookup] of other) found.set(key, lookup);
    return found;
  }

  #decode(found: readonly unknown[]): readonly StoredResponse[] {
    const responses: StoredResponse[] = [];
    for (let at = 0; at + 2 < found.length; at += 3) {
      const [mode, metadata, body] = found.slice(at, at + 3);
      if (!(metadata instanceof Uint8Array) || !(body instanceof Uint8Array)) continue;
      const response = decodeStoredResponse(metadata, body);
      const remaining = response && String(mode) === 'u' ? applyPurge(response, 'unconfirmed') : response;
      if (remaining !== null) responses.push(remaining);
    }
    return responses.sort((one, other) => other.responseTime - one.responseTime);
  }

  async put(key: string, response: StoredResponse, mark: StoreMark): Promise<PutResult> {
    const connection = this.#connection;
    const { session, generation } = connection;
    const [markGeneration, seq = ''] = String(mark).split(' ');
    if (session === undefined || markGeneration !== generation || this.#memory.hasLater(key, response))
      return 'outdated';
    const names = [key, ...response.tags].map(toPurgedName);
    const known = revisionOf(this.#memory.get(key).responses);
    const revision = randomUUID();
    const stored = { ...response, tags: names.slice(1), revision };
    const { buffer, byteLength, byteOffset } = response.body;
    const values = [
      ...[seq, revision, response.variantKey, String(expiryOf(response, this.#options.clock.now()))],
      encodeMetadata(stored),
      Buffer.from(buffer, byteOffset, byteLength),
      ...names,
    ];
    const result = await connection
      .run(session, STORE, [this.#responsesKey(key)], values, (reply): PutResult => {
        const [outcome, before] = reply.map(String);
        if (outcome === 'refused') connection.noteFull(before ?? '');
        if (outcome !== 'stored') return outcome === 'outdated' ? 'outdated' : 'unstored';
        // Another gateway stored what this one lacks: the next lookup gets all of it.
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

  report(): StoreReport {
    const { emptied, losses, remedy, state } = this.#connection;
    return { ...this.#memory.report(), shared: { state, losses, remedy, emptied } };
  }

  #responsesKey(key: string): string {
    return `${this.#prefix}responses:${key}`;
  }
}

function revisionOf([newest]: readonly StoredResponse[]): string {
  return newest === undefined ? '' : (newest.revision ?? 'unknown');
}

function expiryOf(response: StoredResponse, now: number): number {
  const { staleIfError, staleIfUnreachable, staleWhileRevalidate } = response;
  const staleWindow = Math.max(staleWhileRevalidate, staleIfError, staleIfUnreachable);
  const left = (response.freshnessLifetime + staleWindow - calculateCurrentAge(response, now)) * 1000;
  return Math.round(Math.max(MIN_EXPIRY, left));
}
