/** The language of the table: what a client asks, one request after another, and what the site would answer. */

/** A moment as an HTTP date: seconds from the start of the case. */
export interface At {
  readonly at: number;
}

export const at = (seconds: number): At => ({ at: seconds });

/** In the value of a field of the site: scheme, host and port under which the site is known where it is played. */
export const SITE = '{site}';

/** A list stands for several lines of one name, `null` for none. Numbers are written out. */
export type FieldValue = string | number | At | readonly (string | At)[] | null;
export type Fields = Readonly<Record<string, FieldValue>>;

export interface OriginBehavior {
  /** @default 200 */
  readonly status?: number;
  /** `Date` is there by default, and says the truth; `null` leaves it out. */
  readonly headers?: Fields;
  /** @default `body of step <n>` */
  readonly body?: string;
  /** Seconds until the head is there. */
  readonly delay?: number;
  /** No answer at all, or one that breaks off in its body. */
  readonly failure?: 'unreachable' | 'cut';
}

export interface Step {
  /** Seconds that have passed since the step before. */
  readonly after?: number;
  /** @default 'GET' */
  readonly method?: string;
  /** @default '/' */
  readonly path?: string;
  readonly headers?: Fields;
  /** What the site answers if it is asked. */
  readonly site?: OriginBehavior;
  /** The step (from 1) whose answer of the site goes out; 0 for none of the site's. @default this one */
  readonly servedFrom?: number;
  /** Whether the site is asked. @default where the answer is of this step */
  readonly forwards?: boolean;
  /** The site is asked behind the client's back, while another answer goes out. */
  readonly inBackground?: boolean;
  /** @default the status that the site gave */
  readonly status?: number;
  readonly body?: string;
  readonly expectedFields?: Fields;
  readonly absentFields?: readonly string[];
  /** Fields of the request as the site saw it; `null` for none. */
  readonly forwardedFields?: Readonly<Record<string, string | At | null>>;
}

export interface Case {
  /** What holds, as a sentence. */
  readonly name: string;
  /** Where it is written. */
  readonly rfc: string;
  readonly steps: readonly Step[];
}

/** What a row of a table comes to the second time: answered from the store, by the site, or by its confirmation. */
export type SecondOutcome = 'store' | 'site' | 'confirmed';

/** [what holds, where it is written, the answer's fields, seconds until the second request, what that comes to, its fields] */
export type ReuseRow = readonly [
  name: string,
  rfc: string,
  answer: Fields,
  after: number,
  second: SecondOutcome,
  request?: Fields,
];

/** Cases of two like requests. `more` is what all first answers have besides. */
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

/** Flat list of fields, dates written for a case that started at `start` (milliseconds). */
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
