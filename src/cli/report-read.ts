import { z } from 'zod';
import { ConfigurationError, DiscoveryError } from '../errors.ts';
import type { OperationReport } from '../gateway/validating/report.ts';

/** What a gateway says of one site. A later gateway may say more, and have other words for modes and findings. */
export interface SiteEvidence {
  readonly site: string;
  readonly mode: string;
  readonly afterAgreement: number | null;
  readonly operations: readonly OperationEvidence[];
  readonly responses: AnswersEvidence | null;
}

export interface OperationEvidence extends Omit<OperationReport, 'mode'> {
  readonly mode: string;
}

export interface AnswersEvidence {
  readonly judged: number;
  readonly operations: readonly {
    readonly operation: string;
    readonly judged: number;
    readonly right: number;
    readonly findings: readonly {
      readonly pointer: string;
      readonly kind: string;
      readonly saw: string;
      readonly answers: number;
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
  seen: count,
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
      disagreed: count,
      setAside: z.boolean(),
      examples: z.array(example),
    }),
  ),
  missedParams: z.array(z.looseObject({ param: z.string(), count, examples: z.array(example) })),
});

const answersSchema: z.ZodType<AnswersEvidence> = z.looseObject({
  judged: count,
  operations: z.array(
    z.looseObject({
      operation: z.string(),
      judged: count,
      right: count,
      findings: z.array(
        z.looseObject({
          pointer: z.string(),
          kind: z.string(),
          saw: z.string(),
          answers: count,
        }),
      ),
    }),
  ),
});

const siteSchema: z.ZodType<SiteEvidence> = z.looseObject({
  site: z.string(),
  mode: z.string(),
  afterAgreement: z.number().nullable(),
  operations: z.array(operationSchema),
  responses: answersSchema.nullable(),
});

const sitesSchema = z.looseObject({ sites: z.array(z.looseObject({ site: z.string() })) });

export interface Asked {
  /** The gateway's address, or that of its operations. */
  readonly url: string;
  readonly token: string;
  /** The name of one site; all of them without it. */
  readonly site?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Asks a gateway for the evidence of its sites.
 *
 * @throws ConfigurationError where the gateway refuses, DiscoveryError where there is none
 */
export async function readEvidence(asked: Asked): Promise<readonly SiteEvidence[]> {
  const names =
    asked.site === undefined
      ? (await ask(asked, '/-/sites', sitesSchema)).sites.map(({ site }) => site)
      : [asked.site];
  return Promise.all(
    names.map((name) => ask(asked, `/-/sites/${encodeURIComponent(name)}/validation`, siteSchema)),
  );
}

async function ask<T>({ fetch, token, url }: Asked, path: string, schema: z.ZodType<T>): Promise<T> {
  const address = url.replace(/\/+$/, '') + path;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(address, { headers: { authorization: `Bearer ${token}` }, redirect: 'error' });
    body = await response.json();
  } catch (cause) {
    throw new DiscoveryError(`${address} is no gateway's, or it cannot be reached: ${reasonOf(cause)}`, {
      reason: 'unreachable',
      cause,
    });
  }
  const answer = schema.safeParse(body);
  if (response.ok && answer.success) return answer.data;
  if (response.ok) {
    throw new DiscoveryError(`${address} answered, but not as this waygate's gateway does`, {
      reason: 'not-a-gateway',
    });
  }
  const message = problemSchema.safeParse(body).data?.message ?? `it answered ${response.status}`;
  throw new ConfigurationError(`${address}: ${message}`);
}

const problemSchema = z.looseObject({ message: z.string() });

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
