import * as z from 'zod';
import { ConfigurationError, DiscoveryError } from '../../errors.ts';
import type { DependencyPair, DependencyReport } from '../../gateway/caching/dependency-report.ts';
import type {
  OperationValidationReport,
  RuleValidationReport,
} from '../../gateway/validating/validation-report.ts';

/** The evidence of one site. A newer gateway may add members and further words for modes and findings. */
export interface SiteEvidence {
  readonly site: string;
  readonly mode: string;
  readonly afterAgreement: number | null;
  readonly operations: readonly OperationEvidence[];
  readonly responses: ResponseEvidence | null;
  readonly dependencies: DependencyEvidence;
}

/** The first pairs of a kind of write and a kind of read that were learned, the independent ones first. */
export interface DependencyEvidence extends Pick<DependencyReport, 'writes' | 'total'> {
  readonly pairs: readonly (Omit<DependencyPair, 'state'> & { readonly state: string })[];
}

export interface OperationEvidence extends Omit<OperationValidationReport, 'mode' | 'rules'> {
  readonly mode: string;
  readonly rules: readonly RuleEvidence[];
}

export interface RuleEvidence extends Omit<RuleValidationReport, 'status' | 'decision'> {
  readonly status: string;
}

export interface ResponseEvidence {
  readonly validated: number;
  readonly operations: readonly {
    readonly operation: string;
    readonly validated: number;
    readonly correct: number;
    readonly findings: readonly {
      readonly pointer: string;
      readonly kind: string;
      readonly actual: string;
      readonly responses: number;
    }[];
  }[];
}

const count = z.number();
const example = z.looseObject({ value: z.string(), status: z.number() });

const operationSchema: z.ZodType<OperationEvidence> = z.looseObject({
  operation: z.string().nullable(),
  method: z.string(),
  route: z.string(),
  mode: z.string(),
  enforced: z.boolean(),
  ready: z.boolean(),
  validated: count,
  wouldRefuse: count,
  refused: count,
  agreed: z.looseObject({ accepted: count, refused: count }),
  disagreed: count,
  missed: count,
  undecided: count,
  rules: z.array(
    z.looseObject({
      param: z.string(),
      rule: z.string(),
      broken: count,
      refused: count,
      agreed: count,
      confirmed: count,
      disagreed: count,
      status: z.string(),
      suspended: z.boolean(),
      examples: z.array(example),
    }),
  ),
  missedParams: z.array(z.looseObject({ param: z.string(), count, examples: z.array(example) })),
});

const responsesSchema: z.ZodType<ResponseEvidence> = z.looseObject({
  validated: count,
  operations: z.array(
    z.looseObject({
      operation: z.string(),
      validated: count,
      correct: count,
      findings: z.array(
        z.looseObject({
          pointer: z.string(),
          kind: z.string(),
          actual: z.string(),
          responses: count,
        }),
      ),
    }),
  ),
});

const dependenciesSchema: z.ZodType<DependencyEvidence> = z.looseObject({
  writes: z.looseObject({ writes: count, purged: count, kept: count }),
  total: count,
  pairs: z.array(
    z.looseObject({
      write: z.string(),
      read: z.string(),
      state: z.string(),
      observations: count,
      changes: count,
    }),
  ),
});

const siteSchema: z.ZodType<Omit<SiteEvidence, 'dependencies'>> = z.looseObject({
  site: z.string(),
  mode: z.string(),
  afterAgreement: z.number().nullable(),
  operations: z.array(operationSchema),
  responses: responsesSchema.nullable(),
});

const sitesSchema = z.looseObject({ sites: z.array(z.looseObject({ site: z.string() })) });

export interface EvidenceRequest {
  /** URL of the gateway, or of its admin listener. */
  readonly url: string;
  readonly token: string;
  /** Name of one site. @default all sites */
  readonly site?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Fetches the evidence of a gateway's sites.
 *
 * @throws {ConfigurationError} when the gateway refuses the request, because of a wrong token for example
 * @throws {DiscoveryError} when the URL is not a gateway's or cannot be reached
 */
export async function fetchEvidence(request: EvidenceRequest): Promise<readonly SiteEvidence[]> {
  const names =
    request.site === undefined
      ? (await fetchJson(request, '/-/sites', sitesSchema)).sites.map(({ site }) => site)
      : [request.site];
  return Promise.all(
    names.map(async (name) => {
      const path = `/-/sites/${encodeURIComponent(name)}`;
      const [site, dependencies] = await Promise.all([
        fetchJson(request, `${path}/validation`, siteSchema),
        fetchJson(request, `${path}/dependencies`, dependenciesSchema),
      ]);
      return { ...site, dependencies };
    }),
  );
}

async function fetchJson<T>(
  { fetch, token, url }: EvidenceRequest,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const endpoint = url.replace(/\/+$/, '') + path;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(endpoint, { headers: { authorization: `Bearer ${token}` }, redirect: 'error' });
    body = await response.json();
  } catch (cause) {
    throw new DiscoveryError(`cannot read ${endpoint}: ${describeCause(cause)}`, {
      reason: 'unreachable',
      cause,
    });
  }
  const parsed = schema.safeParse(body);
  if (response.ok && parsed.success) return parsed.data;
  if (response.ok) {
    throw new DiscoveryError(`${endpoint} did not respond as a waygate gateway of this version does`, {
      reason: 'not-a-gateway',
    });
  }
  const message = problemSchema.safeParse(body).data?.message ?? `status ${response.status}`;
  throw new ConfigurationError(`${endpoint}: ${message}`);
}

const problemSchema = z.looseObject({ message: z.string() });

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
