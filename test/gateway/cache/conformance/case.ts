/** Types of conformance cases: consecutive requests of a client, and the responses of the site. */

/** A moment as an HTTP date: seconds from the start of the case. */
export interface At {
  readonly at: number;
}

export const at = (seconds: number): At => ({ at: seconds });

/** Placeholder in field values of the site: its scheme, host and port in the run. */
export const SITE = '{site}';

/** A list gives several field lines, `null` omits the field. Numbers are formatted. */
type FieldValue = string | number | At | readonly (string | At)[] | null;
export type Fields = Readonly<Record<string, FieldValue>>;

interface OriginBehavior {
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

/** A step of a table, with fields in the notation of {@link parseFields}. */
export interface StepRow extends Omit<Step, 'headers' | 'site' | 'expectedFields'> {
  readonly request?: string;
  /** Status, unless it is 200, and fields of the site's response: `404 | Vary: Foo`. */
  readonly site?: string;
  readonly siteBody?: string;
  readonly delay?: number;
  readonly failure?: 'unreachable' | 'cut';
  readonly expects?: string;
  /** `servedFrom`. */
  readonly from?: number;
  /** Number of the step whose response the site confirms, by default with a 304 without fields. */
  readonly confirms?: number;
  /** `servedFrom` of a response that is refreshed in the background. */
  readonly refreshes?: number;
}

/** Creates a case of a rule and its section, of RFC 9111 unless it names another. A step that is a text is its `site`. */
export const scenario = (name: string, section: string, steps: readonly (string | StepRow)[]): Case => ({
  name,
  rfc: section.startsWith('§') ? `RFC 9111 ${section}` : `RFC ${section}`,
  steps: steps.map((step) => createStep(typeof step === 'string' ? { site: step } : step)),
});

function createStep(row: StepRow): Step {
  const { confirms, delay, expects, failure, from, refreshes, request, siteBody, ...rest } = row;
  const [, status, fields = ''] =
    /^(\d{3})?(?:^| \| |$)(.*)$/s.exec(row.site ?? (confirms ? '304' : '')) ?? [];
  const site: OriginBehavior = {
    ...(status === undefined ? {} : { status: Number(status) }),
    ...(fields === '' ? {} : { headers: parseFields(fields) }),
    ...(siteBody === undefined ? {} : { body: siteBody }),
    ...(delay === undefined ? {} : { delay }),
    ...(failure === undefined ? {} : { failure }),
  };
  const servedFrom = from ?? confirms ?? refreshes;
  return {
    ...rest,
    site,
    ...(request === undefined ? {} : { headers: parseFields(request) }),
    ...(expects === undefined ? {} : { expectedFields: parseFields(expects) }),
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(confirms === undefined ? {} : { forwards: true }),
    ...(refreshes === undefined ? {} : { inBackground: true }),
  };
}

/**
 * Parses field lines, separated by ` | `. A line without a name is `Cache-Control`, the value `@60` the date 60 seconds
 * from the start of the case, and `-` no field.
 */
function parseFields(text: string): Fields {
  const fields: Record<string, FieldValue> = {};
  for (const line of text === '' ? [] : text.split(' | ')) {
    const [, name = 'Cache-Control', value = line] = /^([\w-]+): (.*)$/s.exec(line) ?? [];
    const parsed = value === '-' ? null : /^@-?\d+$/.test(value) ? at(Number(value.slice(1))) : value;
    const known = fields[name];
    fields[name] = known === undefined ? parsed : ([known, parsed].flat() as (string | At)[]);
  }
  return fields;
}

/** Source of the second response: the store, the site, or the store after a 304. */
type SecondOutcome = 'store' | 'site' | '304';

/** [rule, section, response fields, seconds until the second request, source of its response, request fields] */
export type ReuseRow = readonly [
  name: string,
  section: string,
  fields: string,
  after: number,
  second: SecondOutcome,
  request?: string,
];

/** Creates cases of two equal requests, the first of them with a response of a status. */
export function reuse(rows: readonly ReuseRow[], status = 200): readonly Case[] {
  return rows.map(([name, section, fields, after, second, request]) => {
    const source = second === 'store' ? { from: 1 } : second === '304' ? { confirms: 1 } : {};
    const first = fields === '' ? `${status}` : `${status} | ${fields}`;
    return scenario(name, section, [
      first,
      { after, ...source, ...(request === undefined ? {} : { request }) },
    ]);
  });
}

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
