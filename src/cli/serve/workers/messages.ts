/** The messages between the primary process and its workers. Those of one worker keep their order. */

import type { Config } from '../../../../generated/option-types.d.ts';
import type { StoreMessage, StoreRequest } from '../../../cache/stores/process-store.ts';
import type { SiteOptions } from '../../../gateway/index.ts';
import type { GatewayFigures, SiteObservations } from '../../../gateway/process-figures.ts';
import type { SnapshotSource } from '../../../gateway/snapshot/discover-snapshot.ts';
import type { IncomingRequestHead } from '../../../http/request-head.ts';
import type { RunningServer } from '../../../node/index.ts';

/** A site's snapshot, for a worker. */
export interface SiteSnapshot {
  readonly mount: string;
  readonly source: SnapshotSource;
}

/** What a worker is started with. The settings are those with which the primary process was started. */
export interface WorkerStart {
  /** Number of the worker, which its successor has too. */
  readonly number: number;
  /** Number of workers. */
  readonly count: number;
  readonly config: Config;
  readonly sites: readonly SiteOptions[];
  readonly snapshots: readonly SiteSnapshot[];
  /** Slots of each site, by its mount. */
  readonly slots: ReadonlyMap<string, number>;
  /** Identifies the worker to the gateways that share a store in Redis. */
  readonly gatewayId: string;
  /** What the gateway has observed so far. */
  readonly observed: readonly SiteObservations[];
}

/** Where a worker listens. All listen at the same addresses. */
export type ServerUrls = Pick<RunningServer, 'url' | 'redirectUrl'>;

/** A request below `/-/`. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  readonly head: IncomingRequestHead;
}

/** The head of the response to a {@link ForwardedRequest}. */
export interface ForwardedHead {
  /** Of the response, by which its body is read. */
  readonly id: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly hasBody: boolean;
}

/** What one process asks of another, and what the other replies. */
interface Question<Content, Reply> {
  readonly content: Content;
  readonly reply: Reply;
}

type Questions<Kinds> = { readonly [Kind in keyof Kinds]: Question<unknown, unknown> };

export interface WorkerCalls {
  /** Adds to a shared count. See `SharedCounts`. */
  readonly count: Question<
    { readonly key: string; readonly amount: number; readonly window: number },
    { readonly count: number; readonly remaining: number }
  >;
  readonly request: Question<ForwardedRequest, ForwardedHead>;
  /** Asks for the next part of the body of a response; `null`: its end. */
  readonly read: Question<number, Uint8Array | null>;
}

export interface PrimaryCalls {
  /** A snapshot to be used from now on. */
  readonly snapshot: Question<SiteSnapshot, void>;
  /** Asks for the figures. */
  readonly report: Question<void, void>;
}

/** A question with an id, by which it is replied to. */
type Call<Calls extends Questions<Calls>> = {
  readonly [Kind in keyof Calls]: Pick<Calls[Kind], 'content'> & { readonly kind: Kind; readonly id: number };
}[keyof Calls];

interface Reply {
  readonly kind: 'reply';
  readonly id: number;
  readonly value: unknown;
}

export type WorkerMessage =
  | Call<WorkerCalls>
  | Reply
  /** The process has begun, and waits for {@link WorkerStart}. */
  | { readonly kind: 'begun' }
  /** It has not hung while it started. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'listening'; readonly urls: ServerUrls }
  /** The worker cannot start. `isConfiguration`: because of a setting. */
  | { readonly kind: 'failed'; readonly message: string; readonly isConfiguration: boolean }
  /** Lines of the log. */
  | { readonly kind: 'log'; readonly text: string }
  | { readonly kind: 'store'; readonly request: StoreRequest }
  /** See `SlotPool`. */
  | { readonly kind: 'slots-wanted'; readonly mount: string }
  | { readonly kind: 'slots-returned'; readonly mount: string; readonly count: number }
  /** The body of the response with the id is not read to its end. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** What the worker has counted and observed since the last time. */
  | { readonly kind: 'figures'; readonly figures: GatewayFigures };

export type PrimaryMessage =
  | Call<PrimaryCalls>
  | Reply
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'store'; readonly message: StoreMessage }
  /** `count`: slots of the site that the worker gets; 0: none is free yet. */
  | { readonly kind: 'slots'; readonly mount: string; readonly count: number }
  | { readonly kind: 'slots-recalled'; readonly mount: string }
  /** What the other workers have observed. */
  | { readonly kind: 'observed'; readonly observed: readonly SiteObservations[] }
  /** Finish the requests that have arrived, and end. */
  | { readonly kind: 'stop' };

/**
 * One end of the channel between two processes. Sends the messages of one turn of the event loop together, in their order: each
 * call of the channel costs as much as ten messages.
 */
export class Channel<Message, Calls extends Questions<Calls>> {
  readonly #send: (messages: readonly unknown[]) => void;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #queue: unknown[] = [];
  #lastId = 0;

  constructor(send: (messages: readonly unknown[]) => void) {
    this.#send = send;
  }

  add(message: Message): void {
    this.#enqueue(message);
  }

  flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length > 0) this.#send(queue);
  }

  /** Asks the other process. */
  call<Kind extends keyof Calls>(kind: Kind, content: Calls[Kind]['content']): Promise<Calls[Kind]['reply']> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#enqueue({ kind, id, content });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  reply(id: number, value?: unknown): void {
    this.#enqueue({ kind: 'reply', id, value });
  }

  settle(id: number, value: unknown): void {
    this.#waiting.get(id)?.(value);
    this.#waiting.delete(id);
  }

  /** Settles all calls without a value: the other process has ended. */
  close(): void {
    for (const id of this.#waiting.keys()) this.settle(id, undefined);
  }

  #enqueue(message: unknown): void {
    if (this.#queue.push(message) === 1) setImmediate(() => this.flush());
  }
}
