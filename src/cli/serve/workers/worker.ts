import type { CacheConfig } from '../../../../generated/option-types.d.ts';
import type { CacheStore } from '../../../cache/store.ts';
import { MemoryStore } from '../../../cache/stores/memory-store.ts';
import { createWorkerStore, type WorkerStore } from '../../../cache/stores/process-store.ts';
import { ConfigurationError, messageOf } from '../../../errors.ts';
import {
  createGatewayProcess,
  type GatewayInternals,
  getGatewayInternals,
} from '../../../gateway/gateway.ts';
import { type Log, systemClock } from '../../../gateway/index.ts';
import type { MountedSite } from '../../../gateway/mounted-site.ts';
import { addObservations, takeFigures } from '../../../gateway/process-figures.ts';
import { serve } from '../../../node/index.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import type { CommandIo, ExitCode } from '../../io.ts';
import { readActivatedSockets } from '../activated-sockets.ts';
import { createServeLogs, type ServeLogs } from '../log.ts';
import { createGatewayOptions, createServeOptions, openSharedCounts, openStore } from '../run-gateway.ts';
import { forwardRequest } from './forwarded-requests.ts';
import {
  Channel,
  type PrimaryMessage,
  type SiteSnapshot,
  type WorkerCalls,
  type WorkerMessage,
  type WorkerStart,
} from './messages.ts';

/** Milliseconds between two reports to the primary process. */
const REPORT_INTERVAL = 1_000;
/** The primary process decides what a signal means: a terminal sends it to all processes. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs a worker of `waygate serve --workers`, until the primary process stops it. */
export function runWorker(io: CommandIo): Promise<ExitCode> {
  for (const signal of SIGNALS) process.on(signal, () => {});
  return new Promise((resolve) => {
    const worker = new Worker(io, resolve);
    // Both ends of the channel are of one version.
    process.on('message', (messages) => {
      for (const message of messages as readonly PrimaryMessage[]) worker.receive(message);
    });
    worker.send({ kind: 'begun' });
  });
}

class Worker {
  readonly #io: CommandIo;
  readonly #done: (code: ExitCode) => void;
  readonly #channel = new Channel<WorkerMessage, WorkerCalls>((messages) => {
    // If the primary process has ended, so does this one.
    process.send?.(messages, undefined, undefined, () => {});
  });
  #log: Log | undefined;
  #gateway: GatewayInternals | undefined;
  /** The store that the primary process shares; `undefined` with another store. */
  #store: WorkerStore | undefined;
  #stop: () => Promise<void> = () => Promise.resolve();
  /** Messages that arrive while the worker starts, which takes time with a remote store, are newer than those of its start. */
  #started: Promise<void> = Promise.resolve();
  /** The last snapshot that is being created: they are created one after the other. */
  #snapshots: Promise<void> = Promise.resolve();

  constructor(io: CommandIo, done: (code: ExitCode) => void) {
    this.#io = io;
    this.#done = done;
  }

  readonly send = (message: WorkerMessage): void => this.#channel.add(message);

  receive(message: PrimaryMessage): void {
    switch (message.kind) {
      case 'start':
        this.#started = this.#start(message.start).catch((error: unknown) => this.#fail(error));
        this.#snapshots = this.#started;
        return;
      case 'store':
        this.#store?.receive(message.message);
        return;
      case 'snapshot':
        this.#snapshots = this.#snapshots
          .then(() => this.#useSnapshot(message.content))
          .then(() => this.#channel.reply(message.id));
        return;
      case 'slots':
        this.#findSite(message.mount)?.concurrency.grant(message.count);
        return;
      case 'slots-recalled':
        void this.#started.then(() => this.#findSite(message.mount)?.concurrency.recall());
        return;
      case 'reply':
        this.#channel.settle(message.id, message.value);
        return;
      case 'report':
        this.#report();
        this.#channel.reply(message.id);
        return;
      case 'observed':
        void this.#started.then(() => {
          if (this.#gateway !== undefined) addObservations(this.#gateway.context.sites, message.observed);
        });
        return;
      case 'stop':
        void this.#stop().then(() => this.#end(0));
        return;
    }
  }

  async #start({ config, gatewayId, number, observed, sites, slots, snapshots }: WorkerStart): Promise<void> {
    process.title = `waygate worker ${number}`;
    const reports = setInterval(() => this.#report(), REPORT_INTERVAL);
    const output = { worker: number, write: (text: string) => this.send({ kind: 'log', text }) };
    const logs = createServeLogs(config.logLevel, this.#io, output);
    this.#log = logs.log;
    const store = await this.#openStore(config.cache, logs.log, gatewayId);
    const redisCounts = await openSharedCounts(config);
    const counts = redisCounts ?? {
      add: (key, amount, window) => this.#channel.call('count', { key, amount, window }),
    };
    const options = createGatewayOptions({ ...config, state: undefined }, sites, store, counts, logs.log);
    const gateway = createGatewayProcess(options, {
      kind: 'worker',
      respondByPrimary: (request, head) => forwardRequest(this.#channel, request, head),
      openSlotPool: (mount) => ({
        share: slots.get(mount) ?? 0,
        ask: () => this.send({ kind: 'slots-wanted', mount }),
        giveBack: (count) => this.send({ kind: 'slots-returned', mount, count }),
      }),
    });
    this.#gateway = getGatewayInternals(gateway);
    for (const snapshot of snapshots) await this.#useSnapshot(snapshot);
    addObservations(this.#gateway.context.sites, observed);
    // A supervisor passes its sockets to the primary process, which opens them for its workers.
    const sockets = readActivatedSockets(this.#io.env, process.ppid);
    const { admin: _, ...serveOptions } = createServeOptions(config, logs, sockets);
    const server = await serve(gateway, serveOptions);
    this.#stop = async () => {
      await server.stop();
      clearInterval(reports);
      this.#report();
      logs.log.flush();
      redisCounts?.close();
      if (store !== 'off') await store.close();
    };
    const { redirectUrl, url } = server;
    this.send({ kind: 'listening', urls: omitUndefined({ url, redirectUrl }) });
  }

  async #openStore(
    config: CacheConfig,
    log: ServeLogs['log'],
    gatewayId: string,
  ): Promise<'off' | CacheStore> {
    if (config.store !== 'memory') return openStore(config, log, gatewayId);
    const { maxBytes, maxEntryBytes } = config;
    const memory = new MemoryStore({ maxBytes, maxEntryBytes, clock: systemClock });
    const options = { memory, clock: systemClock, monotonicNow: () => performance.now() };
    this.#store = createWorkerStore(options, (request) => this.send({ kind: 'store', request }));
    return this.#store.store;
  }

  #findSite(mount: string): MountedSite | undefined {
    return this.#gateway?.context.sites.get(mount);
  }

  /** A snapshot that cannot be created does not replace the one before. */
  async #useSnapshot({ mount, source }: SiteSnapshot): Promise<void> {
    try {
      await this.#findSite(mount)?.useSnapshotOf(source);
    } catch (error) {
      this.#log?.error({ site: mount, err: error }, 'the document cannot be used');
    }
  }

  #report(): void {
    if (this.#gateway === undefined) this.send({ kind: 'starting' });
    else this.send({ kind: 'figures', figures: takeFigures(this.#gateway.figures) });
  }

  #fail(error: unknown): void {
    const isConfiguration = error instanceof ConfigurationError;
    const message = isConfiguration || !(error instanceof Error) ? messageOf(error) : (error.stack ?? '');
    this.send({ kind: 'failed', message, isConfiguration });
    this.#end(isConfiguration ? error.exitCode : 1);
  }

  /** Ends the process when its messages are sent. */
  #end(code: ExitCode): void {
    const end = (): void => {
      this.#done(code);
      process.exit(code);
    };
    this.#channel.flush();
    if (process.send === undefined) end();
    else process.send([], undefined, undefined, end);
  }
}
