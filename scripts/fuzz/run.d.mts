/** What an answer says of a request's parameters. */
export interface Said {
  /** Of the answer itself, whatever stands in an envelope. */
  readonly status: number;
  /** WordPress's code; empty where there is none. */
  readonly code: string;
  /** The names in `data.params`, sorted. */
  readonly names: readonly string[];
  readonly rules: readonly string[];
}

export interface Finding {
  /** Which of the seed's requests it is. */
  readonly position: number;
  /** Method and pattern of the operation that it was drawn from. */
  readonly operation: string;
  /** As it went out, for a reader. */
  readonly request: string;
  /**
   * `passed`: the site accepts the parameters, and was asked. `agreed`: both refuse alike. `missed`: the site refuses and
   * was asked. `different`: both refuse, not alike. `wrong`: the gateway refuses what the site accepts. `failed`: the site's
   * program broke down over what the gateway refuses. `changed`: what was asked of the site is not what the caller sent.
   */
  readonly verdict: 'passed' | 'agreed' | 'missed' | 'different' | 'wrong' | 'failed' | 'changed';
  /** Why the site refuses: `<param>: <code>` each. */
  readonly reasons: readonly string[];
  readonly site: Said;
  readonly gateway: Said;
}

/** Stands between the gateway and the site: see `startReplay`. */
export interface Replay {
  readonly origin: string;
  remember(
    position: number,
    answer: { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer },
  ): void;
  arrived(
    position: number,
  ): { readonly method: string; readonly target: string; readonly body: Buffer } | undefined;
  close(): Promise<void>;
}

export interface FuzzOptions {
  /** The root index as the site states it. */
  readonly index: unknown;
  /** The front of the site, ending in a slash. */
  readonly site: string;
  /** The mount of the gateway that stands in front of `replay`, ending in a slash. */
  readonly gateway: string;
  readonly replay: Replay;
  /** The path of the interface below the front: `wp-json`, or `index.php?rest_route=`. */
  readonly prefix: string;
  /** Of a user who may do everything. What could harm the site is never sent with it. */
  readonly authorization?: string | undefined;
  readonly seed: number;
  /** The first of the seed's requests. @default 0 */
  readonly from?: number;
  readonly count: number;
  /** Whether what reads has no body: sites made of `fetch` never see it. @default false */
  readonly bodyless?: boolean;
  /** @default 8 */
  readonly parallel?: number;
}

/** Draws requests from a site's index, sends each to the site and to a gateway in front of it, and compares. */
export function fuzz(options: FuzzOptions): Promise<readonly Finding[]>;
