import { rootBySpelling, statedRoot } from './address.ts';
import { askPage, type FoundIndex, readRoot } from './ask.ts';
import { type Candidate, guessedCandidates, namedCandidates } from './candidates.ts';
import type { Answer, Client } from './client.ts';
import { toError } from './explain.ts';
import type { Note } from './findings.ts';
import { isHopeless, type Refusal } from './reasons.ts';

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
  const { client, note, hasCredentials } = context;
  const refusals: Refusal[] = [];
  const tried = new Set<string>();

  const tryRoot = async (root: URL): Promise<FoundIndex | undefined> => {
    if (tried.has(root.href) || client.isOutOfTime()) return undefined;
    tried.add(root.href);
    const found = await readRoot(root, client, context.withSchemas);
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

  const page = await askPage(given, client);
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
  throw toError(refusals, { given, attempts: client.attempts, hasCredentials, hasPage: isPage(page.answer) });
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
  { client, hasCredentials }: SearchContext,
  given: URL,
): void {
  const definite = refusals.find((one) => isDefinite(one) && new URL(one.url).origin === given.origin);
  if (definite !== undefined)
    throw toError([definite], { given, attempts: client.attempts, hasCredentials, hasPage: false });
}

function isPage(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status < 300;
}
