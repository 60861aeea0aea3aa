import { LRUCache } from 'lru-cache';
import { applySoftPurge } from '../policy/index.ts';
import {
  type CompressedResponse,
  createStoredResponse,
  type MemoryStore,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
} from '../store.ts';
import { BufferPool, compactBytes } from './buffer-pool.ts';
import { PurgeLog } from './purge-log.ts';
import { estimateKeySize, estimateRenditionSize, estimateResponseSize } from './size-estimate.ts';
import { TagIndex } from './tag-index.ts';
import { TextPool } from './text-pool.ts';

export interface MemoryStoreOptions {
  /** All that the answers cost in memory, bookkeeping included. @default 256 MiB */
  readonly maxBytes?: number;
  /** The largest body that is kept. @default 8 MiB */
  readonly maxEntryBytes?: number;
  /** How many answers a key may have (`Vary`); the oldest goes. @default 64 */
  readonly maxVariants?: number;
  readonly clock: { now(): number };
}

const MIB = 1024 * 1024;
/** The share that is left to what is given up and what the collector has not taken yet. */
const RESERVE = 3 / 16;
/** The share of the whole that the answers of one key may take. */
const KEY_SHARE = 4;

/** An answer that keeps no memory alive but its own. */
interface OwnAnswer extends StoredResponse {
  tags: readonly string[];
}

/** The answers of a key. Changed in place where the order of use must not change with it. */
interface Slot {
  answers: readonly OwnAnswer[];
  readonly bytes: number;
  /** Whether anyone has been given one of them. */
  seen: boolean;
}

const NONE: readonly OwnAnswer[] = [];

/** Answers in the process's memory, least recently used ones given up first. */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock, maxBytes = 256 * MIB, maxVariants = 64 } = options;
  const maxEntryBytes = Math.min(options.maxEntryBytes ?? 8 * MIB, maxBytes);
  const room = Math.floor(maxBytes * (1 - RESERVE));
  const maxKeyBytes = Math.min(room, Math.max(maxEntryBytes, room / KEY_SHARE));
  const index = new TagIndex();
  const bodies = new BufferPool();
  const texts = new TextPool();
  const log = new PurgeLog();
  let entries = 0;

  const slots = new LRUCache<string, Slot>({
    maxSize: room,
    // Whatever the reason: given up, replaced or deleted.
    dispose({ answers, seen }, key, reason) {
      entries -= answers.length;
      for (const { body, tags } of answers) {
        index.remove(key, tags);
        // Where it was replaced, the other variants live on.
        if (reason === 'evict' && !seen) bodies.release(body);
      }
    },
  });

  /** Puts these answers in place of all that the key has: as many as there is room for, and always the first. */
  const keep = (key: string, answers: readonly OwnAnswer[]): void => {
    const kept: OwnAnswer[] = [];
    let bytes = estimateKeySize(key);
    for (const answer of answers) {
      const weight = estimateResponseSize(answer);
      if (kept.length > 0 && (kept.length === maxVariants || bytes + weight > maxKeyBytes)) break;
      kept.push(answer);
      bytes += weight;
    }
    const seen = slots.peek(key)?.seen ?? false;
    slots.set(key, { answers: kept, bytes, seen }, { size: bytes });
    entries += kept.length;
    // Not before: what was there until now is taken out of the index by then.
    for (const answer of kept) answer.tags = index.add(key, answer.tags);
  };

  const strike = (key: string, mode: PurgeMode, doomed: (answer: StoredResponse) => boolean): number => {
    const slot = slots.peek(key);
    if (slot === undefined) return 0;
    const struck = slot.answers.filter(doomed).length;
    if (mode === 'soft') {
      const now = clock.now();
      slot.answers = slot.answers.map((answer) => (doomed(answer) ? applySoftPurge(answer, now) : answer));
    } else if (struck === slot.answers.length) {
      slots.delete(key);
    } else if (struck > 0) {
      keep(
        key,
        slot.answers.filter((answer) => !doomed(answer)),
      );
    }
    return struck;
  };

  const putUnchecked = (key: string, answer: StoredResponse): boolean => {
    const known = slots.peek(key)?.answers ?? NONE;
    const replaced = known.find(({ variant }) => variant === answer.variant);
    const own = ownAnswer(answer, replaced);
    if (own.body.byteLength > maxEntryBytes || estimateKeySize(key) + estimateResponseSize(own) > room) {
      // The one before it is out of date all the same.
      if (replaced !== undefined) strike(key, 'hard', (other) => other === replaced);
      return false;
    }
    keep(key, [own, ...known.filter((other) => other !== replaced)]);
    return true;
  };

  const ownAnswer = (answer: StoredResponse, replaced: StoredResponse | undefined): OwnAnswer => {
    const headers = texts.intern(answer.headers);
    if (replaced?.body !== answer.body)
      return createStoredResponse(answer, headers, bodies.copy(answer.body), answer.tags);
    const own = createStoredResponse(answer, headers, answer.body, answer.tags);
    // A 304 changes the headers and leaves the body: what it was coded to is still right.
    return replaced.compressed === undefined ? own : { ...own, compressed: replaced.compressed };
  };

  return {
    get(key) {
      const slot = slots.get(key);
      if (slot === undefined) return NONE;
      slot.seen = true;
      return slot.answers;
    },

    put: (key, answer) =>
      !log.isPurgedSince(key, answer.tags, answer.requestTime) && putUnchecked(key, answer),

    putUnchecked,

    purge(selection, mode) {
      log.record(selection, clock.now());
      const tags = selection.kind === 'tags' ? new Set(selection.tags) : undefined;
      const doomed = (answer: StoredResponse) =>
        tags === undefined || answer.tags.some((tag) => tags.has(tag));
      let struck = 0;
      for (const key of keysOf(selection)) struck += strike(key, mode, doomed);
      return struck;
    },

    lease: () => FREE,

    attachCompressed(key, answer, coding, rendition) {
      const slot = slots.peek(key);
      const found = slot?.answers.find(({ body }) => body === answer.body);
      if (slot === undefined || found === undefined) return false;
      const replaced = found.compressed?.get(coding);
      const bytes =
        estimateRenditionSize(rendition) - (replaced === undefined ? 0 : estimateRenditionSize(replaced));
      if (slot.bytes + bytes > maxKeyBytes) return false;
      const own = { ...rendition, body: compactBytes(rendition.body) };
      const compressed = new Map<string, CompressedResponse>(found.compressed).set(coding, own);
      keep(
        key,
        slot.answers.map((other) => (other === found ? { ...found, compressed } : other)),
      );
      return true;
    },

    stats: () => ({ entries, bytes: slots.calculatedSize, maxBytes }),

    async close() {
      slots.clear();
    },
  };

  function keysOf(selection: PurgeSelection): Iterable<string> {
    if (selection.kind === 'all') return [...slots.keys()];
    if (selection.kind === 'keys') return new Set(selection.keys);
    const keys = new Set<string>();
    const common = new Map<string, Set<string>>();
    for (const tag of selection.tags) {
      const found = index.keysOf(tag);
      if (found === null) common.set(tag, new Set());
      else for (const key of found) keys.add(key);
    }
    if (common.size === 0) return keys;
    for (const [key, { answers }] of slots.entries()) {
      for (const { tags } of answers) for (const tag of tags) common.get(tag)?.add(key);
    }
    for (const [tag, found] of common) {
      index.setKeys(tag, found);
      for (const key of found) keys.add(key);
    }
    return keys;
  }
}

const FREE = { release(): void {} };
