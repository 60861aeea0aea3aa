import type { JsonObject } from '../json.ts';
import { toCanonicalRoot, withHelpContext } from './address.ts';
import { type ClassifiedResponse, classifyResponse } from './classify-response.ts';
import type { DiscoveryClient } from './client.ts';
import { decodeText } from './decode-text.ts';
import type { TextRepair } from './extract-json.ts';
import { type FailureReason, type FetchFailure, isOriginUnreachable } from './failures.ts';
import type { FetchedResponse } from './send-request.ts';

/** A root index as parsed JSON, before it is read. */
export interface FoundIndex {
  /** The canonical URL of the root index. */
  readonly root: URL;
  readonly json: JsonObject;
  /** The repairs that were needed to parse the response. */
  readonly repairs: readonly TextRepair[];
  readonly status: number;
  /** The failure of the request with `context=help`. Present if the index was then fetched without response schemas. */
  readonly helpContextFailure?: FetchFailure;
}

/**
 * Fetches a root index. If a request with response schemas (`context=help`) fails, the index is requested without them.
 *
 * @returns the index, or the failure of the first request
 */
export async function fetchIndex(
  root: URL,
  client: DiscoveryClient,
  withSchemas: boolean,
): Promise<FoundIndex | FetchFailure> {
  const help = withSchemas ? await fetchIndexOnce(withHelpContext(root), client) : undefined;
  if (help !== undefined && ('root' in help || !isRetryUseful(help.reason))) return help;
  const plain = await fetchIndexOnce(root, client);
  if (!('root' in plain)) return help ?? plain;
  return help === undefined ? plain : { ...plain, helpContextFailure: help };
}

async function fetchIndexOnce(url: URL, client: DiscoveryClient): Promise<FoundIndex | FetchFailure> {
  const outcome = await client.request(url);
  if (outcome.kind === 'failure') return recordFailure(outcome.failure, client);
  const classified = classifyResponse(outcome.response);
  if (classified.kind === 'failure') return recordFailure(classified.failure, client);
  return recordIndex(outcome.response, classified, client);
}

function recordIndex(
  { url, status }: FetchedResponse,
  { value: json, repairs }: Extract<ClassifiedResponse, { kind: 'index' }>,
  client: DiscoveryClient,
): FoundIndex {
  client.attempts.push({ url: url.href, outcome: `${status}, a root index` });
  return { root: toCanonicalRoot(url), json, repairs, status };
}

/** Whether the same URL without `context=help` could succeed after this failure. */
function isRetryUseful(reason: FailureReason): boolean {
  return !isOriginUnreachable(reason) && !INDEPENDENT_OF_CONTEXT.has(reason);
}

const INDEPENDENT_OF_CONTEXT: ReadonlySet<FailureReason> = new Set<FailureReason>([
  'not-found',
  'html',
  'redirect-loop',
  'bot-challenge',
]);

/** The result of requesting the address that the user gave. */
export interface FetchedPage {
  /** Absent if no response was received. */
  readonly response?: FetchedResponse;
  /** The decoded page. Empty if it is a root index or no response was received. */
  readonly text: string;
  /** Present if the address is a root index itself. */
  readonly index?: FoundIndex;
  readonly failure?: FetchFailure;
}

/** Fetches the page at the address that the user gave. The response may also be a root index. */
export async function fetchPage(url: URL, client: DiscoveryClient): Promise<FetchedPage> {
  const outcome = await client.request(url, { truncateHtml: true });
  if (outcome.kind === 'failure') return { text: '', failure: recordFailure(outcome.failure, client) };
  const { response } = outcome;
  const classified = classifyResponse(response);
  if (classified.kind === 'index') {
    return { response, text: '', index: recordIndex(response, classified, client) };
  }
  const { text } = decodeText(response.bodyBytes, undefined);
  return { response, text, failure: recordFailure(classified.failure, client) };
}

function recordFailure(failure: FetchFailure, client: DiscoveryClient): FetchFailure {
  client.attempts.push({ url: failure.url, outcome: failure.description });
  return failure;
}
