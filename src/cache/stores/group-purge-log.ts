import type { GroupPurge, ResponseGroup } from '../store.ts';

interface LoggedGroup {
  /** Time of the last purge. */
  readonly time: number;
  /** For each kind that the last purge excepted, the time of the last purge that did not. */
  readonly exceptedKinds: ReadonlyMap<string, number>;
}

/** Maximum groups in the log. A site has two. */
const MAX_GROUPS = 10_000;

/** The times of past purges of groups, in bounded memory: only the exceptions of a group's last purge are recorded. */
export class GroupPurgeLog {
  readonly #groups = new Map<string, LoggedGroup>();

  /** Whether the log is full, so that all that was stored before must count as purged. */
  get isFull(): boolean {
    return this.#groups.size > MAX_GROUPS;
  }

  record({ exceptKinds, name }: GroupPurge, time: number): void {
    const previous = this.#groups.get(name);
    const exceptedKinds = new Map(
      exceptKinds.map((kind) => [kind, previous === undefined ? NEVER : lastPurge(previous, kind)]),
    );
    this.#groups.set(name, { time, exceptedKinds });
  }

  clear(): void {
    this.#groups.clear();
  }

  /** Returns the time of the last purge of a kind of read. */
  getLastPurge({ name, readKind }: ResponseGroup): number {
    const group = this.#groups.get(name);
    return group === undefined ? NEVER : lastPurge(group, readKind);
  }
}

const NEVER = Number.NEGATIVE_INFINITY;

function lastPurge({ exceptedKinds, time }: LoggedGroup, kind: string): number {
  return exceptedKinds.get(kind) ?? time;
}
