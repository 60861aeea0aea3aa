import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { OverloadOptions } from '../../generated/option-types.d.ts';
import type { ProcessLoad } from '../gateway/limiting/process-load.ts';
import type { Log } from '../ports.ts';

/** Milliseconds between two measurements. */
const INTERVAL = 500;
/** Milliseconds by which `monitorEventLoopDelay` looks. */
const RESOLUTION = 10;
/** Milliseconds between two lines about refused connections, and between two that say that an overload begins. */
const LOG_INTERVAL = 10_000;
/** File descriptors that are left to connections to sites, and to files. Half of them, if there are few. */
const RESERVED_DESCRIPTORS = 300;
/** Measures what a process has too much of, and decides which connections are refused. */
export class LoadMonitor {
  /** Number of connections that were refused, by what there was too much of. */
  readonly refused: Record<'limit' | 'descriptors', number> = { limit: 0, descriptors: 0 };
  readonly #loads: readonly ProcessLoad[];
  #options: OverloadOptions = {};
  readonly #log: Log;
  /** Runs while there is something to measure. */
  #timer: NodeJS.Timeout | undefined;
  #delays: IntervalHistogram | null = null;
  readonly #maxDescriptors = readDescriptorLimit();
  #isShortOfDescriptors = false;
  #loggedOverload: string | null = null;
  #loggedOverloadAt = Number.NEGATIVE_INFINITY;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(loads: readonly ProcessLoad[], options: OverloadOptions, log: Log) {
    this.#loads = loads;
    this.#log = log;
    this.replace(options);
  }

  replace(options: OverloadOptions): void {
    this.#options = options;
    for (const load of this.#loads)
      load.maxInFlight = options.maxRequestsInFlight ?? Number.POSITIVE_INFINITY;
    this.#delays?.disable();
    this.#delays =
      options.maxEventLoopDelay === undefined ? null : monitorEventLoopDelay({ resolution: RESOLUTION });
    this.#delays?.enable();
    if (this.#hasLimits) this.#start();
  }

  /** Whether a connection that was accepted is served. @param connections open ones, with this one */
  admits(socket: Socket, connections: number): boolean {
    const reserved = Math.min(RESERVED_DESCRIPTORS, this.#maxDescriptors / 2);
    if (descriptorOf(socket) >= this.#maxDescriptors - reserved) {
      this.#isShortOfDescriptors = true;
      this.#start();
      this.#setPressure('descriptors');
      this.#countRefused('descriptors');
      return false;
    }
    if (connections <= (this.#options.maxConnections ?? Number.POSITIVE_INFINITY)) return true;
    this.#countRefused('limit');
    return false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delays?.disable();
  }

  get #hasLimits(): boolean {
    const { maxEventLoopDelay, maxMemory, maxRequestsInFlight } = this.#options;
    return (maxEventLoopDelay ?? maxMemory ?? maxRequestsInFlight) !== undefined;
  }

  #start(): void {
    this.#timer ??= setInterval(() => this.#measure(), INTERVAL).unref();
  }

  #countRefused(reason: keyof LoadMonitor['refused']): void {
    this.refused[reason] += 1;
    const now = performance.now();
    if (now - this.#loggedAt < LOG_INTERVAL) return;
    this.#loggedAt = now;
    const limit = reason === 'descriptors' ? this.#maxDescriptors : this.#options.maxConnections;
    this.#log.error({ reason, limit, refused: this.refused[reason] }, REFUSALS[reason]);
  }

  #measure(): void {
    if (this.#isShortOfDescriptors)
      this.#isShortOfDescriptors = this.#countDescriptors() > this.#maxDescriptors / 2;
    this.#setPressure(this.#findPressure());
    if (!this.#isShortOfDescriptors && !this.#hasLimits) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const overload = this.#loads.map((load) => load.overload).find((reason) => reason !== null) ?? null;
    if (overload === this.#loggedOverload) return;
    if (overload === null) this.#log.info({}, 'no longer overloaded');
    else {
      const now = performance.now();
      if (now - this.#loggedOverloadAt < LOG_INTERVAL) return;
      this.#loggedOverloadAt = now;
      this.#log.warn({ reason: overload }, 'overloaded: the sites get no requests, what is stored is served');
    }
    this.#loggedOverload = overload;
  }

  #findPressure(): ProcessLoad['pressure'] {
    const { maxEventLoopDelay = 0, maxMemory = Number.POSITIVE_INFINITY } = this.#options;
    const delay = (this.#delays?.percentile(50) ?? 0) / 1e6 - RESOLUTION;
    this.#delays?.reset();
    if (this.#delays !== null && delay > maxEventLoopDelay) return 'event-loop';
    if (process.memoryUsage.rss() > maxMemory) return 'memory';
    return this.#isShortOfDescriptors ? 'descriptors' : null;
  }

  #setPressure(pressure: ProcessLoad['pressure']): void {
    for (const load of this.#loads) load.pressure = pressure;
  }

  #countDescriptors(): number {
    try {
      return readdirSync('/proc/self/fd').length;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }
}

const REFUSALS: Readonly<Record<keyof LoadMonitor['refused'], string>> = {
  limit: 'connections are refused: there are more than maxConnections',
  descriptors:
    'connections are refused: the process has no file descriptors left for them. Raise its limit (ulimit -n)',
};

/** The system gives the lowest number that is free, so the number says how many are open. */
function descriptorOf(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : 0;
  return typeof descriptor === 'number' ? descriptor : 0;
}

/** Reads how many files and connections this process may have open. @returns infinity where the system does not tell */
export function readDescriptorLimit(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
