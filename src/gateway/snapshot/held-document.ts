import { routeUrl } from '../../discovery/address.ts';
import { generateSamplePaths } from '../../discovery/sample-paths.ts';
import type { SiteAddress } from '../../discovery/site.ts';
import { readAll } from '../../http/web-streams.ts';
import { isJsonObject, parseJson } from '../../json.ts';
import type { VersionChanges } from './document-history.ts';
import type { Snapshot } from './snapshot.ts';

export interface HeldDocument {
  readonly snapshot: Snapshot;
  /** `large`: it lacks too much of the served one. `removals`: it lacks something (`holdRemovals`). `pinned`: it differs. */
  readonly reason: 'large' | 'removals' | 'pinned';
  readonly losses: DocumentLosses;
  readonly changes: VersionChanges;
  /** When it was discovered, in milliseconds since the epoch. */
  readonly since: number;
  /** When it is looked at again whether what it lacks is gone, in milliseconds since the epoch; `null` if only an operator decides. */
  reviewAt: number | null;
}

export interface DocumentLosses {
  /**
   * Whether it has less than half as many operations, at most two thirds if there were few, or lacks a namespace that has a quarter of
   * them.
   */
  readonly isLarge: boolean;
  /** Operations of the served document, and of the held one. */
  readonly served: number;
  readonly offered: number;
  /** Namespaces that the held document lacks, those with the most operations first. */
  readonly namespaces: readonly string[];
  readonly removedCount: number;
  /** The first operations that it lacks. */
  readonly removed: readonly RemovedOperation[];
  /** Paths of some of the missing routes, for {@link areRoutesGone}. */
  readonly samples: readonly string[];
}

export interface RemovedOperation {
  readonly method: string;
  readonly path: string;
  /** The site's route pattern. */
  readonly pattern: string;
  readonly namespace: string;
}

/** Milliseconds after which a document with a large loss is reviewed: whether its missing routes are gone. */
export const REVIEW_INTERVAL: number = 30 * 60_000;

/** Maximum operations and namespaces that are kept of what is missing. */
const MAX_LISTED = 200;

/** Operations up to which a document is small: each of its routes counts for much. */
const SMALL_DOCUMENT = 12;

/**
 * Compares a discovered document with the served one. A plugin that is switched off for a moment, a firewall and a failing update
 * make an index shorter as well as an operator does, so a large loss is not believed at once.
 */
export function findLosses(served: Snapshot | null, offered: Snapshot): DocumentLosses {
  const before = listOperations(served);
  const after = listOperations(offered);
  const namespaces = countByNamespace(before.values());
  const remaining = countByNamespace(after.values());
  const gone = [...namespaces]
    .filter(([name]) => name !== '' && !remaining.has(name))
    .sort(([, one], [, other]) => other - one);
  const isNamespaceLost = gone.some(([, count]) => count * 4 >= before.size);
  const isMuchLost =
    before.size > SMALL_DOCUMENT ? after.size * 2 < before.size : after.size * 3 <= before.size * 2;
  const removed = [...before].flatMap(([key, operation]) => (after.has(key) ? [] : [operation]));
  return {
    isLarge: isNamespaceLost || isMuchLost,
    served: served?.operationCount ?? 0,
    offered: offered.operationCount,
    namespaces: gone.map(([name]) => name).slice(0, MAX_LISTED),
    removedCount: removed.length,
    removed: removed.slice(0, MAX_LISTED),
    samples: selectSamples(removed),
  };
}

function listOperations(snapshot: Snapshot | null): ReadonlyMap<string, RemovedOperation> {
  const operations = new Map<string, RemovedOperation>();
  for (const { operation, route } of snapshot?.requestValidators?.listOperations() ?? []) {
    const { method, path } = operation;
    const { namespace, pattern } = route;
    operations.set(`${method} ${pattern}`, { method, path, pattern, namespace });
  }
  return operations;
}

function countByNamespace(operations: Iterable<RemovedOperation>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { namespace } of operations) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  return counts;
}

/** Maximum missing routes that are requested of each namespace, and of all together. */
const MAX_SAMPLES_PER_NAMESPACE = 3;
const MAX_SAMPLES = 12;

/** Selects paths of missing routes that `GET` is documented for, of as many namespaces as possible. */
function selectSamples(removed: readonly RemovedOperation[]): readonly string[] {
  const byNamespace = new Map<string, string[]>();
  // Routes without parameters first: their address is certain.
  const ordered = removed
    .filter(({ method }) => method === 'GET')
    .sort((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')));
  for (const { namespace, pattern } of ordered) {
    const paths = byNamespace.get(namespace) ?? [];
    const [path] = paths.length < MAX_SAMPLES_PER_NAMESPACE ? generateSamplePaths(pattern) : [];
    if (path !== undefined) byNamespace.set(namespace, [...paths, path]);
  }
  const rounds = Array.from({ length: MAX_SAMPLES_PER_NAMESPACE }, (_, round) =>
    [...byNamespace.values()].flatMap((paths) => paths.slice(round, round + 1)),
  );
  return rounds.flat().slice(0, MAX_SAMPLES);
}

/** Milliseconds. */
const SAMPLE_TIMEOUT = 10_000;
/** Bytes of a response that are read. The error of WordPress has a hundred. */
const MAX_ERROR_LENGTH = 16_384;

/**
 * Asks a site whether routes that its index no longer lists are gone: each of a sample must respond with `rest_no_route`.
 *
 * Only documented operations with the method `GET` are requested, which is safe (RFC 9110 §9.2.1), and without credentials of any
 * client. WordPress responds with `rest_no_route` before any callback runs. A route of another method would respond with
 * the same to `GET` although it exists, so it proves nothing.
 *
 * @param fetch of the site's discovery
 */
export async function areRoutesGone(
  { samples }: DocumentLosses,
  address: SiteAddress,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<boolean> {
  if (samples.length === 0) return false;
  for (const path of samples) {
    const response = await fetch(routeUrl(address, path), {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(SAMPLE_TIMEOUT)]),
    });
    if (!(await isNoRoute(response))) return false;
  }
  return true;
}

async function isNoRoute(response: Response): Promise<boolean> {
  const { body, status } = response;
  if (status !== 404 || body === null) {
    await body?.cancel();
    return false;
  }
  const bytes = await readAll(body, MAX_ERROR_LENGTH);
  const error = bytes === null ? undefined : parseJson(bytes);
  return isJsonObject(error) && error['code'] === 'rest_no_route';
}
