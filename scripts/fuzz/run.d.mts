/** Parameter errors of a response. */
export interface ResponseSummary {
  /** HTTP status; the status in an `_envelope` is ignored. */
  readonly status: number;
  /** WordPress error code; empty for a response without one. */
  readonly code: string;
  /** Parameter names in `data.params`, sorted. */
  readonly names: readonly string[];
  /** `<param>: <code>` of each detail, sorted. */
  readonly rules: readonly string[];
}

export interface Finding {
  /** Number of the request in the sequence of the seed. */
  readonly position: number;
  /** Method and route pattern of the operation. */
  readonly operation: string;
  /** Request line, headers and body, for display. */
  readonly request: string;
  /**
   * `passed`: the site accepts the parameters and the gateway forwarded the request. `agreed`: both refuse with the same
   * status, code and names. `missed`: the site refuses and the gateway forwarded. `different`: both refuse differently.
   * `wrong`: the gateway refuses what the site accepts. `failed`: the gateway refuses, the site returned a 5xx. `changed`:
   * the gateway forwarded another body than the client sent.
   */
  readonly verdict: 'passed' | 'agreed' | 'missed' | 'different' | 'wrong' | 'failed' | 'changed';
  /** Reasons of the site's refusal, `<param>: <code>`. */
  readonly reasons: readonly string[];
  readonly site: ResponseSummary;
  readonly gateway: ResponseSummary;
}

/** The site's direct response to a request. */
export interface SiteResponse {
  readonly status: number;
  /** Flat list name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Replay server between the gateway and the site: see `startReplay`. */
export interface Replay {
  readonly origin: string;
  /** Stores the site's direct response to a request. */
  record(position: number, response: SiteResponse): void;
  /** Returns the request that the gateway forwarded and drops its recording; `undefined` if it forwarded none. */
  takeForwarded(
    position: number,
  ): { readonly method: string; readonly target: string; readonly body: Buffer } | undefined;
  close(): Promise<void>;
}

export interface FuzzOptions {
  /** Root index of the site, as parsed JSON. */
  readonly index: unknown;
  /** Home URL of the site, ending in a slash. */
  readonly site: string;
  /** URL of the gateway in front of `replay`, ending in a slash. */
  readonly gateway: string;
  readonly replay: Replay;
  /** Path of the REST interface below the home URL: `wp-json`, or `index.php?rest_route=`. */
  readonly prefix: string;
  /** `Authorization` of an administrator. Requests that could harm the site are sent without it. */
  readonly authorization?: string | undefined;
  readonly seed: number;
  /** Number of the first request. @default 0 */
  readonly from?: number;
  readonly count: number;
  /** Sends no body with read methods, which `fetch` cannot represent. @default false */
  readonly bodyless?: boolean;
  /** Parameters that most requests to their operations set to a list of ids, also a wrong one. @default none */
  readonly aim?: readonly string[];
  /** Namespaces whose operations are requested. @default all */
  readonly namespaces?: readonly string[];
  /** Number of concurrent requests. @default 8 */
  readonly parallel?: number;
  /**
   * Responses of the site to earlier runs with the same requests, by position. The site does not get these requests again. The
   * responses of this run are added. @default none
   */
  readonly responses?: Map<number, SiteResponse>;
  /** Creates the request with a number. @default at random from the index */
  readonly draw?: (position: number) => import('./draw.mjs').DrawnRequest;
}

/** Generates requests from a site's index, sends each to the site and to the gateway, and compares the responses. */
export function fuzz(options: FuzzOptions): Promise<readonly Finding[]>;
