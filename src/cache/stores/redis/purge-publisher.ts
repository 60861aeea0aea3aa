import { ErrorReply } from '@redis/client';
import type { PurgeSelection } from '../../store.ts';
import { purgeKeysForSelection } from '../purge-log.ts';
import { listGroups, listTagsOrKeys, type PurgeOperation } from './codec.ts';
import type { InvalidationFeed } from './invalidation-feed.ts';
import type { RedisKeys } from './keys.ts';
import { encodePurgeMessage } from './purge-message.ts';
import { RECORD_PURGE } from './scripts.ts';
import type { RedisSession } from './session.ts';

/** More unpublished purges than this are replaced by one purge of everything. */
const MAX_PENDING_PURGES = 1000;
/** So are unpublished purges that select more tags and keys than this. */
const MAX_PENDING_NAMES = 20_000;

export interface PurgePublisherOptions {
  readonly instanceId: string;
  readonly keys: RedisKeys;
  readonly feed: InvalidationFeed;
  readonly now: () => number;
}

/** Publishes this instance's purges to the others, and keeps those that could not be published yet. */
export class PurgePublisher {
  readonly #options: PurgePublisherOptions;
  #pending: PurgeOperation[] = [];
  #pendingNameCount = 0;
  #purgeCount = 0;

  constructor(options: PurgePublisherOptions) {
    this.#options = options;
  }

  /** Number of purges of this instance, published or not. */
  get purgeCount(): number {
    return this.#purgeCount;
  }

  /** Whether a purge of this instance is not published yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Adds a purge that is to be published. */
  add(purge: PurgeOperation): void {
    this.#purgeCount += 1;
    this.#pending.push(purge);
    this.#pendingNameCount += countNames(purge);
    if (this.#pending.length <= MAX_PENDING_PURGES && this.#pendingNameCount <= MAX_PENDING_NAMES) return;
    this.#pending = [{ selection: { kind: 'all' }, mode: 'hard' }];
    this.#pendingNameCount = 0;
  }

  /** Records a purge in Redis and publishes it to the other instances. Rejects when the command fails. */
  async publish(session: RedisSession, purge: PurgeOperation): Promise<void> {
    const { feed, instanceId, keys, now } = this.#options;
    const { mode, selection } = purge;
    const message = encodePurgeMessage(instanceId, purge);
    const sentAt = now();
    try {
      const reply = await session.runScript(
        RECORD_PURGE,
        [...keys.purgeStateKeys, keys.purgeChannel],
        [session.runId, mode === 'hard' ? 'h' : 's', message, ...encodeSelection(selection)],
      );
      feed.applyReply(reply, sentAt);
      this.#remove(purge);
    } catch (cause) {
      // A server that is out of memory records no purge but can still delete: a new epoch discards all responses.
      if (cause instanceof ErrorReply) await feed.startEpoch(session).catch(() => {});
      throw cause;
    }
  }

  /** Publishes the pending purges in their order. */
  async publishPending(session: RedisSession): Promise<void> {
    for (const purge of [...this.#pending]) await this.publish(session, purge);
  }

  #remove(purge: PurgeOperation): void {
    const index = this.#pending.indexOf(purge);
    // A purge of everything may have replaced it.
    if (index === -1) return;
    this.#pending.splice(index, 1);
    this.#pendingNameCount -= countNames(purge);
  }
}

function countNames({ selection }: PurgeOperation): number {
  const groups = listGroups(selection);
  return groups.reduce((sum, { exceptKinds }) => sum + exceptKinds.length, listTagsOrKeys(selection).length);
}

/** Encodes a selection as the arguments of {@link RECORD_PURGE}. */
function encodeSelection(selection: PurgeSelection): readonly string[] {
  if (selection.kind === 'all') return ['-1'];
  const purgeKeys = purgeKeysForSelection(selection);
  const groups = listGroups(selection).flatMap(({ exceptKinds, name }) => [
    name,
    String(exceptKinds.length),
    ...exceptKinds,
  ]);
  return [String(purgeKeys.length), ...purgeKeys, ...groups];
}
