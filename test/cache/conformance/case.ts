/** Types of conformance cases: consecutive requests of a client, and the responses of the site. */

/** A moment as an HTTP date: seconds from the start of the case. */
export interface At {
  readonly at: number;
}

export const at = (seconds: number): At => ({ at: seconds });

/** Placeholder in field values of the site: its scheme, host and port in the run. */
export const SITE = '{site}';

/** A list gives several field lines, `null` omits the field. Numbers are formatted. */
export type FieldValue = string | number | At | readonly (string | At)[] | null;
export type Fields = Readonly<Record<string, FieldValue>>;

export interface OriginBehavior {
  /** @default 200 */
  readonly status?: number;
  /** Contains a correct `Date` by default; `null` omits it. */
  readonly headers?: Fields;
  /** @default `body of step <n>` */
  readonly body?: string;
  /** Seconds until the head arrives. */
  readonly delay?: number;
  /** No response at all, or one whose body is incomplete. */
  readonly failure?: 'unreachable' | 'cut';
}

export interface Step {
  /** Seconds since the previous step. */
  readonly after?: number;
  /** @default 'GET' */
  readonly method?: string;
  /** @default '/' */
  readonly path?: string;
  readonly headers?: Fields;
  /** The site's response if the request is forwarded. */
  readonly site?: OriginBehavior;
  /** Number of the step (from 1) whose origin response the client gets; 0 for a response of the cache. @default this step */
  readonly servedFrom?: number;
  /** Whether the request is forwarded. @default true if `servedFrom` is this step */
  readonly forwards?: boolean;
  /** Whether the request is forwarded in the background, while the client gets a stored response. */
  readonly inBackground?: boolean;
  /** @default the status of the site's response */
  readonly status?: number;
  readonly body?: string;
  readonly expectedFields?: Fields;
  readonly absentFields?: readonly string[];
  /** Fields of the forwarded request; `null` for none. */
  readonly forwardedFields?: Readonly<Record<string, string | At | null>>;
}

export interface Case {
  /** The tested rule, as a sentence. */
  readonly name: string;
  /** The section that states it. */
  readonly rfc: string;
  readonly steps: readonly Step[];
}

/** Source of the second response: the store, the site, or the store after a 304. */
export type SecondOutcome = 'store' | 'site' | 'confirmed';

/** [rule, section, response fields, seconds until the second request, source of its response, request fields] */
export type ReuseRow = readonly [
  name: string,
  rfc: string,
  headers: Fields,
  after: number,
  second: SecondOutcome,
  request?: Fields,
];

/** Creates cases of two equal requests. `more` is added to all first responses. */
export function reuse(
  rows: readonly ReuseRow[],
  more: Omit<OriginBehavior, 'headers'> = {},
): readonly Case[] {
  return rows.map(([name, rfc, headers, after, second, request]) => ({
    name,
    rfc,
    steps: [
      { site: { ...more, headers } },
      { after, ...(request === undefined ? {} : { headers: request }), ...SECOND[second] },
    ],
  }));
}

const SECOND: Readonly<Record<SecondOutcome, Partial<Step>>> = {
  store: { servedFrom: 1 },
  site: {},
  confirmed: { servedFrom: 1, forwards: true, site: { status: 304 } },
};

/** Creates a flat list of fields, with dates relative to `start` (milliseconds). */
export function flatten(fields: Fields, start: number): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === null) return [];
    const lines = Array.isArray(value) ? value : [value];
    return lines.flatMap((line) => [name, formatFieldValue(line, start)]);
  });
}

export function formatFieldValue(value: string | number | At, start: number): string {
  return typeof value === 'object' ? new Date(start + value.at * 1000).toUTCString() : String(value);
}
