/** The messages between the primary process and its workers. Those of one worker keep their order. */
import type { StoreMessage, StoreRequest } from '../../../cache/stores/process-store.ts';
import type { SiteOptions } from '../../../gateway/index.ts';
import type { GatewayFigures, SiteObservations } from '../../../gateway/process-figures.ts';
import type { SnapshotSource } from '../../../gateway/snapshot/discover-snapshot.ts';
import type { IncomingRequestHead } from '../../../http/request-head.ts';
import type { RunningServer } from '../../../node/index.ts';
import type { Config } from '../../../option-types.ts';

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
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly hasBody: boolean;
}

export type WorkerMessage =
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
  /** Adds to a shared count. See `SharedCounts`. */
  | {
      readonly kind: 'count';
      readonly id: number;
      readonly key: string;
      readonly amount: number;
      readonly window: number;
    }
  /** See `SlotPool`. */
  | { readonly kind: 'slots-wanted'; readonly mount: string }
  | { readonly kind: 'slots-returned'; readonly mount: string; readonly count: number }
  | { readonly kind: 'snapshot-used'; readonly id: number }
  | { readonly kind: 'request'; readonly id: number; readonly request: ForwardedRequest }
  /** Asks for the next part of the body of a response. */
  | { readonly kind: 'read'; readonly id: number }
  | { readonly kind: 'cancel'; readonly id: number }
  /** What the worker has counted and observed since the last time. `id`: of the request for it, if there was one. */
  | { readonly kind: 'figures'; readonly id: number | null; readonly figures: GatewayFigures };

export type PrimaryMessage =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'store'; readonly message: StoreMessage }
  | { readonly kind: 'snapshot'; readonly id: number; readonly snapshot: SiteSnapshot }
  | { readonly kind: 'counted'; readonly id: number; readonly count: number; readonly remaining: number }
  /** `count`: slots of the site that the worker gets; 0: none is free yet. */
  | { readonly kind: 'slots'; readonly mount: string; readonly count: number }
  | { readonly kind: 'slots-recalled'; readonly mount: string }
  | { readonly kind: 'head'; readonly id: number; readonly head: ForwardedHead }
  /** A part of a body; `null`: its end. */
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array | null }
  /** Asks for the figures. */
  | { readonly kind: 'report'; readonly id: number }
  /** What the other workers have observed. */
  | { readonly kind: 'observed'; readonly observed: readonly SiteObservations[] }
  /** Finish the requests that have arrived, and end. */
  | { readonly kind: 'stop' };

/** Sends the messages of one turn of the event loop together, in their order: each call of the channel costs as much as ten messages. */
export class MessageQueue<Message> {
  readonly #send: (messages: readonly Message[]) => void;
  #queue: Message[] = [];

  constructor(send: (messages: readonly Message[]) => void) {
    this.#send = send;
  }

  add(message: Message): void {
    if (this.#queue.push(message) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length > 0) this.#send(queue);
  }
}
