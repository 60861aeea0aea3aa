import type { CacheStatus } from '../../http/cache-status.ts';
import type { UpstreamFailureKind } from '../../http/exchange.ts';
import { formatUnreachableDetail, isStaleIfErrorStatus, STALE_DETAILS } from '../policy/index.ts';
import type { EngineContext } from './engine-context.ts';
import type { FetchClients } from './fetch-clients.ts';
import type { FetchSpec } from './fetch-spec.ts';
import { startRefreshBackoff } from './stored-updates.ts';

/** Failures of an exchange, before the head of a response, that show that the origin cannot be reached. */
const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'timeout',
  'refused',
  'dns',
  'tls',
  'connection-broken',
  'circuit-open',
]);

/**
 * Serves the stored response to the clients that may get it in place of an error status of the origin.
 *
 * @returns whether no client is left
 */
export function serveStaleOnErrorStatus(
  spec: FetchSpec,
  context: EngineContext,
  clients: FetchClients,
  originStatus: number,
): boolean {
  if (spec.storedResponse === undefined || !isStaleIfErrorStatus(originStatus)) return false;
  const status = { fwd: spec.forwardReason, fwdStatus: originStatus, detail: STALE_DETAILS.ifError };
  clients.serveStaleOnFailure(spec.storedResponse, status, 'error');
  startRefreshBackoff(spec, context);
  return clients.isEmpty;
}

/**
 * Serves the stored response to the clients that may get it after the exchange with the origin has failed.
 *
 * @param hasHead whether the origin has sent the head of a response
 */
export function serveStaleOnBrokenExchange(
  spec: FetchSpec,
  context: EngineContext,
  clients: FetchClients,
  kind: UpstreamFailureKind,
  hasHead: boolean,
): void {
  startRefreshBackoff(spec, context);
  if (spec.storedResponse === undefined) return;
  const isUnreachable = !hasHead && UNREACHABLE_KINDS.has(kind);
  const detail = isUnreachable ? formatUnreachableDetail(kind) : STALE_DETAILS.ifError;
  // RFC 9211 §2.1: with an open circuit the request was not forwarded, so it is a hit.
  const status: CacheStatus =
    kind === 'circuit-open' ? { hit: true, detail } : { fwd: spec.forwardReason, detail };
  clients.serveStaleOnFailure(spec.storedResponse, status, isUnreachable ? 'unreachable' : 'error');
}
