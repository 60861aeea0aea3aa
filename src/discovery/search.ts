import { DiscoveryError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { canonicalRoot, rootBySpelling, statedRoot, withHelp } from './address.ts';
import { type Candidate, guessedCandidates, namedCandidates } from './candidates.ts';
import type { Answer, Client } from './client.ts';
import type { Note } from './findings.ts';
import type { Tolerated } from './json-text.ts';
import { judge } from './judge.ts';
import { isHopeless, mostTelling, REASONS, type Reason, type Refusal } from './reasons.ts';
import { decodeText } from './text.ts';

/** A root index as it came. */
export interface FoundIndex {
  readonly root: URL;
  readonly value: JsonObject;
  readonly tolerated: readonly Tolerated[];
  readonly status: number;
  /** Why the index with the response schemas was not to be had, where it was asked for. */
  readonly helpRefusal?: Refusal;
}

export interface SearchContext {
  readonly client: Client;
  readonly note: Note;
  readonly withSchemas: boolean;
  readonly hasCredentials: boolean;
}

/**
 * Finds the root index of the site that an address belongs to: the address itself where it is spelled like one, what
 * the page names, and then the usual addresses below the page's folders. Throws a `DiscoveryError`.
 */
export async function findIndex(given: URL, context: SearchContext): Promise<FoundIndex> {
  const { client, note } = context;
  const refusals: Refusal[] = [];
  const tried = new Set<string>();

  const tryRoot = async (root: URL): Promise<FoundIndex | undefined> => {
    if (tried.has(root.href) || client.isOutOfTime()) return undefined;
    tried.add(root.href);
    const found = await readRoot(root, context);
    if ('root' in found) return found;
    refusals.push(found);
    return undefined;
  };
  const settle = async ({ by, isGuess }: Candidate, found: FoundIndex): Promise<FoundIndex> => {
    const settled = isGuess ? await followSelf(found, tryRoot, note) : found;
    note('found-by', { pointer: '', detail: `By ${by}; it stands at ${settled.root.href}.` });
    return settled;
  };

  const spelled = rootBySpelling(given);
  if (spelled !== undefined) {
    const found = await tryRoot(spelled);
    const by = 'the address given, which is spelled like one';
    if (found !== undefined) return settle({ root: spelled, by, isGuess: false }, found);
    throwIf(isDead, refusals, context, given);
    throwIf(isClosed, refusals, context, given);
  }

  const page = await askPage(given, context);
  if (page.found !== undefined) {
    const { found } = page;
    const better = context.withSchemas ? await tryRoot(found.root) : undefined;
    return settle({ root: found.root, by: 'the address given', isGuess: false }, better ?? found);
  }
  if (page.refusal !== undefined) refusals.push(page.refusal);
  throwIf(isDead, page.refusal === undefined ? [] : [page.refusal], context, given);

  const named = page.answer === undefined ? [] : namedCandidates(page.answer, page.text, note);
  const pages = page.answer === undefined ? [given] : [given, page.answer.url];
  for (const candidate of [...named, ...guessedCandidates(pages)]) {
    const before = refusals.length;
    const found = await tryRoot(candidate.root);
    if (found !== undefined) return settle(candidate, found);
    throwIf(isClosed, refusals.slice(before), context, given);
  }
  throw toError(refusals, context, given, isPage(page.answer));
}

/** Reads an index with its schemas, and without them where the site refuses that. */
async function readRoot(root: URL, { client, withSchemas }: SearchContext): Promise<FoundIndex | Refusal> {
  const rich = withSchemas ? await readOnce(withHelp(root), client) : undefined;
  if (rich !== undefined && ('root' in rich || !isWorthAsking(rich.reason))) return rich;
  const plain = await readOnce(root, client);
  if (!('root' in plain)) return rich ?? plain;
  return rich === undefined ? plain : { ...plain, helpRefusal: rich };
}

async function readOnce(url: URL, client: Client): Promise<FoundIndex | Refusal> {
  const outcome = await client.ask(url);
  if (outcome.kind === 'refusal') return logged(outcome.refusal, client);
  const judgement = judge(outcome.answer);
  if (judgement.kind === 'refusal') return logged(judgement.refusal, client);
  return toFound(outcome.answer, judgement, client);
}

function toFound(
  { url, status }: Answer,
  { value, tolerated }: { readonly value: JsonObject; readonly tolerated: readonly Tolerated[] },
  client: Client,
): FoundIndex {
  client.attempts.push({ url: url.href, outcome: `${status}, a root index` });
  return { root: canonicalRoot(url), value, tolerated, status };
}

/** Where nothing stands, or nothing answers, the same address without `context=help` is no better. */
function isWorthAsking(reason: Reason): boolean {
  return !isHopeless(reason) && !POINTLESS.has(reason);
}

const POINTLESS: ReadonlySet<Reason> = new Set<Reason>([
  'not-found',
  'html',
  'redirect-loop',
  'bot-challenge',
]);

interface Page {
  readonly answer?: Answer;
  readonly text: string;
  readonly found?: FoundIndex;
  readonly refusal?: Refusal;
}

/** Asks the address itself: it may be a root index, and otherwise is a page that may name one. */
async function askPage(url: URL, { client }: SearchContext): Promise<Page> {
  const outcome = await client.ask(url, { clipHtml: true });
  if (outcome.kind === 'refusal') return { text: '', refusal: logged(outcome.refusal, client) };
  const { answer } = outcome;
  const judgement = judge(answer);
  if (judgement.kind === 'index') return { answer, text: '', found: toFound(answer, judgement, client) };
  const { text } = decodeText(answer.bytes, undefined);
  return { answer, text, refusal: logged(judgement.refusal, client) };
}

/** A site has an opinion about its own address, which a guess may have missed: it is asked there, on this origin. */
async function followSelf(
  found: FoundIndex,
  tryRoot: (root: URL) => Promise<FoundIndex | undefined>,
  note: Note,
): Promise<FoundIndex> {
  const stated = statedRoot(found.value);
  if (stated === undefined) return found;
  const here = new URL(stated.pathname + stated.search, found.root.origin);
  if (here.href === found.root.href) return found;
  const better = await tryRoot(here);
  if (better === undefined || better.value['home'] !== found.value['home']) return found;
  note('self-address', {
    pointer: '/routes/~1/_links/self',
    detail: `${found.root.href} → ${better.root.href}.`,
  });
  return better;
}

function logged(refusal: Refusal, client: Client): Refusal {
  client.attempts.push({ url: refusal.url, outcome: refusal.came });
  return refusal;
}

/** Nothing answers at the origin. */
function isDead({ reason }: Refusal): boolean {
  return isHopeless(reason);
}

/** The interface itself says that it is not for everybody. */
function isClosed({ reason, code }: Refusal): boolean {
  return code !== undefined && (reason === 'unauthorized' || reason === 'forbidden');
}

/** Ends the search where no other address of the site could do better. */
function throwIf(
  isDefinite: (refusal: Refusal) => boolean,
  refusals: readonly Refusal[],
  context: SearchContext,
  given: URL,
): void {
  const definite = refusals.find((one) => isDefinite(one) && new URL(one.url).origin === given.origin);
  if (definite !== undefined) throw toError([definite], context, given, false);
}

function isPage(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}

/** What a person is told: what was asked, what came, and what to try. */
function toError(
  refusals: readonly Refusal[],
  { client, hasCredentials }: SearchContext,
  given: URL,
  hasPage: boolean,
): DiscoveryError {
  const { attempts } = client;
  const telling = mostTelling(refusals);
  const isNothing = telling === undefined || telling.reason === 'not-found' || telling.reason === 'html';
  if (hasPage && isNothing) {
    return new DiscoveryError(
      `${given.href} answers, but no WordPress REST interface was found there: none of ${attempts.length} addresses gave a root index. ${REASONS['not-wordpress']}`,
      { reason: 'not-wordpress', attempts },
    );
  }
  const { reason, url, came } = telling ?? {
    reason: 'timeout',
    url: given.href,
    came: 'was not done in time',
  };
  const asked = attempts.length > 1 ? ` (${attempts.length} addresses were asked.)` : '';
  const isRefused = reason === 'unauthorized' || reason === 'forbidden';
  const advice =
    isRefused && hasCredentials
      ? 'The credentials given were not accepted, or were not sent there: check the user, the application password and the address.'
      : REASONS[reason];
  return new DiscoveryError(`${url} ${came}${/[.!?]$/.test(came) ? '' : '.'}${asked} ${advice}`, {
    reason,
    attempts,
  });
}
