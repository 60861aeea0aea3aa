import { type CacheStatus, formatCacheStatus, formatFailureStatus } from '../../http/cache-status.ts';
import type { Exchange, ResponseHead, UpstreamFailure, UpstreamFailureKind } from '../../http/exchange.ts';
import { isNotModified, type OriginFailure } from '../policy/reuse.ts';
import type { StoredResponse } from '../store.ts';
import type { BodyBuffer } from './body-buffer.ts';
import type { ClientExchange, EngineContext, FetchMode } from './fetch-plan.ts';
import type { BufferedResponse } from './fetched-response.ts';

const NO_CLIENTS: readonly ClientExchange[] = [];
const NO_BODY = new Uint8Array(0);

/** Failures whose cause is the request of the leader. */
const CLIENT_FAILURES: ReadonlySet<UpstreamFailureKind> = new Set<UpstreamFailureKind>([
  'invalid-request',
  'body-length-mismatch',
  'client-gone',
]);

/** The fetch that {@link FetchClients} reports to. */
export interface FetchClientEvents {
  /** The leader has received all bytes and can take more. */
  onLeaderDrain(): void;
  /** The leader or a follower has aborted, and is removed. */
  onClientAbort(): void;
}

/** The clients of one fetch: a leader that gets the response while it arrives, and followers that wait for all of it. */
export class FetchClients implements LeaderEvents {
  readonly #context: EngineContext;
  readonly #events: FetchClientEvents;
  readonly #replacesConditions: boolean;
  #leader: LeaderStream | undefined;
  /** Created on the first follower, because most fetches have none. */
  #followers: Set<ClientExchange> | undefined;

  /** @param replacesConditions whether the origin gets conditions of the cache in place of those of the leader */
  constructor(context: EngineContext, events: FetchClientEvents, replacesConditions: boolean) {
    this.#context = context;
    this.#events = events;
    this.#replacesConditions = replacesConditions;
  }

  get leader(): LeaderStream | undefined {
    return this.#leader;
  }

  get isEmpty(): boolean {
    return this.#leader === undefined && (this.#followers === undefined || this.#followers.size === 0);
  }

  setLeader(client: ClientExchange): void {
    this.#leader = new LeaderStream(client, this);
    client.setSource(this.#leader);
  }

  addFollower(client: ClientExchange): void {
    const followers = this.#followers ?? new Set();
    this.#followers = followers;
    followers.add(client);
    client.setSource({
      resume() {},
      abort: () => {
        if (followers.delete(client)) this.#events.onClientAbort();
      },
    });
  }

  /** Removes and returns the leader. The fetch must then serve it. */
  takeLeader(): ClientExchange | undefined {
    const client = this.#leader?.client;
    this.#leader = undefined;
    return client;
  }

  /** Removes and returns the matching followers. The fetch must then serve them. */
  takeFollowers(matches: (client: ClientExchange) => boolean = () => true): readonly ClientExchange[] {
    const followers = this.#followers;
    if (followers === undefined || followers.size === 0) return NO_CLIENTS;
    const taken = [...followers].filter(matches);
    for (const client of taken) followers.delete(client);
    return taken;
  }

  /** Removes and returns all clients. The leader must not have the head yet. */
  takeAll(): readonly ClientExchange[] {
    const leader = this.takeLeader();
    return leader === undefined ? this.takeFollowers() : [leader, ...this.takeFollowers()];
  }

  serve(clients: readonly ClientExchange[], stored: StoredResponse, status: CacheStatus): void {
    for (const client of clients) this.#context.serveStored(client, stored, status);
  }

  retry(clients: readonly ClientExchange[], mode: FetchMode): void {
    for (const client of clients) this.#context.retry(client, mode);
  }

  /**
   * Sends the head to the leader. A leader whose conditions match the response gets a 304 and is removed, if the cache has
   * replaced these conditions by its own. Has no effect if the leader has the head.
   */
  startLeader({ body, draft, head }: BufferedResponse, status: CacheStatus): void {
    const leader = this.#leader;
    if (leader === undefined || leader.started) return;
    const { client } = leader;
    const isReplaced = draft !== undefined && this.#replacesConditions;
    if (isReplaced && isNotModified(draft, client.directives, this.#context.clock.now())) {
      this.#leader = undefined;
      this.#context.serveStored(client, { ...draft, body: NO_BODY, tags: [], group: null }, status);
    } else {
      leader.start(head, status, body);
    }
  }

  /**
   * Sends a stale response to all clients whose directives allow it, and removes them. A leader that already has the
   * head of another response stays.
   *
   * @param status see {@link EngineContext.serveStaleOnFailure}
   */
  serveStaleOnFailure(stored: StoredResponse, status: CacheStatus, failure: OriginFailure): void {
    const leader = this.#leader;
    if (
      leader?.started === false &&
      this.#context.serveStaleOnFailure(leader.client, stored, status, failure)
    ) {
      this.#leader = undefined;
    }
    const followers = this.#followers;
    if (followers === undefined) return;
    const collapsed = status.hit === true ? status : { ...status, collapsed: true };
    for (const client of [...followers]) {
      // Serving one follower may have made another abort.
      if (followers.has(client) && this.#context.serveStaleOnFailure(client, stored, collapsed, failure)) {
        followers.delete(client);
      }
    }
  }

  /**
   * Fails the leader and the followers. If the leader's request caused the failure, the followers retry instead.
   *
   * @param status why the request was forwarded
   */
  fail(failure: UpstreamFailure, status: CacheStatus): void {
    const { kind } = failure;
    const followers = this.takeFollowers();
    this.#leader?.fail({ ...failure, cacheStatus: formatFailureStatus(status, kind) });
    if (CLIENT_FAILURES.has(kind)) {
      this.retry(followers, 'shared');
      return;
    }
    const cacheStatus = formatFailureStatus({ ...status, collapsed: true }, kind);
    for (const client of followers) client.sink.fail({ ...failure, cacheStatus });
  }

  onLeaderDrain(): void {
    this.#events.onLeaderDrain();
  }

  onLeaderAbort(): void {
    this.#leader = undefined;
    this.#events.onClientAbort();
  }
}

/** The fetch that a {@link LeaderStream} reports to. */
interface LeaderEvents {
  /** The leader has received all bytes and can take more. */
  onLeaderDrain(): void;
  onLeaderAbort(): void;
}

/**
 * Streams a response to the leader while it arrives. A slow leader is served from the buffer that is filled for the
 * followers, so that they need not wait for it. Without that buffer, the bytes that the origin has already sent are
 * queued, and the origin is paused.
 */
class LeaderStream implements Exchange {
  readonly client: ClientExchange;
  readonly #events: LeaderEvents;
  #buffer: BodyBuffer | undefined;
  #started = false;
  /** Number of bytes of the buffer that the leader has received. */
  #position = 0;
  readonly #queue: Uint8Array[] = [];
  #trailers: readonly string[] | undefined;
  #isFull = false;
  #isFlushing = false;
  #isFinished = false;

  constructor(client: ClientExchange, events: LeaderEvents) {
    this.client = client;
    this.#events = events;
  }

  /** Whether the leader has the head. */
  get started(): boolean {
    return this.#started;
  }

  interim(head: ResponseHead): void {
    this.client.sink.interim?.(head);
  }

  /**
   * Sends the head.
   *
   * @param buffer contains the body until {@link writeUnbuffered} is called; undefined if {@link write} gets the chunks
   */
  start({ headers, reason, status }: ResponseHead, cached: CacheStatus, buffer?: BodyBuffer): void {
    this.#started = true;
    this.#buffer = buffer;
    this.client.sink.head({
      status,
      reason,
      headers: [...headers, 'Cache-Status', formatCacheStatus(cached)],
    });
    this.flush();
  }

  /**
   * Writes a chunk for which the buffer has no space. {@link write} gets the chunks after it.
   *
   * @returns see {@link write}
   */
  writeUnbuffered(chunk: Uint8Array): boolean {
    const rest = this.#buffer?.bytesFrom(this.#position);
    this.#buffer = undefined;
    if (rest !== undefined && rest.byteLength > 0) this.#queue.push(rest);
    return this.write(chunk);
  }

  /** @returns false if the origin should pause until `onLeaderDrain` */
  write(chunk: Uint8Array): boolean {
    this.#queue.push(chunk);
    this.flush();
    return !this.#isFull;
  }

  end(trailers: readonly string[]): void {
    this.#trailers = trailers;
    this.flush();
  }

  fail(failure: UpstreamFailure): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.client.sink.fail(failure);
  }

  resume(): void {
    this.#isFull = false;
    this.flush();
    if (!this.#isFull && !this.#isFinished && !this.#isFlushing) this.#events.onLeaderDrain();
  }

  abort(): void {
    this.#isFinished = true;
    this.#events.onLeaderAbort();
  }

  /** Writes chunks of the buffer or the queue until the leader is full. Has no effect before the head. */
  flush(): void {
    // A sink may call `resume` from within `write`; the outer loop then continues.
    if (this.#isFlushing || !this.#started) return;
    this.#isFlushing = true;
    while (!this.#isFull && !this.#isFinished) {
      const chunk = this.#next();
      if (chunk === undefined) break;
      // Set before the call: the sink may already have called `resume` when `write` returns false.
      this.#isFull = true;
      if (this.client.sink.write(chunk)) this.#isFull = false;
    }
    this.#isFlushing = false;
    if (this.#isFull || this.#isFinished || this.#trailers === undefined) return;
    this.#isFinished = true;
    this.client.sink.end(this.#trailers);
  }

  #next(): Uint8Array | undefined {
    if (this.#buffer === undefined) return this.#queue.shift();
    const chunk = this.#buffer.bytesFrom(this.#position);
    this.#position += chunk.byteLength;
    return chunk.byteLength === 0 ? undefined : chunk;
  }
}
