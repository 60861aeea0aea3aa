import { withExtra } from './client.ts';
import { createClientError, readError } from './error.ts';
import type { CallOptions, RawClient, RawResult, ResponseError } from './options-and-results.ts';

/** Request of a batch: method, path, options. */
export type BatchRequest = readonly [
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: Pick<CallOptions, 'path' | 'query' | 'body' | 'extra'> & {
    readonly headers?: Readonly<Record<string, string>>;
  },
];

/** Options of a batch. */
export interface BatchOptions extends Pick<CallOptions, 'headers' | 'signal'> {
  /** `require-all-validate`: run no request if the parameters of one are refused. @default 'normal' */
  readonly validation?: 'normal' | 'require-all-validate' | undefined;
  /**
   * Maximum number of requests that the site accepts at once; more are sent as several batches. @default 25
   */
  readonly size?: number | undefined;
}

/** Outcome of one request of a batch. */
export interface BatchResult {
  readonly data?: unknown;
  readonly error?: ResponseError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sends requests as one; an error of the whole batch is in each result.
 *
 * @throws {RangeError} if requests that must all be valid are too many for one batch
 */
export async function runBatch(
  client: RawClient,
  requests: readonly BatchRequest[],
  { validation = 'normal', size = 25, ...options }: BatchOptions = {},
): Promise<BatchResult[]> {
  if (validation !== 'normal' && requests.length > size) {
    throw new RangeError(`a batch that must be valid as a whole has at most ${size} requests`);
  }
  const results: BatchResult[] = [];
  for (let start = 0; start < requests.length; start += Math.max(1, size)) {
    const group = requests.slice(start, start + Math.max(1, size));
    const body = {
      validation,
      requests: group.map(([method, path, { headers, ...given } = {}]) => {
        const { body, ...own } = withExtra(method, given);
        return { method, path: client.route(path, own), body, headers };
      }),
    };
    const result = await client.POST('/batch/v1', { ...options, body, throw: false });
    results.push(...group.map((_, at) => readBatchResult(result, at)));
  }
  return results;
}

function readBatchResult({ data, error, response }: RawResult, at: number): BatchResult {
  if (error !== undefined) return { error, status: error.status, headers: {} };
  const { responses } = (data ?? {}) as { readonly responses?: readonly unknown[] };
  const inner = Array.isArray(responses) ? (responses[at] as unknown) : undefined;
  const { status, headers, body } = (inner ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof status !== 'number') {
    const reason = 'The site did not run the request of the batch, because another one was refused.';
    const skipped = createClientError('client_batch_skipped', reason, response?.status ?? 0);
    return { error: skipped, status: skipped.status, headers: {} };
  }
  // PHP sends an empty object as a list.
  const fields = Object.entries((headers ?? {}) as object).map(([name, value]) => [name, String(value)]);
  const common = { status, headers: Object.fromEntries(fields) as Record<string, string> };
  return status < 400 ? { data: body, ...common } : { error: readError(body, status, 'site'), ...common };
}
