import { ConfigurationError } from '../../base/errors.ts';
import type { RouteSelection } from './route-selection.ts';

/** Options of a discovery. Times are in milliseconds. */
export interface DiscoverOptions extends RouteSelection {
  /**
   * Application password, sent as HTTP Basic in UTF-8 (RFC 7617) to the origin of the given address only.
   * @default the credentials in the address
   */
  readonly auth?: { readonly user: string; readonly password: string } | undefined;
  /** Additional request headers. Other origins get only `Accept`, `Accept-Language` and `User-Agent` of them. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Source of response schemas: the index, requested with `context=help`, or none. @default 'help' */
  readonly schemas?: 'help' | 'off' | undefined;
  /** Whether to ask each resource with `OPTIONS` too: some plugins (ACF) state members and arguments only there. @default true */
  readonly options?: boolean | undefined;
  /** Namespaces that the root index hides, such as `cocart/v2`: their own indexes are read too. @default [] */
  readonly namespaces?: readonly string[] | undefined;
  /** Timeout of the whole discovery. One request gets half of it, and at most 30 s. @default 300000 */
  readonly timeout?: number | undefined;
  /** Maximum bytes of a response body, after decompression. @default 67108864 */
  readonly maxBytes?: number | undefined;
  /** Sends the requests, with `redirect: 'manual'`. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Aborts the discovery, which rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Called before each step. @default none */
  readonly onProgress?: ((progress: DiscoveryProgress) => void) | undefined;
}

export type DiscoveryProgress =
  | { readonly step: 'request'; readonly url: string }
  | { readonly step: 'samples'; readonly done: number; readonly total: number };

type DefaultedOptions = Omit<DiscoverOptions, 'auth' | 'signal' | 'headers'>;

export type DiscoverySettings = {
  readonly [Name in keyof DefaultedOptions]-?: NonNullable<DefaultedOptions[Name]>;
} & { readonly signal: AbortSignal | undefined; readonly requestTimeout: number };

/** @throws {ConfigurationError} when a limit is not a number, or is too small */
export function resolveDiscoverOptions(options: DiscoverOptions): DiscoverySettings {
  const { timeout = 300_000 } = options;
  return {
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    schemas: options.schemas ?? 'help',
    options: options.options ?? true,
    namespaces: (options.namespaces ?? []).map(requireNamespace),
    timeout: requirePositive('timeout', timeout),
    requestTimeout: Math.min(30_000, timeout / 2),
    maxBytes: requirePositive('maxBytes', options.maxBytes ?? 64 * 1024 * 1024),
    fetch: options.fetch ?? globalThis.fetch,
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal,
  };
}

function requireNamespace(text: string): string {
  const namespace = text.replace(/^\/+|\/+$/g, '');
  if (/^(?!\.)[^\s,/?#%\\]+(?:\/(?!\.)[^\s,/?#%\\]+)*$/.test(namespace)) return namespace;
  throw new ConfigurationError(`${JSON.stringify(text.slice(0, 60))} is no namespace such as wp/v2.`);
}

function requirePositive(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 1) return value;
  throw new ConfigurationError(`${name} is ${value}; it must be a number of at least 1.`);
}
