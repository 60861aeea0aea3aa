import { BodyBuffer } from '../../../base/http/body.ts';
import type { CacheReason, CacheStatus } from '../../../base/http/cache-status.ts';
import {
  type Exchange,
  GuardedSink,
  NOT_SENT_KINDS,
  type ResponseHead,
  type ResponseSink,
  type UpstreamFailure,
  withFailure,
} from '../../../base/http/exchange.ts';
import type { UpstreamFailureKind } from '../../../base/http/network-errors.ts';
import type { Clock } from '../../../base/ports.ts';
import { isNotModified, type OriginFailure, type RequestDirectives } from '../policy/reuse.ts';
import type { StoredResponse } from '../store.ts';
import type { CacheRequest, FetchMode, FetchPlan, Upstream } from './fetch-plan.ts';

export class ClientExchange implements Exchange {
  readonly request: CacheRequest;
  readonly directives: RequestDirectives;
  readonly upstream: Upstream;
  readonly sink: ResponseSink;
  failedWaitCount = 0;
  storedResponse: StoredResponse | undefined;
  /** Followed after the request was sent, without the store, which knows writes through other gateways. */
  isLate = false;
  aborted = false;
  #source: Exchange | undefined;

  constructor(request: CacheRequest, directives: RequestDirectives, upstream: Upstream, sink: ResponseSink) {
    this.request = request;
    this.directives = directives;
    this.upstream = upstream;
    this.sink = new GuardedSink(sink);
  }

  setSource(source: Exchange): void {
    this.#source = source;
    if (this.aborted) source.abort();
  }

  /** An error is one client's failure, so other clients of the fetch go on. */
  attempt(step: () => void): void {
    try {
      step();
    } catch (cause) {
      this.sink.fail({ kind: 'internal', cause });
    }
  }

  resume(): void {
    this.#source?.resume();
  }

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.#source?.abort();
  }
}

export const FINISHED_EXCHANGE: Exchange = { resume() {}, abort() {} };

interface FetchEvents {
  onDrain(): void;
  onAbort(): void;
}

export class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #events: FetchEvents;
  started = false;
  #head: ResponseHead | undefined;
  #waiting: BodyBuffer | null = null;
  #queue: Uint8Array[] = [];
  #isEnded = false;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, events: FetchEvents) {
    this.client = client;
    this.#events = events;
  }

  start(head: ResponseHead, cached: CacheStatus, isHeld: boolean): void {
    this.#head = { ...head, cacheStatus: cached };
    if (!isHeld) this.#sendHead(this.#head);
  }

  #sendHead(head: ResponseHead): void {
    this.started = true;
    this.client.sink.head(head);
  }

  complete(head: ResponseHead, cached: CacheStatus, body: Uint8Array): void {
    this.client.sink.complete({ ...head, cacheStatus: cached }, body);
  }

  /** @returns false if the origin should pause until `onDrain`, or the chunks wait in memory */
  write(chunk: Uint8Array): boolean {
    this.#waiting ??= new BodyBuffer();
    this.#waiting.add(chunk);
    this.#flush();
    return !this.#isFull;
  }

  end(): void {
    this.#isEnded = true;
    this.#flush();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.client.sink.fail(failure);
  }

  resume(): void {
    this.#isFull = false;
    this.#flush();
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#events.onDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#events.onAbort();
  }

  #flush(): void {
    if (this.#isFlushing || this.#head === undefined) return;
    this.#isFlushing = true;
    if (!this.started) this.#sendHead(this.#head);
    while (!this.#isFull && !this.#isFinished) {
      if (this.#queue.length === 0) this.#queue = this.#waiting?.take() ?? [];
      const chunk = this.#queue.shift();
      if (chunk === undefined) break;
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || !this.#isEnded) return;
    this.#isFinished = true;
    this.client.sink.end();
  }
}

export interface ClientServer {
  readonly clock: Clock;
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus,
    reason: CacheReason,
    failure: OriginFailure,
  ): boolean;
  retry(client: ClientExchange, mode: FetchMode): void;
}

export class FetchClients {
  leader: LeaderStream | undefined;
  readonly #followers = new Set<ClientExchange>();
  readonly #server: ClientServer;
  readonly #plan: FetchPlan;
  readonly #events: FetchEvents;

  constructor(server: ClientServer, plan: FetchPlan, events: FetchEvents) {
    this.#server = server;
    this.#plan = plan;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.leader === undefined && this.#followers.size === 0;
  }

  lead(client: ClientExchange): void {
    this.leader = new LeaderStream(client, this);
    client.setSource(this.leader);
  }

  onDrain(): void {
    this.#events.onDrain();
  }

  onAbort(): void {
    this.leader = undefined;
    this.#events.onAbort();
  }

  follow(client: ClientExchange): void {
    this.#followers.add(client);
    const abort = (): void => {
      if (this.#followers.delete(client)) this.#events.onAbort();
    };
    client.setSource({ resume() {}, abort });
  }

  takeLeader(): ClientExchange | undefined {
    const client = this.leader?.client;
    this.leader = undefined;
    return client;
  }

  takeFollowers(matches: (client: ClientExchange) => boolean = () => true): readonly ClientExchange[] {
    const taken = [...this.#followers].filter(matches);
    for (const client of taken) this.#followers.delete(client);
    return taken;
  }

  takeAll(): readonly ClientExchange[] {
    const leader = this.takeLeader();
    return leader === undefined ? this.takeFollowers() : [leader, ...this.takeFollowers()];
  }

  retry(clients: readonly ClientExchange[], mode: FetchMode): void {
    for (const client of clients) client.attempt(() => this.#server.retry(client, mode));
  }

  serve(clients: readonly ClientExchange[], stored: StoredResponse, createStatus: () => CacheStatus): void {
    for (const client of clients)
      client.attempt(() => this.#server.serveStored(client, stored, createStatus()));
  }

  /** With a stored response, the head waits for the first byte: the origin can still fail. */
  startLeader(head: ResponseHead, status: CacheStatus): void {
    if (this.leader?.started === false)
      this.leader.start(head, status, this.#plan.storedResponse !== undefined);
  }

  completeLeader(
    head: ResponseHead,
    status: CacheStatus,
    stored: StoredResponse | null,
    bytes: Uint8Array,
  ): void {
    const { leader } = this;
    if (leader?.started !== false) return;
    this.leader = undefined;
    const { client } = leader;
    const addsKeys = this.#plan.request.policy.addsSurrogateKeys === true;
    const isServed =
      stored !== null && (addsKeys || isNotModified(stored, client.directives, this.#server.clock.now()));
    if (isServed) this.serve([client], stored, () => status);
    else leader.complete(head, status, bytes);
  }

  /** Serves and removes clients that accept a stale response. @param fwdStatus `null` if nothing was sent (RFC 9211 §2.1: that is a hit) */
  serveStale(reason: CacheReason, failure: OriginFailure, fwdStatus?: number | null): void {
    const forwarded = { fwd: this.#plan.forwardReason, ...(fwdStatus == null ? {} : { fwdStatus }) };
    const status: CacheStatus = fwdStatus === null ? { hit: true } : forwarded;
    const serve = (client: ClientExchange, clientStatus: CacheStatus): boolean =>
      client.storedResponse !== undefined &&
      this.#server.serveStaleOnFailure(client, client.storedResponse, clientStatus, reason, failure);
    if (this.leader?.started === false && serve(this.leader.client, status)) this.leader = undefined;
    const collapsed = fwdStatus === null ? status : { ...status, collapsed: true };
    for (const client of [...this.#followers]) {
      // Serving one follower can have made another abort.
      if (this.#followers.has(client) && serve(client, collapsed)) this.#followers.delete(client);
    }
  }

  /** Followers retry if the leader's request can have caused it. @param isPending whether there was no head */
  fail(failure: UpstreamFailure, isPending: boolean): void {
    const { kind } = failure;
    const isUnreachable = isPending && UNREACHABLE_KINDS.has(kind);
    const reason: CacheReason = isUnreachable ? { kind: 'unreachable', failure: kind } : STALE_IF_ERROR;
    const fwdStatus = NOT_SENT_KINDS.has(kind) ? null : undefined;
    this.serveStale(reason, isUnreachable ? 'unreachable' : 'error', fwdStatus);
    const { forwardDetail, forwardReason: fwd, way } = this.#plan;
    const isOfLeader = CLIENT_FAILURES.has(kind) || (way !== 'everyone' && OWN_REQUEST_FAILURES.has(kind));
    const followers = isOfLeader ? this.takeFollowers() : [];
    const status: CacheStatus = { fwd, detail: forwardDetail };
    const toFailure = (cacheStatus: CacheStatus): UpstreamFailure => ({
      ...failure,
      cacheStatus: withFailure(cacheStatus, kind),
    });
    this.failAll(toFailure(status), toFailure({ ...status, collapsed: true }));
    this.retry(followers, 'shared');
  }

  failAll(ofLeader: UpstreamFailure, ofFollowers: UpstreamFailure = ofLeader): void {
    const followers = this.takeFollowers();
    this.leader?.fail(ofLeader);
    for (const client of followers) client.sink.fail(ofFollowers);
  }
}

export const STALE_IF_ERROR: CacheReason = { kind: 'stale-if-error' };

const CLIENT_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['invalid-request', 'body-length-mismatch', 'client-gone'] as const),
]);

/** A firewall breaks the connection of a request as one client sent it. */
const OWN_REQUEST_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['connection-broken', 'head-too-large'] as const),
]);

const UNREACHABLE_KINDS: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  ...(['timeout', 'refused', 'dns', 'tls', 'connection-broken', 'head-too-large'] as const),
  ...NOT_SENT_KINDS,
]);
