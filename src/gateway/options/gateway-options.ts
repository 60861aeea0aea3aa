import type { GetConnInfo } from 'hono/conninfo';
import type { Codec } from '../../cache/compress.ts';
import type { CacheStore } from '../../cache/store.ts';
import type { DiscoverOptions } from '../../discovery/index.ts';
import type { Decode } from '../../http/content-decoding.ts';
import type { Timeouts } from '../../http/exchange.ts';
import type { Clock, Log, StateStore } from '../../ports.ts';
import type { CircuitBreakerOptions } from '../../upstream/circuit-breaker.ts';
import type { ValidationMode } from '../../validation/evidence/enforcement.ts';
import type { RouteValidationMode } from '../../validation/modes.ts';
import type { TransportFactory } from '../exchange/fetch-adapter.ts';
import type { DocsSource } from '../local/docs.ts';
import type { SiteCacheOptions } from './site-cache-options.ts';

export interface GatewayOptions {
  /** The sites to stand in front of. Names must differ; one may go without. */
  readonly sites: readonly SiteOptions[];
  /**
   * The address under which callers see the gateway, where it is not the one they write in `Host`.
   * @default taken from each request
   */
  readonly publicUrl?: string | undefined;
  /**
   * Addresses and networks (`10.0.0.0/8`) whose `Forwarded` and `X-Forwarded-*` are believed.
   * @default none
   */
  readonly trust?: readonly string[] | undefined;
  /** Reads the sites, and asks them where no `transport` is given. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How the app asks a site. On Node take `nodeTransport` of `waygate/node`: Node's `fetch` keeps a streamed upload in
   * memory. (`serve` of `waygate/node` needs none; it has a faster way of its own.)
   * @default by `fetch`
   */
  readonly transport?: TransportFactory | undefined;
  /**
   * How the caller's address is known, such as `getConnInfo` of `@hono/node-server/conninfo`. `waygate/node` needs none.
   * @default it is not, and no caller is trusted
   */
  readonly connInfo?: GetConnInfo | undefined;
  /**
   * Keeps answers of the sites, and answers with what it keeps: `memory` is a store within the process.
   * @default 'off'
   */
  readonly cache?: 'off' | 'memory' | CacheStore | undefined;
  /** The largest body that is kept, in bytes; larger ones stream through. @default 8 MiB */
  readonly maxEntryBytes?: number | undefined;
  /** What bodies that are kept may be compressed with, such as `nodeCodecs()` of `waygate/node`. @default nothing */
  readonly codecs?: readonly Codec[] | undefined;
  /**
   * Undoes what the site's answers are coded in, so that they can be judged, such as `nodeDecode` of `waygate/node`.
   * @default gzip and deflate are undone
   */
  readonly decode?: Decode | undefined;
  /** The gateway's own operations, below `/-/`. */
  readonly admin?: AdminOptions | undefined;
  /** Where the files of the documentation page come from. @default those of the package, by `node:fs` */
  readonly docs?: DocsSource | undefined;
  /** @default the system's clock and timers */
  readonly clock?: Clock | undefined;
  /** In [0, 1): request ids and the jitter of retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Keeps what is to outlive the process: the evidence of the validation. @default nothing is kept */
  readonly state?: StateStore | undefined;
  /** Hears of discoveries, and of what the validation learns. @default silence */
  readonly log?: Log | undefined;
}

/** Who reaches the operations below `/-/`, and where. `/-/health` and `/-/ready` are anybody's. */
export interface AdminOptions {
  /** What callers send as `Authorization: Bearer <token>`. @default there is none, and nobody may */
  readonly token?: string | undefined;
  /** Whether they are reached by `gateway.admin` alone, and not at the public address. @default false */
  readonly elsewhere?: boolean | undefined;
}

/** One site and how it is mounted. */
export interface SiteOptions {
  /** Any address of the site; with `discovery: 'off'` the origin to stand in front of. */
  readonly url: string;
  /** Mounts the site at `/<name>`. @default mounted at `/` */
  readonly name?: string | undefined;
  /**
   * An OpenAPI document as `toOpenApi` makes it, to serve from until a discovery succeeds, or, with
   * `discovery: 'off'`, for good. It may come from a file: it is checked.
   */
  readonly document?: unknown;
  /** Whether the site's root index is read. @default 'auto' */
  readonly discovery?: 'auto' | 'off' | undefined;
  /** How its root index is read. */
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /** Milliseconds between readings of the root index. @default it is read once, and then on demand */
  readonly rediscover?: number | undefined;
  /** Whether everything below the mount that is no route is the site itself. @default false: a 404 */
  readonly passthrough?: boolean | undefined;
  /**
   * An OpenAPI Overlay, such as `waygate reconcile` writes, that is applied to the document of each discovery. (A stored
   * document has it in it already, if it was generated with it.) It may come from a file: it is checked.
   * @default none
   */
  readonly overlay?: unknown;
  /**
   * What becomes of a route that the document does not have. @default it passes; where `validation` enforces, it is
   * refused once the site has said of the same namespace that there is no such route
   */
  readonly unknownRoutes?: 'pass' | 'refuse' | undefined;
  /** Whether the site's own address in text bodies becomes the gateway's. @default false */
  readonly rewriteBodies?: boolean | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** How requests to the site, and its answers, are held against the document. @default not at all */
  readonly validation?: ValidationOptions | undefined;
  /**
   * What of the site is kept where the gateway has a store, and for how long. Without discovery the answers alone say
   * that, as RFC 9111 has it.
   * @default the careful defaults
   */
  readonly cache?: 'off' | SiteCacheOptions | undefined;
  /**
   * Whether a site that fails too often is left alone for a moment: its requests are answered from what is stored, or
   * by a 503 at once.
   * @default true where its answers are kept
   */
  readonly breaker?: boolean | Partial<CircuitBreakerOptions> | undefined;
}

export interface ValidationOptions {
  /**
   * `observe` refuses nothing and compares what would be refused with what the site says; `enforce` refuses what is
   * wrong, by all rules but those that the site was seen to break. @default 'off'
   */
  readonly mode?: ValidationMode | undefined;
  /**
   * With `enforce`: an operation is observed until the site has agreed with so many verdicts in a row, and so is each
   * rule until the site has agreed with it once. @default both are enforced at once
   */
  readonly afterAgreement?: number | undefined;
  /**
   * Bytes of a JSON body or an urlencoded form that are read to be judged, and of the fields of a form of parts. Under
   * `enforce` a longer body is refused with 413; files, and what else no parameter stands in, have no limit here. Match
   * the site's own `post_max_size`. @default 8 MiB, as PHP has it
   */
  readonly bodyLimit?: number | undefined;
  /** Other modes for some routes; the first entry that is about an operation decides. @default none */
  readonly routes?: readonly RouteValidationMode[] | undefined;
  /**
   * Which of the site's answers are held against the document, beside the way of the request: none, one in a hundred,
   * or all that there is time for. @default 'sample' with `observe`, else 'off'
   */
  readonly responses?: 'off' | 'sample' | 'all' | undefined;
}
