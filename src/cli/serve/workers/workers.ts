import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../../generated/option-types.d.ts';
import type { StoreReader } from '../../../cache/inventory.ts';
import type { WorkerPurges } from '../../../cache/stores/worker-store.ts';
import { ConfigurationError } from '../../../errors.ts';
import { PROBLEMS, problemResponse } from '../../../gateway/exchange/problem.ts';
import { type GatewayInternals, getGatewayInternals } from '../../../gateway/gateway.ts';
import type { AdminHandler, Gateway, SiteOptions } from '../../../gateway/index.ts';
import type { MountedSite } from '../../../gateway/mounted-site.ts';
import type { PrimaryRole, ProcessStatus, WorkerCount } from '../../../gateway/process-role.ts';
import { combineStatuses, toEnded } from '../../../gateway/process-status.ts';
import { toSnapshotSource } from '../../../gateway/snapshot/discover-snapshot.ts';
import type { Snapshot } from '../../../gateway/snapshot/snapshot.ts';
import { Takeover } from '../../../gateway/takeover.ts';
import {
  addWorkerMetrics,
  listObservations,
  type SiteObservations,
  takeObservations,
  type WorkerMetrics,
} from '../../../gateway/worker-metrics.ts';
import { computeBackoff } from '../../../ports.ts';
import { WORKER_VARIABLE } from '../../io.ts';
import type { ServeLogs } from '../log.ts';
import { purgeForLostWrites, purgeForLostWritesLater } from '../lost-writes.ts';
import { respondToForwarded } from './forwarded-requests.ts';
import type { ServerUrls, SiteSnapshot, StartFailure, WorkerExchanges } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';

interface WorkerSettings {
  readonly config: Config;
  /** Returns the sites, with the part of their limits that a worker has. */
  readonly createSites: (worker: number) => readonly SiteOptions[];
}

export interface WorkersOptions {
  readonly settings: WorkerSettings;
  readonly count: number;
  readonly purges: WorkerPurges;
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
/** Milliseconds in which a worker replies to what an operator asks, or is left out. */
const REPLY_TIMEOUT = 1_000;
/** Milliseconds that a worker may take longer to stop than its requests may. */
const STOP_MARGIN = 2_000;
/** Keys of rate limits that are counted at once. */
const MAX_COUNTS = 100_000;

/** What the start of the gateway waits for: that a worker listens, or cannot. */
interface FirstStart {
  readonly resolve: (urls: ServerUrls) => void;
  readonly reject: (error: Error) => void;
}

export class Workers implements PrimaryRole {
  readonly kind = 'primary';
  readonly #options: WorkersOptions;
  readonly #workers = new Set<WorkerProcess>();
  readonly #snapshots = new Map<string, SiteSnapshot>();
  /** What the workers know of it, by the mount of their site. */
  readonly #learned = new Map<string, string>();
  /** The sums of the counts of all workers. A window begins with its first count. */
  readonly #counts = new LRUCache<string, number>({ max: MAX_COUNTS, ttl: 1, noUpdateTTL: true });
  #gateway: GatewayInternals | undefined;
  #settings: WorkerSettings;
  #earlyEnds = 0;
  /** Aborts when the workers end: none is replaced any more. */
  readonly #stopping = new AbortController();
  /** The counters of the workers that have ended. */
  #ended: ProcessStatus | null = null;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /**
   * Starts the workers.
   *
   * @returns where they listen
   * @throws {ConfigurationError} when they cannot listen
   */
  async start(gateway: Gateway): Promise<ServerUrls> {
    this.#gateway = getGatewayInternals(gateway);
    cluster.setupPrimary({ args: ['serve'], serialization: 'advanced' });
    // The primary process would drop the connections that it has accepted when the last worker stops. Those in a socket that another
    // process has too are accepted by that one.
    if (this.#options.hasActivatedSockets) cluster.schedulingPolicy = cluster.SCHED_NONE;
    // A worker that hangs would outlive this process.
    process.once('exit', () => this.#killAll());
    setInterval(() => this.#check(), CHECK_INTERVAL).unref();
    const starts = Array.from(
      { length: this.#options.count },
      (_, index) => new Promise<ServerUrls>((resolve, reject) => this.#fork(index + 1, { resolve, reject })),
    );
    const [urls = { url: '' }] = await Promise.all(starts);
    return urls;
  }

  /**
   * Prepares all workers, and the gateway of this process, for other settings.
   *
   * @returns begins to serve so
   * @throws {ConfigurationError} when one of them cannot. Nothing has changed then
   */
  async prepare(gateway: Gateway, settings: WorkerSettings): Promise<() => Promise<void>> {
    const next = getGatewayInternals(gateway);
    const takeover = new Takeover(gateway, this.#gateway ?? next);
    const { added } = takeover;
    await takeover.prepare();
    const snapshots = listSnapshots(added);
    const observed = listObservations(added);
    const begun = this.#listBegun();
    const replies = await Promise.all(
      begun.map(({ channel, number }) => {
        const sites = settings.createSites(number);
        return channel.call('prepare', { config: settings.config, sites, snapshots, observed });
      }),
    );
    const failure = replies.find((reply) => reply !== undefined && reply !== null);
    if (failure) {
      for (const { channel } of begun) channel.add('use', false);
      await takeover.abandon();
      throw toError(failure);
    }
    return async () => {
      this.#settings = settings;
      this.#gateway = next;
      this.#snapshots.clear();
      for (const sent of listSnapshots(next.context.sites)) this.#snapshots.set(sent.mount, sent);
      this.#learned.clear();
      const used = this.#listBegun().map(async (worker) => {
        await worker.channel.call('use', true);
        // One that has ended meanwhile reports nothing, and all comparisons would wait for its report.
        if (!this.#workers.has(worker)) return;
        // The reports before this reply were about the sites before.
        for (const { caching } of added.values()) caching?.addWorker(worker.process.id);
      });
      takeover.complete();
      await Promise.all(used);
    };
  }

  async distribute(site: { readonly mount: string }, snapshot: Snapshot): Promise<void> {
    const { mount } = site;
    const source = toSnapshotSource(snapshot);
    // A site that waits for its gateway to take the place of another is not served yet.
    const isServed = this.#gateway === undefined || this.#gateway.context.sites.get(mount) === site;
    if (source === null || !isServed) return;
    const sent: SiteSnapshot = { mount, source };
    this.#snapshots.set(mount, sent);
    await Promise.all(this.#listBegun().map(({ channel }) => channel.call('snapshot', sent)));
  }

  listStatuses(): readonly ProcessStatus[] {
    const running = Array.from(this.#workers, ({ status }) => status);
    return [this.#ended, ...running].filter((status) => status !== null);
  }

  async collectReports(): Promise<void> {
    await Promise.all(this.#listBegun().map(({ channel }) => inTime(channel.call('report', null), 5_000)));
  }

  listStores(): readonly StoreReader[] {
    return this.#listBegun().map(({ channel }) => ({
      takeInventory: async (mount) => (await inTime(channel.call('inventory', mount))) ?? null,
      previewPurge: async (selection) => (await inTime(channel.call('preview', selection))) ?? null,
      find: async (key) => (await inTime(channel.call('find', key))) ?? [],
    }));
  }

  countWorkers(): WorkerCount {
    const serving = [...this.#workers].filter(({ isListening }) => isListening).length;
    return { serving, all: this.#options.count };
  }

  /** Lets the workers finish their requests. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const worker of this.#workers) {
      // Node drops a message to a process that does not listen for it yet.
      if (worker.purged === null) worker.signal('SIGKILL');
      else worker.channel.add('stop', null);
    }
    const late = setTimeout(() => this.#killAll(), this.#settings.config.shutdownGrace + STOP_MARGIN);
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
    clearTimeout(late);
  }

  /** Cuts off the requests of all workers. Resolves with their number. */
  async cutOff(): Promise<number> {
    const counts = this.#listBegun().map(({ channel }) => inTime(channel.call('cutOff', null)));
    return (await Promise.all(counts)).reduce<number>((sum, count = 0) => sum + count, 0);
  }

  /** Ends the workers at once. */
  async kill(): Promise<void> {
    this.#stopping.abort();
    this.#killAll();
    await Promise.all(Array.from(this.#workers, ({ ended }) => ended));
  }

  #killAll(): void {
    for (const worker of this.#workers) worker.signal('SIGKILL');
  }

  /** The workers that can receive messages. */
  #listBegun(): readonly WorkerProcess[] {
    return [...this.#workers].filter(({ purged }) => purged !== null);
  }

  /** @param first `null` for the successor of a worker that has listened */
  #fork(number: number, first: FirstStart | null): void {
    const { logs, purges } = this.#options;
    const respond: AdminHandler = async (request, head) => {
      const response = this.#gateway?.context.publicAdminHandler(request, head);
      return response ?? problemResponse(PROBLEMS.internalError);
    };
    const child = cluster.fork({ [WORKER_VARIABLE]: String(number) });
    const hasOthers = (): boolean =>
      [...this.#workers].some(({ isListening, process }) => isListening && process.isConnected());
    const worker: WorkerProcess = new WorkerProcess(number, child, logs.log, hasOthers, {
      begun: () => this.#begin(worker, first),
      report: (metrics) => this.#addReport(worker, metrics),
      log: (text) => logs.writeLines(text),
      purge: (purge) => purges.tell(purge, worker.purged),
      count: (added) => this.#count(added),
      request: (request) => respondToForwarded(request, respond, logs.log),
    });
    this.#workers.add(worker);
    void worker.ended.then((outcome) => this.#onEnd(worker, outcome, worker.isListening ? null : first));
  }

  /** Sends a worker what it needs to serve. The order is that of the messages that follow. */
  #begin(worker: WorkerProcess, first: FirstStart | null): void {
    // A message may arrive after the end of its process (`exit` of `node:child_process`).
    if (!this.#workers.has(worker)) return;
    const sites = this.#gateway?.context.sites ?? new Map<string, MountedSite>();
    const { config, createSites } = this.#settings;
    const { purges } = this.#options;
    const { channel, gatewayId, number } = worker;
    worker.purged = purges.add((purge) => channel.call('purge', purge));
    for (const { caching } of sites.values()) caching?.addWorker(worker.process.id);
    for (const sent of listSnapshots(sites)) {
      if (!this.#snapshots.has(sent.mount)) this.#snapshots.set(sent.mount, sent);
    }
    const start = {
      ...{ number, config, gatewayId, sites: createSites(number) },
      ...{ snapshots: [...this.#snapshots.values()], observed: listObservations(sites) },
    };
    void channel.call('start', start).then((result) => this.#onStarted(worker, first, result));
  }

  #onStarted(
    worker: WorkerProcess,
    first: FirstStart | null,
    result: ServerUrls | StartFailure | undefined,
  ): void {
    if (result === undefined) return;
    if ('message' in result) {
      worker.failure = result;
      return;
    }
    worker.isListening = true;
    if (first === null) this.#options.logs.log.info({ worker: worker.number }, 'worker started');
    else first.resolve(result);
  }

  #addReport(worker: WorkerProcess, metrics: WorkerMetrics | null): void {
    if (worker.purged !== null) this.#options.purges.renewLease(worker.purged);
    worker.silentChecks = 0;
    if (this.#gateway === undefined || metrics === null) return;
    worker.status = metrics.status;
    addWorkerMetrics(this.#gateway.figures, worker.process.id, metrics);
    const observed = metrics.sites.map(({ mount, validation: { evidence } }) => ({ mount, evidence }));
    this.#sendObservations(observed, worker);
  }

  #count({ amount, key, window }: WorkerExchanges['count']['content']): WorkerExchanges['count']['reply'] {
    const count = (this.#counts.get(key) ?? 0) + amount;
    this.#counts.set(key, count, { ttl: window });
    return { count, remaining: this.#counts.getRemainingTTL(key) };
  }

  #sendObservations(observed: readonly SiteObservations[], origin?: WorkerProcess): void {
    const known = observed.filter(({ evidence, kept }) => evidence !== null || kept !== undefined);
    if (known.length === 0) return;
    for (const worker of this.#listBegun()) if (worker !== origin) worker.channel.add('observed', known);
  }

  /** Lists what this process has learned about dependencies and the versions of the documents, if they have changed. */
  #listLearned({ context }: GatewayInternals): readonly SiteObservations[] {
    return Array.from(context.sites).flatMap(([mount, { caching, runtime }]) => {
      const { count, versions } = runtime.history;
      const kept = caching?.listKept() ?? [];
      const text = JSON.stringify([count, kept]);
      if (this.#learned.get(mount) === text) return [];
      this.#learned.set(mount, text);
      return { mount, evidence: null, kept, versions };
    });
  }

  /** Sends what this process has observed itself, and ends workers that hang. */
  #check(): void {
    if (this.#gateway !== undefined) {
      this.#sendObservations(takeObservations(this.#gateway.context.sites));
      this.#sendObservations(this.#listLearned(this.#gateway));
    }
    for (const worker of this.#listBegun()) {
      worker.silentChecks += 1;
      if (worker.silentChecks !== MAX_SILENT_CHECKS) continue;
      this.#options.logs.log.error({ worker: worker.number }, 'a worker hangs: it is ended');
      worker.signal('SIGKILL');
    }
  }

  #onEnd(worker: WorkerProcess, awaited: Awaited<WorkerProcess['ended']>, first: FirstStart | null): void {
    const { code, signal } = awaited;
    const { logs, purges } = this.#options;
    const { failure, number, process: child, purged, startedAt, status } = worker;
    this.#workers.delete(worker);
    if (purged !== null) purges.remove(purged);
    worker.channel.close();
    for (const { caching } of this.#gateway?.context.sites.values() ?? []) caching?.removeWorker(child.id);
    if (status !== null) {
      const ended = toEnded(status);
      this.#ended = this.#ended === null ? ended : combineStatuses(this.#ended, ended);
    }
    if (this.#stopping.signal.aborted) return;
    const isEarly = performance.now() - startedAt < STABLE_AFTER;
    this.#earlyEnds = isEarly ? this.#earlyEnds + 1 : 0;
    if (first !== null && (failure !== null || this.#earlyEnds > MAX_ENDS_AT_START)) {
      first.reject(describeFailure(worker, signal ?? `code ${code}`));
      return;
    }
    this.#purgeAfter(worker);
    const delay = this.#earlyEnds <= 1 ? 0 : computeBackoff(this.#earlyEnds - 1, FIRST_DELAY, MAX_DELAY);
    logs.log.error(
      { worker: number, code, signal, reason: failure?.message, replacedIn: delay },
      'a worker has ended: it is replaced',
    );
    const { signal: stopping } = this.#stopping;
    void sleep(delay, undefined, { signal: stopping }).then(
      () => this.#fork(number, first),
      () => {},
    );
  }

  #purgeAfter({ gatewayId, isListening }: WorkerProcess): void {
    const purged = isListening ? purgeForLostWrites(this.#gateway) : Promise.resolve();
    void purged.then(() => this.#gateway?.parts.cache?.store.forgetGateway?.(gatewayId));
    if (isListening) purgeForLostWritesLater(this.#gateway);
  }
}

function listSnapshots(sites: ReadonlyMap<string, MountedSite>): readonly SiteSnapshot[] {
  return Array.from(sites).flatMap(([mount, { runtime }]) => {
    const source = runtime.snapshot === null ? null : toSnapshotSource(runtime.snapshot);
    return source === null ? [] : { mount, source };
  });
}

function toError({ isConfiguration, message }: StartFailure): Error {
  return isConfiguration ? new ConfigurationError(message) : new Error(message);
}

/** Resolves with what a worker replies, or with `undefined` if that takes too long: it may hang. */
function inTime<Reply>(reply: Promise<Reply>, timeout = REPLY_TIMEOUT): Promise<Reply | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeout, undefined).unref());
  return Promise.race([reply, late]);
}

/** Why a worker has ended before it listened. */
function describeFailure({ failure, number }: WorkerProcess, outcome: string): Error {
  if (failure !== null) return toError(failure);
  return new ConfigurationError(
    `--workers: worker ${number} ended with ${outcome} before it listened, and so did those before. If the kernel has ended them for want of memory, fewer workers may do`,
  );
}
