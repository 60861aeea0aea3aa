import { ConfigurationError } from '../errors.ts';
import { DEFAULT_MAX_ROUTES, type ReadIndexOptions } from './read-index.ts';

/** How a site is read. Every limit holds unless it is changed here; times are in milliseconds. */
export interface DiscoverOptions extends ReadIndexOptions {
  /**
   * An application password, sent as HTTP Basic in UTF-8 (RFC 7617), to the origin of the given address only.
   * @default the credentials in the address, if it holds any
   */
  readonly auth?: { readonly user: string; readonly password: string } | undefined;
  /**
   * Headers for sites behind something else. They go to the origin of the given address only, but for `Accept`,
   * `Accept-Language` and `User-Agent`.
   * @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Where response schemas come from: `help`, the index itself; `options`, the index and then `OPTIONS` on each route
   * that has none; `off`, nowhere.
   * @default 'help'
   */
  readonly schemas?: 'help' | 'options' | 'off' | undefined;
  /**
   * How many `OPTIONS` requests run at a time.
   * @default 4
   */
  readonly concurrency?: number | undefined;
  /**
   * How long the whole discovery may take.
   * @default 300000
   */
  readonly timeout?: number | undefined;
  /**
   * How long one request may take, from asking to the last byte.
   * @default 30000, or half of `timeout` where that is less: a request that hangs leaves time for another
   */
  readonly requestTimeout?: number | undefined;
  /**
   * How many bytes one answer may have, counted after decompression.
   * @default 67108864
   */
  readonly maxBytes?: number | undefined;
  /**
   * How many redirects one request follows.
   * @default 10
   */
  readonly maxRedirects?: number | undefined;
  /**
   * Sends the requests. It is called with `redirect: 'manual'`.
   * @default globalThis.fetch
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Ends the discovery early: it then rejects with the signal's reason.
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Is told what is being done, for a person who waits.
   * @default nobody
   */
  readonly onProgress?: ((progress: DiscoveryProgress) => void) | undefined;
}

export type DiscoveryProgress =
  | { readonly step: 'asking'; readonly url: string }
  | { readonly step: 'schemas' | 'answers'; readonly done: number; readonly total: number };

/** The options with their defaults in place. */
export interface Settings extends Required<Omit<DiscoverOptions, 'auth' | 'signal' | 'headers'>> {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxRoutes: number;
  readonly schemas: 'help' | 'options' | 'off';
  readonly concurrency: number;
  readonly timeout: number;
  readonly requestTimeout: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly fetch: typeof globalThis.fetch;
  readonly onProgress: (progress: DiscoveryProgress) => void;
  readonly signal: AbortSignal | undefined;
}

/** Throws a `ConfigurationError` where a limit is no number that could bound anything. */
export function resolveOptions(options: DiscoverOptions): Settings {
  const { timeout = 300_000 } = options;
  return {
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    schemas: options.schemas ?? 'help',
    concurrency: atLeast(1, 'concurrency', options.concurrency ?? 4),
    timeout: atLeast(1, 'timeout', timeout),
    requestTimeout: atLeast(1, 'requestTimeout', options.requestTimeout ?? Math.min(30_000, timeout / 2)),
    maxBytes: atLeast(1, 'maxBytes', options.maxBytes ?? 64 * 1024 * 1024),
    maxRedirects: atLeast(0, 'maxRedirects', options.maxRedirects ?? 10),
    maxRoutes: atLeast(1, 'maxRoutes', options.maxRoutes ?? DEFAULT_MAX_ROUTES),
    fetch: options.fetch ?? globalThis.fetch,
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal,
  };
}

function atLeast(least: number, name: string, value: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new ConfigurationError(`${name} is ${value}; it must be a number of at least ${least}.`);
}
