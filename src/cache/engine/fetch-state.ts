import type { BufferedResponse } from './buffered-response.ts';

/**
 * The state of a collapsed fetch (`OriginFetch`).
 *
 * - `pending`: waits for the lease of the key, or for the head of the response.
 * - `buffering`: the response may be shared, and is collected for followers and the store. The leader gets each chunk too.
 * - `streaming`: the response is only for the leader.
 * - `storing`: the response is complete, and the store decides whether it is current.
 * - `finished`: all clients have been served, retried or failed.
 *
 *     pending ──► buffering ──► storing ──► finished
 *        │            │                        ▲
 *        │            ▼                        │
 *        ├───────► streaming ──────────────────┤
 *        └─────────────────────────────────────┘
 *
 * While the slot is open, requests with the same collapse key become followers. "Retry" serves a client again,
 * beginning with the lookup; "retry alone" also keeps it from following another fetch.
 *
 * | state      | event                                 | next      | leader           | followers         | slot    |
 * |------------|---------------------------------------|-----------|------------------|-------------------|---------|
 * | pending    | another gateway stored a response     | finished  | retry            | retry             | closes  |
 * | pending    | 304, validators match                 | storing   | stored response  | wait              | open    |
 * | pending    | 304, validators match, not storable   | finished  | updated response | retry alone       | closes  |
 * | pending    | 304, validators do not match          | finished  | retry alone      | retry alone       | closes  |
 * | pending    | error status, stale-if-error          | (below) ¹ | stale response   | stale response    | open    |
 * | pending    | head, shareable                       | buffering | head ⁷           | wait or retry ²   | open ²  |
 * | pending    | head, only for the leader             | streaming | head             | retry alone       | closes ³|
 * | buffering  | chunk                                 | buffering | chunk            | wait              | open    |
 * | buffering  | chunk beyond `maxEntryBytes`          | streaming | chunk            | retry alone       | closes ³|
 * | buffering  | end                                   | storing   | end              | wait              | open    |
 * | buffering  | end, body differs from Content-Length | finished  | end              | retry alone       | closes  |
 * | storing    | stored, or shared without storing     | finished  |                  | complete response | closes  |
 * | storing    | the store refuses it ⁴                | finished  |                  | retry             | closes  |
 * | streaming  | end                                   | finished  | end              |                   | closed  |
 * | pending, buffering, streaming | failure            | finished  | stale or failure | stale or failure ⁵| closes  |
 * | pending, buffering, storing | collapse timeout     | same      | same             | retry alone       | closes  |
 * | pending, buffering, streaming | last client aborts | finished ⁶|                  |                   | closes  |
 *
 * 1. Clients that may not get the stale response get the error: the head is then handled as in the rows below. The
 *    fetch finishes if there are none.
 * 2. Followers of another variant, or with other conditions where these matter, retry; the slot is narrowed to the
 *    variant or closed.
 * 3. Later requests with the key are not collapsed for a while (hit-for-pass), except after an error status.
 * 4. A purge came after the request was sent, so the response may be outdated.
 * 5. Followers retry where the leader's own request caused the failure.
 * 6. Except a response in `buffering` that will be stored, and a pending background refresh: they continue.
 * 7. The head of a storable response is sent after the bytes that arrived with it. If that is all of the response,
 *    `Cache-Status` tells whether it was stored; if the exchange fails before, the row of `pending` applies.
 */
export type FetchState =
  | {
      readonly kind: 'pending' | 'streaming' | 'storing' | 'finished';
      /** Whether further events of the upstream exchange are ignored. */
      readonly isExchangeOver: boolean;
    }
  | BufferedResponse;

export const PENDING_STATE: FetchState = { kind: 'pending', isExchangeOver: false };
export const STREAMING_STATE: FetchState = { kind: 'streaming', isExchangeOver: false };
export const STORING_STATE: FetchState = { kind: 'storing', isExchangeOver: true };
export const FINISHED_STATE: FetchState = { kind: 'finished', isExchangeOver: true };
