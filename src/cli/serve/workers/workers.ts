import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Config } from '../../../../generated/option-types.d.ts';
import type { CacheStore } from '../../../cache/store.ts';
import { PrimaryStore, type StoreConnection } from '../../../cache/stores/process-store.ts';
import { EVERYTHING } from '../../../cache/wordpress/resource-map.ts';
import { ConfigurationError } from '../../../errors.ts';
import { type GatewayInternals, getGatewayInternals } from '../../../gateway/gateway.ts';
import type { Gateway, SiteOptions } from '../../../gateway/index.ts';
import {
  addFigures,
  type GatewayFigures,
  listObservations,
  type SiteObservations,
  takeObservations,
} from '../../../gateway/process-figures.ts';
import type { PrimaryRole, ProcessStatus, WorkerCount } from '../../../gateway/process-role.ts';
import { addEnded } from '../../../gateway/process-status.ts';
import { toSnapshotSource } from '../../../gateway/snapshot/discover-snapshot.ts';
import type { Snapshot } from '../../../gateway/snapshot/snapshot.ts';
import { WORKER_VARIABLE } from '../../io.ts';
import type { ServeLogs } from '../log.ts';
import { ProcessCounts } from './counts.ts';
import { RequestReceiver } from './forwarded-requests.ts';
import {
  Channel,
  type PrimaryCalls,
  type PrimaryMessage,
  type ServerUrls,
  type SiteSnapshot,
  type WorkerMessage,
} from './messages.ts';
import { SiteSlots, type SlotMessages } from './site-slots.ts';

export interface WorkersOptions {
  /** The settings of each worker. */
  readonly config: Config;
  readonly sites: readonly SiteOptions[];
  readonly count: number;
  /** The store of this process, which the workers share. */
  readonly store: 'off' | CacheStore;
  readonly logs: ServeLogs;
  /** Whether the workers listen on sockets that a supervisor has passed. */
  readonly hasActivatedSockets: boolean;
}

/** Milliseconds before a worker that has ended is replaced: none at first, and then doubled with each that ends early. */
const FIRST_DELAY = 500;
const MAX_DELAY = 30_000;
/** Milliseconds after which a worker has not ended early. */
const STABLE_AFTER = 30_000;
/** Milliseconds between two checks whether the workers still send messages. Each sends a report in this time. */
const CHECK_INTERVAL = 1_000;
/** Checks without a message after which a worker is replaced. */
const MAX_SILENT_CHECKS = 10;
/** Workers that may end before all listen, without an error of their own. */
const MAX_ENDS_AT_START = 3;
/** Milliseconds that the figures of all workers may take. */
const REPORT_TIMEOUT = 500;
/** Milliseconds that a worker may take longer to stop than its requests may. */
const STOP_MARGIN = 2_000;
/**
 * Milliseconds after which everything is purged again when a worker has ended: the site may still be running a write that the
 * worker had forwarded.
 */
const PURGE_DELAYS = [2_000, 10_000, 35_000];

/** The workers of the primary process. */
export class Workers implements PrimaryRole {
  readonly kind = 'primary';
  readonly #options: WorkersOptions;
  readonly #workers = new Set<WorkerProcess>();
  /** The last snapshot of each site, by its mount. */
  readonly #snapshots = new Map<string, SiteSnapshot>();
  /** What the workers know of it, by the mount of their site. */
  readonly #learned = new Map<string, string>();
  readonly #counts = new ProcessCounts(() => performance.now());
  #gateway: GatewayInternals | undefined;
  #adminHandler: Gateway['admin'] | undefined;
  #earlyEnds = 0;
  /** By mount. */
  readonly #slots = new Map<string, SiteSlots>();
  #isListening = false;
  #onListening = (): void => {};
  readonly #listening = new Promise<true>((resolve) => {
    this.#onListening = () => resolve(true);
  });
  #isStopping = false;
  /** The counters of the workers that have ended. */
  #ended: ProcessStatus | null = null;
  #collecting: Promise<void> | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /**
   * Starts the workers.
   *
   * @returns where they listen
   * @throws {ConfigurationError} when they cannot listen
   */
  async start(gateway: Gateway): Promise<ServerUrls> {
    this.#gateway = getGatewayInternals(gateway);
    this.#adminHandler = this.#gateway.context.publicAdminHandler;
    for (const [mount, { concurrency }] of this.#gateway.context.sites) {
      this.#slots.set(mount, new SiteSlots(concurrency.report().max, this.#options.count));
    }
    cluster.setupPrimary({ args: ['serve'], serialization: 'advanced' });
    // The primary process would drop the connections that it has accepted when the last worker stops. Those in a socket that another
    // process has too are accepted by that one.
    if (this.#options.hasActivatedSockets) cluster.schedulingPolicy = cluster.SCHED_NONE;
    // A worker that hangs would outlive this process.
    process.once('exit', () => this.#signalAll('SIGKILL'));
    const { count } = this.#options;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    const urls = await Promise.all(
      numbers.map(
        (number) =>
          new Promise<ServerUrls>((resolve, reject) => {
            this.#fork(number, { onListening: resolve, onFailure: reject });
          }),
      ),
    );
    this.#isListening = true;
    this.#onListening();
    for (const worker of this.#workers) {
      worker.onListening = null;
      worker.onFailure = null;
    }
    return urls[0] ?? { url: '' };
  }

  async waitUntilListening(): Promise<boolean> {
    return !this.#isListening && (await this.#listening);
  }

  async distribute(mount: string, snapshot: Snapshot): Promise<void> {
    const source = toSnapshotSource(snapshot);
    if (source === null) return;
    const sent: SiteSnapshot = { mount, source };
    this.#snapshots.set(mount, sent);
    await this.#ask('snapshot', sent);
  }

  collectFigures(): Promise<void> {
    this.#collecting ??= Promise.race([
      this.#ask('report', undefined),
      new Promise<void>((resolve) => setTimeout(resolve, REPORT_TIMEOUT).unref()),
    ]).finally(() => {
      this.#collecting = undefined;
    });
    return this.#collecting;
  }

  listStatuses(): readonly ProcessStatus[] {
    const running = Array.from(this.#workers, ({ status }) => status);
    return [this.#ended, ...running].filter((status) => status !== null);
  }

  countWorkers(): WorkerCount {
    const serving = [...this.#workers].filter(({ isListening }) => isListening).length;
    return { serving, all: this.#options.count };
  }

  /** Lets the workers finish their requests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const worker of this.#workers) worker.send({ kind: 'stop' });
    const late = setTimeout(
      () => this.#signalAll('SIGKILL'),
      this.#options.config.shutdownGrace + STOP_MARGIN,
    );
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
    clearTimeout(late);
  }

  /** Ends the workers at once. */
  async kill(): Promise<void> {
    this.#isStopping = true;
    this.#signalAll('SIGKILL');
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const worker of this.#workers) worker.signal(signal);
  }

  #fork(number: number, start: Partial<Pick<WorkerProcess, 'onFailure' | 'onListening'>> = {}): void {
    const worker = new WorkerProcess(number, cluster.fork({ [WORKER_VARIABLE]: String(number) }));
    Object.assign(worker, start);
    this.#workers.add(worker);
    worker.process.on('message', (messages: readonly WorkerMessage[]) => {
      for (const message of messages) this.#receive(worker, message);
    });
    void worker.ended.then((outcome) => this.#onEnd(worker, outcome));
  }

  #receive(worker: WorkerProcess, message: WorkerMessage): void {
    worker.silentChecks = 0;
    switch (message.kind) {
      case 'begun':
        this.#begin(worker);
        return;
      case 'starting':
        return;
      case 'listening':
        worker.isListening = true;
        worker.onListening?.(message.urls);
        if (worker.onListening === null)
          this.#options.logs.log.info({ worker: worker.number }, 'worker started');
        return;
      case 'failed':
        worker.failure = message;
        return;
      case 'log':
        this.#options.logs.writeLines(message.text);
        return;
      case 'store':
        worker.store?.receive(message.request);
        return;
      case 'count':
        worker.channel.reply(message.id, this.#counts.add(message.content));
        return;
      case 'slots-wanted':
        this.#slots.get(message.mount)?.ask(worker.getSlotMessages(message.mount));
        return;
      case 'slots-returned':
        this.#slots.get(message.mount)?.giveBack(worker.getSlotMessages(message.mount), message.count);
        return;
      case 'request':
        void worker.requests?.respond(message.content).then((head) => worker.channel.reply(message.id, head));
        return;
      case 'read':
        void worker.requests?.read(message.content).then((part) => worker.channel.reply(message.id, part));
        return;
      case 'cancel':
        void worker.requests?.cancel(message.id);
        return;
      case 'reply':
        worker.channel.settle(message.id, message.value);
        return;
      case 'figures':
        this.#addFigures(worker, message.figures);
        return;
    }
  }

  /** Sends a worker what it needs to serve. The order is that of the messages that follow. */
  #begin(worker: WorkerProcess): void {
    const { config, count, logs, sites, store } = this.#options;
    if (this.#gateway === undefined || this.#adminHandler === undefined) return;
    const { context } = this.#gateway;
    for (const [mount, { runtime }] of context.sites) {
      const source = runtime.snapshot === null ? null : toSnapshotSource(runtime.snapshot);
      if (source !== null && !this.#snapshots.has(mount)) this.#snapshots.set(mount, { mount, source });
    }
    for (const { caching } of context.sites.values()) caching?.addWorker(worker.process.id);
    const shared = store instanceof PrimaryStore ? store : null;
    worker.store = shared?.connect((message) => worker.send({ kind: 'store', message })) ?? null;
    worker.requests = new RequestReceiver(this.#adminHandler, logs.log);
    worker.send({
      kind: 'start',
      start: {
        number: worker.number,
        count,
        config,
        sites,
        gatewayId: worker.gatewayId,
        slots: new Map(
          Array.from(this.#slots, ([mount, slots]) => [mount, slots.add(worker.getSlotMessages(mount))]),
        ),
        snapshots: [...this.#snapshots.values()],
        observed: listObservations(context.sites),
      },
    });
    worker.hasBegun = true;
  }

  #addFigures(worker: WorkerProcess, figures: GatewayFigures): void {
    if (this.#gateway === undefined) return;
    const { context } = this.#gateway;
    worker.status = figures.status;
    addFigures({ sites: context.sites, responses: context.responses }, worker.process.id, figures);
    const observed = figures.sites.map(({ mount, validation: { evidence } }) => ({ mount, evidence }));
    this.#sendObservations(observed, worker);
    this.#sendLearned();
  }

  /** Sends what one process has observed to the workers except that one. */
  #sendObservations(observed: readonly SiteObservations[], origin: WorkerProcess | null): void {
    const known = observed.filter(
      ({ evidence, independent }) => evidence.length > 0 || independent !== undefined,
    );
    if (known.length === 0) return;
    for (const worker of this.#workers) {
      if (worker !== origin && worker.hasBegun) worker.send({ kind: 'observed', observed: known });
    }
  }

  /** Sends what this process has learned about dependencies and the versions of the documents, if they have changed. */
  #sendLearned(): void {
    const observed: SiteObservations[] = [];
    for (const [mount, { caching, loopProbe, runtime }] of this.#gateway?.context.sites ?? []) {
      const { count, versions } = runtime.history;
      const independent = caching?.listIndependent() ?? [];
      const { nonce: loopNonce } = loopProbe;
      const text = JSON.stringify([count, loopNonce, independent]);
      if (this.#learned.get(mount) === text) continue;
      this.#learned.set(mount, text);
      observed.push({ mount, evidence: [], independent, loopNonce, versions });
    }
    this.#sendObservations(observed, null);
  }

  /** Asks all workers. Resolves when each has replied or ended. */
  async #ask<Kind extends keyof PrimaryCalls>(
    kind: Kind,
    content: PrimaryCalls[Kind]['content'],
  ): Promise<void> {
    const asked = [...this.#workers].filter(({ hasBegun }) => hasBegun);
    await Promise.all(asked.map(({ channel }) => channel.call(kind, content)));
  }

  /** Sends what this process has observed itself, and replaces workers that hang. */
  #check(): void {
    if (this.#gateway !== undefined)
      this.#sendObservations(takeObservations(this.#gateway.context.sites), null);
    for (const worker of this.#workers) {
      if (worker.hasBegun) worker.silentChecks += 1;
      if (worker.silentChecks !== MAX_SILENT_CHECKS) continue;
      this.#options.logs.log.error({ worker: worker.number }, 'a worker hangs: it is ended');
      worker.signal('SIGKILL');
    }
  }

  #onEnd(worker: WorkerProcess, { code, signal }: WorkerOutcome): void {
    this.#workers.delete(worker);
    worker.store?.close();
    worker.requests?.close();
    for (const [mount, slots] of this.#slots) slots.remove(worker.getSlotMessages(mount));
    for (const { caching } of this.#gateway?.context.sites.values() ?? []) {
      caching?.removeWorker(worker.process.id);
    }
    worker.channel.close();
    if (worker.status !== null) this.#ended = addEnded(this.#ended, worker.status);
    if (this.#isStopping) return;
    const { failure, number } = worker;
    // One that has listened is no longer waited for.
    const { onFailure, onListening } = worker.isListening ? { onFailure: null, onListening: null } : worker;
    const isEarly = performance.now() - worker.startedAt < STABLE_AFTER;
    this.#earlyEnds = isEarly ? this.#earlyEnds + 1 : 0;
    if (onFailure !== null && (failure !== null || this.#earlyEnds > MAX_ENDS_AT_START)) {
      onFailure(describeFailure(worker, signal ?? `code ${code}`));
      return;
    }
    const { logs } = this.#options;
    this.#purgeAfter(worker);
    const delay = this.#earlyEnds <= 1 ? 0 : Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (this.#earlyEnds - 2));
    logs.log.error(
      { worker: number, code, signal, reason: failure?.message, replacedIn: delay },
      'a worker has ended: it is replaced',
    );
    setTimeout(() => {
      if (!this.#isStopping) this.#fork(number, { onFailure, onListening });
    }, delay);
  }

  /** Purges everything when a worker has ended that has served: its writes may have changed what is stored. */
  #purgeAfter({ gatewayId, isListening }: WorkerProcess): void {
    const { store } = this.#options;
    const { context, figures } = this.#gateway ?? {};
    if (store === 'off' || context === undefined) return;
    const purge = async (): Promise<void> => {
      await (store.invalidate?.({ kind: 'all' }, () => {}) ?? store.purge({ kind: 'all' }, 'hard'));
      // It may also have ended before it told others what it has purged.
      for (const { caching, runtime } of context.sites.values()) {
        const selection = runtime.snapshot && caching?.selectTags(runtime.snapshot, [EVERYTHING]);
        if (selection) figures?.notifier?.notify(selection, 'hard');
      }
    };
    void (isListening ? purge() : Promise.resolve()).then(() => store.forgetGateway?.(gatewayId));
    if (!isListening) return;
    for (const delay of PURGE_DELAYS) setTimeout(() => void purge(), delay).unref();
  }
}

/** Why a worker has ended before it listened. */
function describeFailure({ failure, number }: WorkerProcess, outcome: string): Error {
  if (failure !== null) {
    return failure.isConfiguration ? new ConfigurationError(failure.message) : new Error(failure.message);
  }
  return new ConfigurationError(
    `--workers: worker ${number} ended with ${outcome} before it listened, and so did those before. If the kernel has ended them for want of memory, fewer workers may do`,
  );
}

interface WorkerOutcome {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One worker, and what this process knows of it. */
class WorkerProcess {
  readonly number: number;
  readonly process: ClusterWorker;
  /** Identifies it to the gateways that share a store in Redis. */
  readonly gatewayId: string = randomUUID();
  readonly startedAt: number = performance.now();
  readonly ended: Promise<WorkerOutcome>;
  /** Called when it listens for the first time; `null` for one that replaces another. */
  onListening: ((urls: ServerUrls) => void) | null = null;
  /** Called when it ends before all workers listen; `null` from then on. */
  onFailure: ((error: Error) => void) | null = null;
  store: StoreConnection | null = null;
  requests: RequestReceiver | null = null;
  /** As it was reported last. */
  status: ProcessStatus | null = null;
  hasBegun = false;
  isListening = false;
  silentChecks = 0;
  failure: Extract<WorkerMessage, { kind: 'failed' }> | null = null;
  /** By mount. */
  readonly #slotMessages = new Map<string, SlotMessages>();
  readonly channel: Channel<PrimaryMessage, PrimaryCalls> = new Channel((messages) => {
    // Its end is handled when the process has ended.
    if (this.process.isConnected()) this.process.send([...messages], () => {});
  });

  constructor(number: number, process: ClusterWorker) {
    this.number = number;
    this.process = process;
    this.ended = new Promise((resolve) => {
      process.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    });
    const returnConnections = trackConnections(process.process);
    void this.ended.then(returnConnections);
  }

  readonly send = (message: PrimaryMessage): void => this.channel.add(message);

  /** Returns the same for each call with a mount. */
  getSlotMessages(mount: string): SlotMessages {
    let messages = this.#slotMessages.get(mount);
    if (messages === undefined) {
      messages = {
        grant: (count) => this.send({ kind: 'slots', mount, count }),
        recall: () => this.send({ kind: 'slots-recalled', mount }),
      };
      this.#slotMessages.set(mount, messages);
    }
    return messages;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.process.kill(signal);
  }
}

/** What `node:cluster` sends to a worker, and gets back with `ack`, when it hands a connection over. */
const CLUSTER_COMMAND = 'NODE_CLUSTER';

/**
 * Notes the connections that `node:cluster` has handed to a worker and that the worker has not taken yet. A worker that ends
 * before it has would leave the client without a response: the module waits for a reply that never comes, and keeps the worker
 * in its list, because the channel is not closed before that reply (Node 20 to 24, `lib/internal/child_process.js`).
 *
 * @returns called when the worker has ended: hands the connections to other workers, as if the worker had refused them
 */
function trackConnections(child: ChildProcess): () => void {
  const handedOver = new Set<unknown>();
  let isDisconnected = false;
  child.send = new Proxy(child.send, {
    apply(send, self, args: unknown[]) {
      const message = args[0];
      if (isObject(message) && message['cmd'] === CLUSTER_COMMAND && message['act'] === 'newconn') {
        handedOver.add(message['seq']);
      }
      return Reflect.apply(send, self, args);
    },
  });
  child.prependListener('internalMessage', (message: unknown) => {
    if (isObject(message)) handedOver.delete(message['ack']);
  });
  child.once('disconnect', () => {
    isDisconnected = true;
  });
  const returnAll = (): void => {
    if (!isDisconnected) child.emit('disconnect');
    for (const ack of handedOver)
      child.emit('internalMessage', { cmd: CLUSTER_COMMAND, ack, accepted: false });
  };
  return () => {
    if (child.connected) child.disconnect();
    setImmediate(returnAll);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
