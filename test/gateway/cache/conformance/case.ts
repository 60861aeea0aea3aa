/** Types of conformance cases: consecutive requests of a client, and the responses of the site. */

/** A request. Its fields, and those of its responses, are in the notation of {@link parseFields}. A missing one is not compared. */
export interface Step {
  /** Seconds since the previous step. */
  readonly after?: number;
  /** @default 'GET' */
  readonly method?: string;
  /** @default '/' */
  readonly path?: string;
  readonly request?: string;
  /** Status, unless it is 200, and fields of the site's response if the request is forwarded: `404 | Vary: Foo`. */
  readonly site?: string;
  /** @default `body of step <n>` */
  readonly siteBody?: string;
  /** Seconds until the head of the site's response arrives. */
  readonly delay?: number;
  /** No response of the site at all, or one whose body is incomplete. */
  readonly failure?: 'unreachable' | 'cut';
  /** Number of the step (from 1) whose response of the site the client gets; 0 for a response of the cache. @default this step */
  readonly from?: number;
  /** The same of a response that the site confirms, by default with a 304 without fields. */
  readonly confirms?: number;
  /** The same of a response that is refreshed in the background. */
  readonly refreshes?: number;
  /** Whether the request is forwarded. @default true if `from` is this step */
  readonly forwards?: boolean;
  /** @default the status of the site's response */
  readonly status?: number;
  readonly body?: string;
  readonly expects?: string;
  readonly absentFields?: readonly string[];
  /** Fields of the forwarded request; `null` for none. */
  readonly forwardedFields?: Readonly<Record<string, string | null>>;
}

export interface Case {
  /** The tested rule, as a sentence. */
  readonly name: string;
  /** The section that states it. */
  readonly rfc: string;
  readonly steps: readonly Step[];
}

/** Creates a case of a rule and its section, of RFC 9111 unless it names another. A step that is a text is its `site`. */
export const scenario = (name: string, section: string, steps: readonly (string | Step)[]): Case => ({
  name,
  rfc: section.startsWith('§') ? `RFC 9111 ${section}` : `RFC ${section}`,
  steps: steps.map((step) => (typeof step === 'string' ? { site: step } : step)),
});

/** Status and fields of the site's response in a step. */
export function parseSite({ confirms, site = confirms === undefined ? '' : '304' }: Step) {
  const [, status = '200', fields = ''] = /^(\d{3})?(?:^| \| |$)(.*)$/s.exec(site) ?? [];
  return { status: Number(status), fields };
}

/**
 * Parses field lines, separated by ` | `, to a flat list. A line without a name is `Cache-Control`, the value `@60` the date 60 seconds
 * from the start of the case, and `-` no field.
 */
export function parseFields(text: string, start: number): string[] {
  return (text === '' ? [] : text.split(' | ')).flatMap((line) => {
    const [, name = 'Cache-Control', value = line] = /^([\w-]+): (.*)$/s.exec(line) ?? [];
    return value === '-' ? [] : [name, formatValue(value, start)];
  });
}

export const formatValue = (value: string, start: number): string =>
  /^@-?\d+$/.test(value) ? new Date(start + Number(value.slice(1)) * 1000).toUTCString() : value;

/** [rule, section, response fields, seconds until the second request, source of its response, request fields] */
export type ReuseRow = readonly [
  name: string,
  section: string,
  fields: string,
  after: number,
  second: 'store' | 'site' | '304',
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
