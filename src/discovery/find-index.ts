import { readSelfLink, rootFromUrl } from './address.ts';
import type { DiscoveryClient } from './client.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import { createDiscoveryError, type FetchFailure, isOriginUnreachable } from './failures.ts';
import { type FoundIndex, fetchIndex, fetchPage } from './fetch-index.ts';
import { guessedCandidates, linkedCandidates, type RootCandidate } from './root-candidates.ts';
import type { FetchedResponse } from './send-request.ts';

/** The values that all steps of the search for a root index share. */
export interface IndexSearchContext {
  readonly client: DiscoveryClient;
  readonly report: RuleReporter;
  /** Whether the index is requested with response schemas. */
  readonly withSchemas: boolean;
  readonly hasCredentials: boolean;
}

/**
 * Finds the root index of the site that an address belongs to. Tries the address itself if it is spelled like a root
 * index, then the addresses that the page links to, then the usual addresses below the page's folders.
 *
 * @throws {DiscoveryError} when no address returns a root index
 */
export async function findIndex(input: URL, context: IndexSearchContext): Promise<FoundIndex> {
  const { client, report, hasCredentials } = context;
  const failures: FetchFailure[] = [];
  const tried = new Set<string>();

  const tryRoot = async (root: URL): Promise<FoundIndex | undefined> => {
    if (tried.has(root.href) || client.isOutOfTime()) return undefined;
    tried.add(root.href);
    const found = await fetchIndex(root, client, context.withSchemas);
    if ('root' in found) return found;
    failures.push(found);
    return undefined;
  };
  const accept = async ({ source, isGuess }: RootCandidate, found: FoundIndex): Promise<FoundIndex> => {
    const accepted = isGuess ? await followSelfLink(found, tryRoot, report) : found;
    report('found-by', { pointer: '', detail: `Source: ${source}. Address: ${accepted.root.href}.` });
    return accepted;
  };

  const rootInInput = rootFromUrl(input);
  if (rootInInput !== undefined) {
    const found = await tryRoot(rootInInput);
    const source = 'the address given, which is spelled like a root index';
    if (found !== undefined) return accept({ root: rootInInput, source, isGuess: false }, found);
    throwIfConclusive(isOriginDown, failures, context, input);
    throwIfConclusive(isAccessDenied, failures, context, input);
  }

  const page = await fetchPage(input, client);
  if (page.index !== undefined) {
    const { index } = page;
    const withSchemas = context.withSchemas ? await tryRoot(index.root) : undefined;
    return accept({ root: index.root, source: 'the address given', isGuess: false }, withSchemas ?? index);
  }
  if (page.failure !== undefined) failures.push(page.failure);
  throwIfConclusive(isOriginDown, page.failure === undefined ? [] : [page.failure], context, input);

  const linked = page.response === undefined ? [] : linkedCandidates(page.response, page.text, report);
  const pages = page.response === undefined ? [input] : [input, page.response.url];
  for (const candidate of [...linked, ...guessedCandidates(pages)]) {
    const before = failures.length;
    const found = await tryRoot(candidate.root);
    if (found !== undefined) return accept(candidate, found);
    throwIfConclusive(isAccessDenied, failures.slice(before), context, input);
  }
  const hasPage = isSuccessful(page.response);
  throw createDiscoveryError(failures, { input, attempts: client.attempts, hasCredentials, hasPage });
}

/** Replaces an index at a guessed address by the one at its own `self` link, requested at the same origin. */
async function followSelfLink(
  found: FoundIndex,
  tryRoot: (root: URL) => Promise<FoundIndex | undefined>,
  report: RuleReporter,
): Promise<FoundIndex> {
  const selfLink = readSelfLink(found.json);
  if (selfLink === undefined) return found;
  const self = new URL(selfLink.pathname + selfLink.search, found.root.origin);
  if (self.href === found.root.href) return found;
  const linked = await tryRoot(self);
  if (linked === undefined || linked.json['home'] !== found.json['home']) return found;
  report('self-address', {
    pointer: '/routes/~1/_links/self',
    detail: `${found.root.href} → ${linked.root.href}.`,
  });
  return linked;
}

function isOriginDown({ reason }: FetchFailure): boolean {
  return isOriginUnreachable(reason);
}

/** Whether WordPress itself, and not a server in front of it, denied access. */
function isAccessDenied({ reason, code }: FetchFailure): boolean {
  return code !== undefined && (reason === 'unauthorized' || reason === 'forbidden');
}

/** Ends the search if a failure at the given origin rules out success at every other address. */
function throwIfConclusive(
  isConclusive: (failure: FetchFailure) => boolean,
  failures: readonly FetchFailure[],
  { client: { attempts }, hasCredentials }: IndexSearchContext,
  input: URL,
): void {
  const failure = failures.find((each) => isConclusive(each) && new URL(each.url).origin === input.origin);
  if (failure === undefined) return;
  throw createDiscoveryError([failure], { input, attempts, hasCredentials, hasPage: false });
}

function isSuccessful(response: FetchedResponse | undefined): boolean {
  return response !== undefined && response.status < 300;
}
