import { DependencyLearning } from '../../cache/dependencies/dependency-learning.ts';
import { getInvalidatedUris } from '../../cache/policy/index.ts';
import type { ResourceMap } from '../../cache/wordpress/resource-map.ts';
import type { SiteCacheOptions } from '../options/site-options.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type InvalidatingWrite, listPageWrites, listRouteWrites, READING_METHODS } from './invalidation.ts';
import { isWritingRead } from './page-writes.ts';
import { isDiscovered } from './resource-resolver.ts';
import type { WriteOutcome } from './write-observer.ts';

/** Observations without a counter-example after which a kind of read is kept. */
const DEFAULT_OBSERVATIONS = 200;

/** Whether the site may still be running a write: there was no response, or its own server has given up waiting. */
export function isUnfinished(status: number | null): boolean {
  return status === null || status === 502 || status === 504;
}

/** Whether a request may change something at the site. */
export function mayWrite(snapshot: Snapshot, resolved: RouteRequest | PageRequest, method: string): boolean {
  if (!READING_METHODS.has(method)) return true;
  if (resolved.kind !== 'page' || !isDiscovered(snapshot)) return false;
  return isWritingRead(resolved.target.path, resolved.target.query);
}

/** Creates the learning of one site; `null` if it is turned off. */
export function createLearning(
  { learn = true }: SiteCacheOptions,
  onContradiction: () => void,
): DependencyLearning | null {
  if (learn === false) return null;
  const { observations = DEFAULT_OBSERVATIONS } = learn === true ? {} : learn;
  return new DependencyLearning({ observations, onContradiction });
}

export function listWrites(
  resolved: RouteRequest | PageRequest,
  outcome: WriteOutcome,
  method: string,
  resources: ResourceMap,
): readonly InvalidatingWrite[] {
  return resolved.kind === 'route'
    ? listRouteWrites(resolved, outcome, resources)
    : listPageWrites(resolved, outcome, method, resources);
}

/**
 * Lists the addresses, without origin, that a response to an unsafe request invalidates (RFC 9111 §4.4). Without response
 * the request may have succeeded.
 */
export function listInvalidatedAddresses(
  { headers, status }: WriteOutcome,
  uri: string,
  method: string,
): readonly string[] {
  const { origin } = new URL(uri);
  return getInvalidatedUris(method, uri, { status: status ?? 200, headers }).map((address) =>
    address.slice(origin.length),
  );
}
