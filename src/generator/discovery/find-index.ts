import type { JsonObject } from '../../base/json.ts';
import { systemClock } from '../../base/ports.ts';
import { runInSlices, runSteps } from '../../base/steps.ts';
import { isHttpUrl, rootFromUrl, routeUrl, toCanonicalRoot, withHelpContext } from './address.ts';
import { classifyResponse, decodeText } from './classify-response.ts';
import type { DiscoveryClient, FetchedResponse } from './client.ts';
import { createDiscoveryError, type FetchFailure, isOriginUnreachable, isTemporary } from './failures.ts';
import type { RuleReporter } from './index-values.ts';

interface IndexSearchContext {
  readonly client: DiscoveryClient;
  readonly report: RuleReporter;
  readonly hasCredentials: boolean;
  /** Whether there is time to ask once more after a temporary failure. */
  readonly asksAgain: boolean;
  /** Named by the settings or the address. Their indexes can be open while the root index is closed. */
  readonly namespaces: readonly string[];
}

/**
 * Tries an address that is spelled like an index, then what its page links to, then the usual ones.
 * @throws {DiscoveryError} when no address returns a root index
 */
export async function findIndex(input: URL, context: IndexSearchContext): Promise<FoundIndex> {
  const { client, report, hasCredentials } = context;
  const failures: FetchFailure[] = [];
  const tried = new Set<string>();

  const tryRoot = async (root: URL): Promise<FoundIndex | undefined> => {
    if (tried.has(root.href) || client.isOutOfTime()) return undefined;
    tried.add(root.href);
    const found = await fetchIndex(root, client, context.asksAgain);
    if ('root' in found) return found;
    const isClosed = found.reason === 'unauthorized' || found.reason === 'forbidden';
    if (isClosed && context.namespaces.length > 0) return { root, json: {}, status: 200, closed: found };
    failures.push(found);
    return undefined;
  };
  const accept = (source: string, found: FoundIndex): FoundIndex => {
    report('found-by', { pointer: '' }, `Source: ${source}. Address: ${found.root.href}.`);
    return found;
  };

  const rootInInput = rootFromUrl(input);
  if (rootInInput !== undefined) {
    const found = await tryRoot(rootInInput);
    if (found !== undefined) return accept('the address given, which is spelled like a root index', found);
    throwIfConclusive(
      (failure) => isOriginUnreachable(failure.reason) || isAccessDenied(failure),
      failures,
      context,
      input,
    );
  }

  const { found: page, response } = await fetchUrl(input, client, true);
  if ('root' in page) return accept('the address given', (await tryRoot(page.root)) ?? page);
  failures.push(page);
  throwIfConclusive(({ reason }) => isOriginUnreachable(reason), [page], context, input);

  const header = response?.headers.get('link') ?? '';
  const text = response === undefined ? '' : runSteps(decodeText(response.body));
  const linked = response === undefined ? [] : linkedCandidates(response.url, header, text, report);
  const pages = response === undefined ? [input] : [input, response.url];
  for (const candidate of [...linked, ...guessedCandidates(pages)]) {
    const before = failures.length;
    const found = await tryRoot(candidate.root);
    if (found !== undefined) return { ...accept(candidate.source, found), pageText: `${header}\n${text}` };
    throwIfConclusive(isAccessDenied, failures.slice(before), context, input);
  }
  const hasPage = response !== undefined && response.status < 300;
  throw createDiscoveryError(failures, input, client.attempts, hasCredentials, hasPage);
}

function isAccessDenied({ reason, code }: FetchFailure): boolean {
  return code !== undefined && (reason === 'unauthorized' || reason === 'forbidden');
}

function throwIfConclusive(
  isConclusive: (failure: FetchFailure) => boolean,
  failures: readonly FetchFailure[],
  { client: { attempts }, hasCredentials }: IndexSearchContext,
  input: URL,
): void {
  const failure = failures.find((each) => isConclusive(each) && new URL(each.url).origin === input.origin);
  if (failure === undefined) return;
  throw createDiscoveryError([failure], input, attempts, hasCredentials);
}

export interface FoundIndex {
  readonly root: URL;
  readonly json: JsonObject;
  readonly status: number;
  readonly helpContextFailure?: FetchFailure;
  /** Why the root index, which is empty here, could not be read. */
  readonly closed?: FetchFailure;
  readonly pageText?: string;
}

async function fetchIndex(
  root: URL,
  client: DiscoveryClient,
  asksAgain: boolean,
  ofNamespace = false,
): Promise<FoundIndex | FetchFailure> {
  const { found: help } = await fetchUrl(withHelpContext(root), client, false, ofNamespace);
  // The same URL without `context=help` cannot succeed after these.
  if ('root' in help || isOriginUnreachable(help.reason) || INDEPENDENT_OF_CONTEXT.test(help.reason))
    return help;
  const { found: plain } = await fetchUrl(root, client, false, ofNamespace);
  if (asksAgain && isTemporary(help) && ('root' in plain || ofNamespace)) {
    await client.waitToAskAgain();
    const again = await fetchIndex(root, client, false, ofNamespace);
    if ('root' in again) return again;
  }
  return 'root' in plain ? { ...plain, helpContextFailure: help } : help;
}

const INDEPENDENT_OF_CONTEXT = /^(?:not-found|html|redirect-loop|bot-challenge)$/;

/** Reads a namespace's public index, whether listed or not. */
export function fetchNamespace(
  root: URL,
  namespace: string,
  client: DiscoveryClient,
  asksAgain: boolean,
): Promise<FoundIndex | FetchFailure> {
  const spelling = root.search === '' ? 'pretty' : 'plain';
  return fetchIndex(
    new URL(routeUrl({ root: root.href, spelling }, `/${namespace}`)),
    client,
    asksAgain,
    true,
  );
}

async function fetchUrl(
  url: URL,
  client: DiscoveryClient,
  truncateHtml = false,
  ofNamespace = false,
): Promise<{ readonly found: FoundIndex | FetchFailure; readonly response?: FetchedResponse }> {
  const outcome = await client.request(url, { truncateHtml });
  const fail = ({ failure }: { readonly failure: FetchFailure }): FetchFailure => {
    client.attempts.push({ url: failure.url, outcome: failure.description });
    return failure;
  };
  if (outcome.kind === 'failure') return { found: fail(outcome) };
  const { response } = outcome;
  const classified = await runInSlices(classifyResponse(response, ofNamespace), systemClock, client.signal);
  if (classified.kind === 'failure') return { found: fail(classified), response };
  const { status, url: at } = response;
  const outcomeWords = ofNamespace ? 'the index of a namespace' : 'a root index';
  client.attempts.push({ url: at.href, outcome: `${status}, ${outcomeWords}` });
  return { found: { root: toCanonicalRoot(at), json: classified.value, status }, response };
}

interface RootCandidate {
  readonly root: URL;
  readonly source: string;
}

function linkedCandidates(
  page: URL,
  header: string,
  text: string,
  report: RuleReporter,
): readonly RootCandidate[] {
  const inHeaders = Array.from(header.matchAll(LINK), ([, target = '']) => [target, 'Link header'] as const);
  const inHtml = htmlLinks(text).map((target) => [target, 'link element'] as const);
  return [...inHeaders, ...inHtml].flatMap(([target, place]) => {
    if (target === '' || !URL.canParse(target, page) || !isHttpUrl(new URL(target, page))) return [];
    const root = toCanonicalRoot(new URL(target, page));
    const source = `the ${place} of ${page.href}`;
    const linked = { root, source };
    if (root.origin === page.origin) return [linked];
    report('link-elsewhere', { pointer: '' }, `${page.origin} links to ${root.href}.`);
    // A public origin can be unreachable through a tunnel.
    const atPageOrigin = { root: new URL(root.pathname + root.search, page.origin), source };
    const isUpgrade =
      root.hostname === page.hostname && root.protocol === 'https:' && page.protocol === 'http:';
    return isUpgrade ? [linked, atPageOrigin] : [atPageOrigin, linked];
  });
}

/** As rest_output_link_header() writes it. */
const LINK = /<([^<>]{0,2000})>;\s{0,9}rel="https:\/\/api\.w\.org\/"/gi;

const MAX_LINKS = 100;

/** Every quantifier is bounded, because the page can be hostile. */
function htmlLinks(html: string): readonly string[] {
  const tags = Array.from(html.matchAll(/<link\s[^<>]{0,1000}>/gi), ([tag]) => tag);
  return tags
    .filter((tag) => /\srel\s{0,9}=\s{0,9}["']?https:\/\/api\.w\.org\//i.test(tag))
    .slice(0, MAX_LINKS)
    .flatMap((tag) => /\shref\s{0,9}=\s{0,9}["']?([^\s"'>]+)/i.exec(tag)?.[1] ?? [])
    .map((href) => href.replace(/&(?:amp|#0*38|#x26);/gi, '&'));
}

const NEAREST_FOLDERS = 3;
const TOPMOST_FOLDERS = 3;

/** The nearest folder first, as a site can be inside another; then pretty URLs, as any folder takes `rest_route`. */
function guessedCandidates(pages: readonly URL[]): readonly RootCandidate[] {
  const folders = [...new Set(pages.flatMap(ancestorFolders))];
  const tried = folders.filter(
    (_, position) => position < NEAREST_FOLDERS || position >= folders.length - TOPMOST_FOLDERS,
  );
  return ['wp-json/', 'index.php?rest_route=/', '?rest_route=/'].flatMap((spelling) =>
    tried.map((folder) => ({
      root: new URL(folder + spelling),
      source: `guessed address ${folder}${spelling}`,
    })),
  );
}

/** `…/blog/post` can be a page of the site `…/blog/post/`; `…/blog/index.php` is a file in `…/blog/`. */
function ancestorFolders(page: URL): readonly string[] {
  const segments = page.pathname.split('/').filter((segment) => segment !== '');
  if (!page.pathname.endsWith('/') && segments.at(-1)?.includes('.') === true) segments.pop();
  return Array.from({ length: segments.length + 1 }, (_, levels) => {
    const path = segments.slice(0, segments.length - levels).join('/');
    return `${page.origin}/${path}${path === '' ? '' : '/'}`;
  });
}
