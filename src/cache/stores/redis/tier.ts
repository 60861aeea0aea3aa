import { applySoftPurge, calculateCurrentAge } from '../../policy/index.ts';
import type { StoredResponse } from '../../store.ts';
import type { SharedTier, SharedTierEvents } from '../shared-tier.ts';
import { decodeStoredResponse, encodeStoredResponse } from './codec.ts';
import { RedisConnection } from './connection.ts';
import { acquireRedisLease } from './lease.ts';
import { keyMark, tagMark } from './purge-message.ts';
import { GET_RESPONSES, PUT_RESPONSE } from './scripts.ts';

export interface RedisTierOptions {
  /** `redis://user:password@host:port/db`, or `rediss://…` for TLS. */
  readonly url: string;
  /** Before each key and the channel. @default 'waygate:' */
  readonly prefix?: string;
  /** Milliseconds that Redis may take to answer, before it counts as gone. @default 250 */
  readonly timeout?: number;
  /** Milliseconds that memory is believed after the last word from Redis. @default 500 */
  readonly maxStaleness?: number;
  /** The largest body that is shared. @default 2 MiB */
  readonly maxEntryBytes?: number;
  /** How many answers a key may have (`Vary`). @default 64 */
  readonly maxVariants?: number;
  readonly clock: { now(): number; after(delay: number, task: () => void): () => void };
  readonly log: { info(facts: object, message: string): void; warn(facts: object, message: string): void };
  /** A new identifier each time: letters, digits and hyphens. */
  readonly random: () => string;
}

const MIB = 1024 * 1024;
/** Milliseconds between two questions for missed purges. */
const HEARTBEAT = 100;
/** What may be on its way to Redis at a time: what comes on top is not shared. */
const MOST_UNDERWAY = 32 * MIB;
/** Stale answers without a window are good for revalidation still; milliseconds. */
const LEAST_KEPT = 60_000;
/** How often a read is made again that a purge came across. */
const READS = 3;

/** The tier in Redis or Valkey, version 6 or later. Resolves when the first attempt to reach it is over. */
export async function connectRedisTier(
  options: RedisTierOptions,
  events: SharedTierEvents,
): Promise<SharedTier> {
  const {
    prefix = 'waygate:',
    timeout = 250,
    maxStaleness = 500,
    maxVariants = 64,
    clock,
    log,
    random,
  } = options;
  const maxEntryBytes = options.maxEntryBytes ?? 2 * MIB;
  const link = new RedisConnection({
    ...{ url: options.url, prefix, timeout, maxStaleness, heartbeat: HEARTBEAT, clock, log, random },
    onPurge: ({ selection, mode }) => events.onPurge(selection, mode),
    onMissedPurges: () => events.onMissedPurges(),
  });
  const { feed } = link;
  let underway = 0;
  await link.start();

  const read = async (key: string, take: (answers: readonly StoredResponse[]) => void): Promise<void> => {
    for (let attempt = 0; attempt < READS; attempt += 1) {
      const { stamp, session } = link;
      if (session === undefined || !link.readable) return;
      const sentAt = clock.now();
      const reply = await session.runScript(
        GET_RESPONSES,
        [...link.stateKeys, entryKey(key)],
        [session.runId],
      );
      const heard = feed.applyReply(reply, sentAt);
      // A purge that has become known since it was asked for may strike what was found.
      if (heard !== undefined && link.stamp === stamp) {
        return take(answersIn(heard.rest, feed.clockOffset, clock.now()));
      }
    }
  };

  const write = async (key: string, answer: StoredResponse): Promise<boolean> => {
    const { session } = link;
    const position = feed.positionBefore(answer.requestTime);
    if (session === undefined || position === undefined) return false;
    const frame = encodeStoredResponse(answer, feed.clockOffset);
    const sentAt = clock.now();
    const reply = await session.runScript(
      PUT_RESPONSE,
      [...link.stateKeys, entryKey(key)],
      [
        ...[
          session.runId,
          position.epoch,
          String(position.seq),
          String(answer.responseTime + feed.clockOffset),
        ],
        ...[String(keptFor(answer, sentAt)), String(maxVariants), answer.variant, frame],
        ...[keyMark(key), ...answer.tags.map(tagMark)],
      ],
    );
    const [kept] = feed.applyReply(reply, sentAt)?.rest ?? [];
    return kept !== undefined && new TextDecoder().decode(kept) === '1';
  };

  const entryKey = (key: string): string => `${prefix}answers:${key}`;

  return {
    get isCurrent() {
      return link.current;
    },

    get isReadable() {
      return link.readable;
    },

    get: (key, take) => read(key, take).catch(() => {}),

    async put(key, answer) {
      const size = answer.body.byteLength;
      if (size > maxEntryBytes || underway + size > MOST_UNDERWAY) return false;
      underway += size;
      try {
        return await write(key, answer);
      } catch {
        return false;
      } finally {
        underway -= size;
      }
    },

    purge: (selection, mode) => link.purge({ selection, mode }),

    lease: (key, milliseconds) =>
      acquireRedisLease({
        session: link.session,
        name: `${prefix}lease:${key}`,
        token: random(),
        milliseconds,
        clock,
      }),

    close: () => link.close(),
  };
}

/** Milliseconds for which an answer is good for anything. */
function keptFor(answer: StoredResponse, now: number): number {
  const windows = Math.max(answer.staleWhileRevalidate, answer.staleIfError);
  const left = (answer.lifetime + windows - calculateCurrentAge(answer, now)) * 1000;
  // A lifetime of 2^31 seconds is allowed (RFC 9111 §1.2.2), Redis counts further.
  return Math.round(Math.max(LEAST_KEPT, Number.isFinite(left) ? left : LEAST_KEPT));
}

/** Pairs of a soft purge's mark and a frame. */
function answersIn(parts: readonly Uint8Array[], offset: number, now: number): readonly StoredResponse[] {
  const answers: StoredResponse[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [soft, frame] = [parts[at], parts[at + 1]];
    const answer = frame === undefined ? undefined : decodeStoredResponse(frame, offset);
    if (answer === undefined) continue;
    answers.push(soft?.[0] === SOFT ? applySoftPurge(answer, now) : answer);
  }
  return answers.sort((left, right) => right.responseTime - left.responseTime);
}

const SOFT = '1'.charCodeAt(0);
