import { ConfigurationError } from '../../base/errors.ts';
import { parseRouteGlob } from '../../base/glob.ts';
import type { RuleReporter } from './index-values.ts';

/** Options of a discovery. Times are in milliseconds. */
export interface DiscoverOptions extends RouteSelection {
  /**
   * Application password, sent as HTTP Basic in UTF-8 (RFC 7617) to the origin of the given address only.
   * @default the credentials in the address
   */
  readonly auth?: { readonly user: string; readonly password: string } | undefined;
  /** Additional request headers. Other origins get only `Accept`, `Accept-Language` and `User-Agent` of them. @default {} */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether to ask each resource with `OPTIONS` too: some plugins (ACF) state members and arguments only there. @default true */
  readonly options?: boolean | undefined;
  /** Namespaces that the root index hides, such as `cocart/v2`: their own indexes are read too. @default [] */
  readonly namespaces?: readonly string[] | undefined;
  /** Timeout of finding and reading the indexes. One request gets half of it, and at most 30 s. @default 300000 */
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
  | {
      readonly step: 'resources';
      readonly resource: string;
      readonly done: number;
      readonly total: number;
      /** Milliseconds, estimated. */
      readonly left: number;
    }
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

/** `cocart/v2`, with or without slashes around it. */
export const NAMESPACE: RegExp = /^\/*(?!\.)[^\s,/?#%\\]+(?:\/(?!\.)[^\s,/?#%\\]+)*\/*$/;

function requireNamespace(text: string): string {
  if (NAMESPACE.test(text)) return text.replace(/^\/+|\/+$/g, '');
  throw new ConfigurationError(`${JSON.stringify(text.slice(0, 60))} is no namespace such as wp/v2.`);
}

function requirePositive(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 1) return value;
  throw new ConfigurationError(`${name} is ${value}; it must be a number of at least 1.`);
}

/** Globs such as `wp/v2` select namespaces, `/wp/v2/posts*` routes by pattern and template. `*` matches slashes. */
export interface RouteSelection {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

export function describeSelection({ exclude = [], include = [] }: RouteSelection): string {
  return Object.entries({ include, exclude })
    .filter(([, globs]) => globs.length > 0)
    .map(([list, globs]) => `${list} ${globs.map((glob) => `"${glob}"`).join(', ')}`)
    .join(' and ');
}

interface SelectionGlob {
  readonly text: string;
  readonly list: 'include' | 'exclude';
  readonly glob: ReturnType<typeof parseRouteGlob>;
}

export class RouteSelector {
  readonly #globs: readonly SelectionGlob[];
  readonly #unused: Set<SelectionGlob>;

  constructor({ exclude = [], include = [] }: RouteSelection) {
    const toGlob =
      (list: SelectionGlob['list']) =>
      (text: string): SelectionGlob => ({ text, list, glob: parseRouteGlob(text) });
    this.#globs = [...include.map(toGlob('include')), ...exclude.map(toGlob('exclude'))];
    this.#unused = new Set(this.#globs);
  }

  matches(pattern: string, namespace: string): boolean {
    const template = toTemplate(pattern);
    const matching = this.#globs.filter(({ glob }) =>
      glob.isForRoutes ? glob.matches(pattern) || glob.matches(template) : glob.matches(namespace),
    );
    for (const each of matching) this.#unused.delete(each);
    const isIn = (list: SelectionGlob['list'], globs: readonly SelectionGlob[] = matching): boolean =>
      globs.some((each) => each.list === list);
    return (isIn('include') || !isIn('include', this.#globs)) && !isIn('exclude');
  }

  reportUnusedGlobs(report: RuleReporter): void {
    for (const { list, text } of this.#unused) {
      report('pattern-matches-nothing', { pointer: '/routes' }, `The pattern is "${text}" of ${list}.`);
    }
  }
}

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\((?:\?P?<(\w{1,64})>)?|./gs;

function toTemplate(pattern: string): string {
  let template = '';
  let depth = 0;
  for (const [token, name = ''] of pattern.matchAll(TOKEN)) {
    if (token === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) template += token.startsWith('(') ? `{${name}}` : token;
    if (token.startsWith('(')) depth += 1;
  }
  return template;
}
