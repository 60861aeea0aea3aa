import { ConfigurationError } from '../errors.ts';
import { DEFAULT_MAX_ROUTES, type ReadIndexOptions } from './read-index.ts';

/** Options of a discovery. Times are in milliseconds. */
export interface DiscoverOptions extends ReadIndexOptions {
  /**
   * An application password. Sent as HTTP Basic in UTF-8 (RFC 7617), to the origin of the given address only.
   * @default the credentials in the address, if it contains any
   */
  readonly auth?: { readonly user: string; readonly password: string } | undefined;
  /**
   * Additional request headers. They are sent to the origin of the given address only, except `Accept`,
   * `Accept-Language` and `User-Agent`, which are sent to every origin.
   * @default {}
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Source of the response schemas:
   * - `help`: the index, requested with `context=help`
   * - `options`: the same index, and an `OPTIONS` request for each route without a schema in it
   * - `off`: no response schemas
   * @default 'help'
   */
  readonly schemas?: 'help' | 'options' | 'off' | undefined;
  /** Maximum number of concurrent `OPTIONS` requests. @default 4 */
  readonly concurrency?: number | undefined;
  /** Timeout of the whole discovery. @default 300000 */
  readonly timeout?: number | undefined;
  /**
   * Timeout of one request, from its start to the last byte of the response.
   * The default leaves time for a second request after one that hangs.
   *
   * @default 30000, or half of `timeout` if that is less
   */
  readonly requestTimeout?: number | undefined;
  /** Maximum size of one response body in bytes, after decompression. @default 67108864 */
  readonly maxBytes?: number | undefined;
  /**
   * Maximum size of the OpenAPI document that is created, in bytes of JSON without spaces. A site with a larger one is
   * refused.
   * @default 33554432
   */
  readonly maxDocumentBytes?: number | undefined;
  /** Maximum number of redirects that one request follows. @default 10 */
  readonly maxRedirects?: number | undefined;
  /** Sends the requests. Called with `redirect: 'manual'`. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Aborts the discovery, which then rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Called before each step, to show progress to a user. @default none */
  readonly onProgress?: ((progress: DiscoveryProgress) => void) | undefined;
}

/** A step of a discovery, or of what follows in `reconcile`. */
export type DiscoveryProgress =
  /** A request is about to be sent. */
  | { readonly step: 'request'; readonly url: string }
  /**
   * `schemas`: `OPTIONS` requests for response schemas. `samples`: requests for sample responses (reconcile).
   */
  | { readonly step: 'schemas' | 'samples'; readonly done: number; readonly total: number };

type DefaultedOptions = Omit<DiscoverOptions, 'auth' | 'signal' | 'headers' | 'maxDocumentBytes'>;

export type DiscoverySettings = {
  readonly [Name in keyof DefaultedOptions]-?: NonNullable<DefaultedOptions[Name]>;
} & { readonly signal: AbortSignal | undefined };

/** Validates the options and fills in the defaults. @throws {ConfigurationError} when a limit is not a number, or is too small */
export function resolveDiscoverOptions(options: DiscoverOptions): DiscoverySettings {
  const { timeout = 300_000, requestTimeout = Math.min(30_000, timeout / 2) } = options;
  return {
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    schemas: options.schemas ?? 'help',
    concurrency: requireAtLeast(1, 'concurrency', options.concurrency ?? 4),
    timeout: requireAtLeast(1, 'timeout', timeout),
    requestTimeout: requireAtLeast(1, 'requestTimeout', requestTimeout),
    maxBytes: requireAtLeast(1, 'maxBytes', options.maxBytes ?? 64 * 1024 * 1024),
    maxRedirects: requireAtLeast(0, 'maxRedirects', options.maxRedirects ?? 10),
    maxRoutes: requireAtLeast(1, 'maxRoutes', options.maxRoutes ?? DEFAULT_MAX_ROUTES),
    fetch: options.fetch ?? globalThis.fetch,
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal,
  };
}

function requireAtLeast(least: number, name: string, value: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new ConfigurationError(`${name} is ${value}; it must be a number of at least ${least}.`);
}
