/** The messages between the primary process and its workers. Those of one worker keep their order. */
import type { Inventory, PurgePreview } from '../../../cache/inventory.ts';
import type { PurgeSelection, StoredResponse } from '../../../cache/store.ts';
import type { PurgeReply, StorePurge } from '../../../cache/stores/worker-store.ts';
import type { SharedCounts } from '../../../gateway/options/gateway-options.ts';
import type { SnapshotSource } from '../../../gateway/snapshot/discover-snapshot.ts';
import type { SiteObservations, WorkerMetrics } from '../../../gateway/worker-metrics.ts';
import type { IncomingRequestHead } from '../../../http/exchange.ts';
import type { RunningServer } from '../../../node/index.ts';
import type { ReadConfig } from '../reload.ts';

export interface SiteSnapshot {
  readonly mount: string;
  readonly source: SnapshotSource;
}

/** What a worker is started with. The settings are those of the primary process. */
export interface WorkerStart extends ReadConfig {
  /** Number of the worker, which its successor has too. */
  readonly number: number;
  readonly snapshots: readonly SiteSnapshot[];
  /** Identifies the worker to the gateways that share a store in Redis. */
  readonly gatewayId: string;
  /** What the gateway has observed so far. */
  readonly observed: readonly SiteObservations[];
}

/** Other settings for a worker that serves. */
export interface WorkerReload extends ReadConfig {
  /** The snapshots of the sites that are new or have other settings, and what the gateway knows of them. */
  readonly snapshots: readonly SiteSnapshot[];
  readonly observed: readonly SiteObservations[];
}

/** Where a worker listens. All listen at the same addresses. */
export type ServerUrls = Pick<RunningServer, 'url' | 'redirectUrl'>;

export interface StartFailure {
  readonly message: string;
  readonly isConfiguration: boolean;
}

export type ForwardedFields = readonly (readonly [name: string, value: string])[];

/** A request below `/-/`. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ForwardedFields;
  readonly body: Uint8Array | null;
  readonly head: IncomingRequestHead;
}

export interface ForwardedResponse {
  readonly status: number;
  readonly headers: ForwardedFields;
  readonly content: Uint8Array | null;
}

interface Exchange<Content, Reply = void> {
  readonly content: Content;
  readonly reply: Reply;
}

type Exchanges<Kinds> = { readonly [Kind in keyof Kinds]: Exchange<unknown, unknown> };

/** What a worker sends. */
export interface WorkerExchanges {
  /** The process has begun, and waits for `start`. */
  readonly begun: Exchange<null>;
  /** What the worker has counted and observed since the last report; `null` while it starts. The reply renews its lease. */
  readonly report: Exchange<WorkerMetrics | null>;
  readonly log: Exchange<string>;
  /** Runs a purge in the other workers. */
  readonly purge: Exchange<StorePurge, PurgeReply>;
  /** Adds to a shared count. See `SharedCounts`. */
  readonly count: Exchange<
    { readonly key: string; readonly amount: number; readonly window: number },
    Awaited<ReturnType<SharedCounts['add']>>
  >;
  readonly request: Exchange<ForwardedRequest, ForwardedResponse>;
}

/** What the primary process sends. */
export interface PrimaryExchanges {
  /** The reply is sent when the worker listens, or cannot. */
  readonly start: Exchange<WorkerStart, ServerUrls | StartFailure>;
  /** The reply says whether the worker can serve so; `null` if it can. It goes on as before until `use`. */
  readonly prepare: Exchange<WorkerReload, StartFailure | null>;
  /** Serve as prepared from now on, or forget it. */
  readonly use: Exchange<boolean>;
  readonly snapshot: Exchange<SiteSnapshot>;
  readonly purge: Exchange<StorePurge, PurgeReply>;
  readonly observed: Exchange<readonly SiteObservations[]>;
  /** See `StoreReader`. */
  readonly inventory: Exchange<string, Inventory | null>;
  readonly preview: Exchange<PurgeSelection, PurgePreview | null>;
  readonly find: Exchange<string, readonly StoredResponse[]>;
  /** Report now. The reply follows the report. */
  readonly report: Exchange<null>;
  /** Finish the requests that have arrived, and end. */
  readonly stop: Exchange<null>;
  /** Cut off all requests; the reply is their number. */
  readonly cutOff: Exchange<null, number>;
}

/** A message with an id has a reply. */
type Question<Kinds extends Exchanges<Kinds>, Kind extends keyof Kinds = keyof Kinds> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    readonly content: Kinds[Each]['content'];
    readonly id?: number;
  };
}[Kind];

interface Reply {
  readonly kind: 'reply';
  readonly id: number;
  readonly value: unknown;
}

export type Message<Kinds extends Exchanges<Kinds>> = Question<Kinds> | Reply;

export type Handlers<Kinds extends Exchanges<Kinds>> = {
  readonly [Kind in keyof Kinds]: (
    content: Kinds[Kind]['content'],
  ) => Kinds[Kind]['reply'] | Promise<Kinds[Kind]['reply']>;
};

/**
 * One end of the channel between two processes. Sends the messages of one turn of the event loop together, in their order: each
 * call of the channel costs as much as ten messages.
 */
export class Channel<Sent extends Exchanges<Sent>, Received extends Exchanges<Received>> {
  readonly #send: (messages: readonly unknown[]) => void;
  readonly #handlers: Handlers<Received>;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #queue: unknown[] = [];
  #lastId = 0;

  constructor(
    send: (messages: readonly unknown[]) => void,
    handlers: Handlers<Received>,
    onError: (error: unknown) => void,
  ) {
    this.#send = send;
    this.#handlers = handlers;
    this.#onError = onError;
  }

  receive(messages: readonly Message<Received>[]): void {
    for (const message of messages) {
      if (isReply(message)) this.#settle(message.id, message.value);
      else void this.#handle(message);
    }
  }

  /** Sends a message without reply. */
  add<Kind extends keyof Sent>(kind: Kind, content: Sent[Kind]['content']): void {
    this.#enqueue({ kind, content });
  }

  /** Sends a message. Resolves with the reply; with `undefined` when the other process has failed or ended. */
  call<Kind extends keyof Sent>(
    kind: Kind,
    content: Sent[Kind]['content'],
  ): Promise<Sent[Kind]['reply'] | undefined> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#enqueue({ kind, id, content });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length > 0) this.#send(queue);
  }

  /** The other process has ended. */
  close(): void {
    for (const id of this.#waiting.keys()) this.#settle(id, undefined);
  }

  async #handle<Kind extends keyof Received>({ content, id, kind }: Question<Received, Kind>): Promise<void> {
    let value: unknown;
    try {
      const result = this.#handlers[kind](content);
      value = result instanceof Promise ? await result : result;
    } catch (error) {
      this.#onError(error);
    }
    if (id !== undefined) this.#enqueue({ kind: 'reply', id, value });
  }

  #settle(id: number, value: unknown): void {
    this.#waiting.get(id)?.(value);
    this.#waiting.delete(id);
  }

  #enqueue(message: unknown): void {
    if (this.#queue.push(message) === 1) setImmediate(() => this.flush());
  }
}

function isReply<Kinds extends Exchanges<Kinds>>(message: Message<Kinds>): message is Reply {
  return message.kind === 'reply';
}
