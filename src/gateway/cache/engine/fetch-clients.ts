import type { CacheStatus } from '../../../base/http/cache-status.ts';
import type { UpstreamFailure } from '../../../base/http/exchange.ts';
import type { OriginFailure } from '../policy/reuse.ts';
import type { StoredResponse } from '../store.ts';
import { type ClientExchange, LeaderStream } from './client-exchange.ts';
import type { FetchMode } from './fetch-plan.ts';

/** What {@link FetchClients} needs of the cache. */
export interface ClientServer {
  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void;
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus & { readonly detail: string },
    failure: OriginFailure,
  ): boolean;
  retry(client: ClientExchange, mode: FetchMode): void;
}

interface FetchEvents {
  onDrain(): void;
  /** A client has left. */
  onAbort(): void;
}

/** The clients of one fetch, each of which leaves it once: served, retried or failed. */
export class FetchClients {
  /** Gets the response while it arrives. */
  leader: LeaderStream | undefined;
  readonly #followers = new Set<ClientExchange>();
  /** Without the store: clients that came after the request was sent. They wait for the next fetch. */
  readonly #later = new Set<ClientExchange>();
  readonly #server: ClientServer;
  readonly #events: FetchEvents;

  constructor(server: ClientServer, events: FetchEvents) {
    this.#server = server;
    this.#events = events;
  }

  get isEmpty(): boolean {
    return this.leader === undefined && this.#followers.size === 0;
  }

  lead(client: ClientExchange): void {
    const onAbort = (): void => {
      this.leader = undefined;
      this.#events.onAbort();
    };
    this.leader = new LeaderStream(client, { onDrain: this.#events.onDrain, onAbort });
    client.setSource(this.leader);
  }

  follow(client: ClientExchange): void {
    this.#wait(this.#followers, client);
  }

  waitForNext(client: ClientExchange): void {
    this.#wait(this.#later, client);
  }

  #wait(clients: Set<ClientExchange>, client: ClientExchange): void {
    clients.add(client);
    const abort = (): void => {
      if (clients.delete(client)) this.#events.onAbort();
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

  /** Serves clients again, beginning with the lookup. */
  retry(clients: readonly ClientExchange[], mode: FetchMode): void {
    for (const client of clients) client.attempt(() => this.#server.retry(client, mode));
  }

  retryLater(): void {
    const later = [...this.#later];
    this.#later.clear();
    this.retry(later, 'shared');
  }

  serve(clients: readonly ClientExchange[], stored: StoredResponse, status: CacheStatus): void {
    for (const client of clients) client.attempt(() => this.#server.serveStored(client, stored, status));
  }

  /** Sends clients the stored response of their own lookup, if they accept that, and removes them. */
  serveStale(status: CacheStatus & { readonly detail: string }, failure: OriginFailure): void {
    const serve = (client: ClientExchange, clientStatus: typeof status): boolean =>
      client.storedResponse !== undefined &&
      this.#server.serveStaleOnFailure(client, client.storedResponse, clientStatus, failure);
    if (this.leader?.started === false && serve(this.leader.client, status)) this.leader = undefined;
    const collapsed = status.hit === true ? status : { ...status, collapsed: true };
    for (const client of [...this.#followers]) {
      // Serving one follower can have made another abort.
      if (this.#followers.has(client) && serve(client, collapsed)) this.#followers.delete(client);
    }
  }

  failAll(ofLeader: UpstreamFailure, ofFollowers: UpstreamFailure = ofLeader): void {
    const followers = this.takeFollowers();
    this.leader?.fail(ofLeader);
    for (const client of followers) client.sink.fail(ofFollowers);
  }
}
