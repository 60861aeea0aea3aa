import type { Config } from '../../../../generated/option-types.d.ts';
import type { StoreReader } from '../../../cache/inventory.ts';
import { createStoredResponse } from '../../../cache/policy/storability.ts';
import type { CacheStore, StoredResponse } from '../../../cache/store.ts';
import { WorkerStore } from '../../../cache/stores/worker-store.ts';
import { locateStore } from '../../../config/config.ts';
import { ConfigurationError, messageOf } from '../../../errors.ts';
import {
  createGatewayProcess,
  type GatewayInternals,
  getGatewayInternals,
} from '../../../gateway/gateway.ts';
import { type Gateway, type Log, type SiteOptions, systemClock } from '../../../gateway/index.ts';
import type { SharedCounts } from '../../../gateway/options/gateway-options.ts';
import { createStoreReader } from '../../../gateway/store-reader.ts';
import { addObservations, takeWorkerMetrics } from '../../../gateway/worker-metrics.ts';
import { type ListeningSockets, type RedisCounts, type ServeOptions, serve } from '../../../node/index.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import type { CommandIo, ExitCode } from '../../io.ts';
import { readActivatedSockets } from '../activated-sockets.ts';
import {
  createGatewayOptions,
  createServeOptions,
  openSharedCounts,
  openStore,
} from '../gateway-settings.ts';
import { createServeLogs, type ServeLogs } from '../log.ts';
import { registerOtlp } from '../otlp.ts';
import { REDIS_DURATIONS } from '../run-gateway.ts';
import { forwardRequest } from './forwarded-requests.ts';
import {
  Channel,
  type Message,
  type PrimaryExchanges,
  type ServerUrls,
  type SiteSnapshot,
  type StartFailure,
  type WorkerExchanges,
  type WorkerReload,
  type WorkerStart,
} from './messages.ts';

/** Milliseconds between two reports to the primary process. Each reply renews the lease of the store. */
const REPORT_INTERVAL = 1_000;
/** The primary process decides what a signal means: a terminal sends it to all processes. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs a worker of `waygate serve --workers`, until the primary process stops it. */
export function runWorker(io: CommandIo): Promise<ExitCode> {
  for (const signal of SIGNALS) process.on(signal, () => {});
  return new Promise((resolve) => new Worker(io, resolve).run());
}

class Worker {
  readonly #io: CommandIo;
  readonly #done: (code: ExitCode) => void;
  readonly #channel: Channel<WorkerExchanges, PrimaryExchanges>;
  #log: Log | undefined;
  #gateway: GatewayInternals | undefined;
  #stores: StoreReader | undefined;
  /** `undefined` with another store than the memory. */
  #store: WorkerStore | undefined;
  #stop: () => Promise<void> = () => Promise.resolve();
  #cutOff: () => Promise<number> = () => Promise.resolve(0);
  /** The reply to a `cutOff`, which also ends the server. */
  #cutOffReply: Promise<number> | undefined;
  /** `undefined` until it listens. */
  #prepare: ((reload: WorkerReload) => Promise<() => void>) | undefined;
  /** Serves as prepared. */
  #use: (() => void) | null = null;
  /** Messages that arrive while the worker starts, which takes time with a remote store, are newer than those of its start. */
  #started: Promise<unknown> = Promise.resolve();
  /** The last snapshot that is being created: they are created one after the other. */
  #snapshots: Promise<unknown> = Promise.resolve();

  constructor(io: CommandIo, done: (code: ExitCode) => void) {
    this.#io = io;
    this.#done = done;
    const send = (messages: readonly unknown[]): void => {
      // If the primary process has ended, so does this one.
      process.send?.(messages, undefined, undefined, () => {});
    };
    this.#channel = new Channel<WorkerExchanges, PrimaryExchanges>(
      send,
      {
        start: (start) => this.#begin(start),
        prepare: async (reload) => {
          try {
            await this.#started;
            this.#use = (await this.#prepare?.(reload)) ?? null;
            return null;
          } catch (error) {
            return toFailure(error);
          }
        },
        use: (isUsed) => this.#usePrepared(isUsed),
        snapshot: (snapshot) => this.#queueSnapshot(snapshot),
        purge: (purge) => {
          if (purge.isWrite)
            for (const { caching } of this.#gateway?.context.sites.values() ?? [])
              caching?.noteSelection(purge.selection);
          return this.#store?.runPurge(purge) ?? { count: 0, isAlone: true };
        },
        observed: async (observed) => {
          await this.#started;
          if (this.#gateway !== undefined) addObservations(this.#gateway.context.sites, observed);
        },
        inventory: async (mount) => this.#stores?.takeInventory(mount) ?? null,
        preview: async (selection) => this.#stores?.previewPurge(selection) ?? null,
        find: async (key) => (await this.#stores?.find(key))?.map(toPlainResponse) ?? [],
        report: () => this.#report(),
        cutOff: () => {
          this.#cutOffReply = this.#cutOff();
          return this.#cutOffReply;
        },
        stop: () => {
          void this.#stop()
            .then(() => this.#cutOffReply)
            .then(() => this.#end(0));
        },
      },
      (error) => this.#log?.error({ err: error }, 'the worker failed to reply'),
    );
  }

  run(): void {
    // Both ends of the channel are of one version.
    process.on('message', (messages) =>
      this.#channel.receive(messages as readonly Message<PrimaryExchanges>[]),
    );
    this.#channel.add('begun', null);
  }

  #begin(start: WorkerStart): Promise<ServerUrls | StartFailure> {
    const started = this.#start(start).catch((error: unknown): StartFailure => {
      this.#end(error instanceof ConfigurationError ? error.exitCode : 1);
      return toFailure(error);
    });
    this.#started = started;
    this.#snapshots = started;
    return started;
  }

  async #start({ config, gatewayId, number, observed, sites, snapshots }: WorkerStart): Promise<ServerUrls> {
    process.title = `waygate worker ${number}`;
    const reports = setInterval(() => this.#report(), REPORT_INTERVAL);
    const output = { worker: number, write: (text: string) => this.#channel.add('log', text) };
    const logs = createServeLogs(config, this.#io, output);
    this.#log = logs.log;
    const endTraces = await registerOtlp(config.otlp);
    const store = await this.#openStore(config, logs.log, gatewayId);
    this.#report();
    let redisCounts: RedisCounts | undefined;
    const ownCounts: SharedCounts = { add: (key, amount, window) => this.#count(key, amount, window) };
    const createProcess = async (next: Config, nextSites: readonly SiteOptions[]): Promise<Gateway> => {
      redisCounts ??= await openSharedCounts(next);
      const counts = redisCounts ?? ownCounts;
      const options = createGatewayOptions({ ...next, state: undefined }, nextSites, store, counts, logs.log);
      return createGatewayProcess(
        options,
        {
          kind: 'worker',
          respondByPrimary: (request, head) => forwardRequest(this.#channel, request, head),
        },
        this.#gateway,
      );
    };
    const gateway = await createProcess(config, sites);
    const created = getGatewayInternals(gateway);
    this.#useGateway(created);
    for (const snapshot of snapshots) await this.#useSnapshot(snapshot);
    addObservations(created.context.sites, observed);
    const toServeOptions = (of: Config, sockets: ListeningSockets): ServeOptions => {
      const { admin: _, ...serveOptions } = createServeOptions(of, logs, sockets);
      return serveOptions;
    };
    // A supervisor passes its sockets to the primary process, which opens them for its workers.
    const sockets = readActivatedSockets(config, this.#io.env, process.ppid);
    const server = await serve(gateway, toServeOptions(config, sockets));
    this.#prepare = async (reload) => {
      const next = await createProcess(reload.config, reload.sites);
      const use = await server.prepare(next, toServeOptions(reload.config, {}));
      const internals = getGatewayInternals(next);
      const before = this.#gateway?.context.sites;
      const current = internals.context.sites;
      // Settings that only the primary process uses, such as an overlay, change the document alone.
      const isKept = ({ mount }: { readonly mount: string }): boolean =>
        current.get(mount) === before?.get(mount);
      for (const { mount, source } of reload.snapshots)
        if (!isKept({ mount })) await current.get(mount)?.useSnapshotOf(source);
      addObservations(
        current,
        reload.observed.filter((each) => !isKept(each)),
      );
      return () => {
        // The counts so far are of the sites before.
        this.#report();
        use();
        this.#useGateway(internals);
        logs.configure(reload.config);
        for (const sent of reload.snapshots.filter(isKept)) void this.#queueSnapshot(sent);
      };
    };
    this.#stop = async () => {
      await server.stop();
      clearInterval(reports);
      this.#report();
      await endTraces();
      logs.log.flush();
      redisCounts?.close();
      if (store !== 'off') await store.close();
    };
    this.#cutOff = async () => {
      const count = await server.cutOff();
      logs.log.flush();
      return count;
    };
    const { redirectUrl, url } = server;
    return omitUndefined({ url, redirectUrl });
  }

  async #openStore(config: Config, log: ServeLogs['log'], gatewayId: string): Promise<'off' | CacheStore> {
    if (locateStore(config) !== 'memory') {
      const onReply = (milliseconds: number): void =>
        this.#gateway?.figures.measured.measure(REDIS_DURATIONS, milliseconds);
      return openStore(config, log, { gatewayId, onReply });
    }
    const { maxBytes, maxEntryBytes } = config.cache;
    this.#store = new WorkerStore({
      ...{ maxBytes, maxEntryBytes, clock: systemClock },
      monotonicNow: () => performance.now(),
      tellOthers: async (purge) => (await this.#channel.call('purge', purge)) ?? { count: 0, isAlone: false },
    });
    return this.#store;
  }

  async #count(key: string, amount: number, window: number): ReturnType<SharedCounts['add']> {
    const sum = await this.#channel.call('count', { key, amount, window });
    if (sum === undefined) throw new Error('the primary process has ended');
    return sum;
  }

  #useGateway(gateway: GatewayInternals): void {
    this.#gateway = gateway;
    this.#stores = createStoreReader(gateway.figures, systemClock);
  }

  /** A worker that was not prepared was started meanwhile: it is replaced. */
  #usePrepared(isUsed: boolean): void {
    const use = this.#use;
    this.#use = null;
    if (isUsed && use === null) this.#end(1);
    else if (isUsed) use?.();
  }

  async #queueSnapshot(snapshot: SiteSnapshot): Promise<void> {
    this.#snapshots = this.#snapshots.then(() => this.#useSnapshot(snapshot));
    await this.#snapshots;
  }

  /** A snapshot that cannot be created does not replace the one before. */
  async #useSnapshot({ mount, source }: SiteSnapshot): Promise<void> {
    try {
      await this.#gateway?.context.sites.get(mount)?.useSnapshotOf(source);
    } catch (error) {
      this.#log?.error({ site: mount, err: error }, 'the document cannot be used');
    }
  }

  #report(): void {
    const sentAt = performance.now();
    const metrics = this.#gateway === undefined ? null : takeWorkerMetrics(this.#gateway.figures);
    void this.#channel.call('report', metrics).then(() => this.#store?.renewLease(sentAt));
  }

  /** Ends the process when its messages are sent, with the replies that are known now. */
  #end(code: ExitCode): void {
    const end = (): void => {
      this.#done(code);
      process.exit(code);
    };
    setImmediate(() => {
      this.#channel.flush();
      if (process.send === undefined) end();
      else process.send([], undefined, undefined, end);
    });
  }
}

function toFailure(error: unknown): StartFailure {
  const isConfiguration = error instanceof ConfigurationError;
  const message = isConfiguration || !(error instanceof Error) ? messageOf(error) : (error.stack ?? '');
  return { message, isConfiguration };
}

/** Copies the members that every store returns. */
function toPlainResponse(response: StoredResponse): StoredResponse {
  return createStoredResponse(response, response.headers, response.body, response);
}
