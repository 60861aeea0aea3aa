import type { JsonObject } from '../json.ts';
import { canonicalRoot, withHelp } from './address.ts';
import type { Answer, Client } from './client.ts';
import type { Tolerated } from './json-text.ts';
import { judge } from './judge.ts';
import { isHopeless, type Reason, type Refusal } from './reasons.ts';
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

/** Reads an index with its schemas, and without them where the site refuses that. */
export async function readRoot(
  root: URL,
  client: Client,
  withSchemas: boolean,
): Promise<FoundIndex | Refusal> {
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

export interface Page {
  readonly answer?: Answer;
  readonly text: string;
  readonly found?: FoundIndex;
  readonly refusal?: Refusal;
}

/** Asks the address itself: it may be a root index, and otherwise is a page that may name one. */
export async function askPage(url: URL, client: Client): Promise<Page> {
  const outcome = await client.ask(url, { clipHtml: true });
  if (outcome.kind === 'refusal') return { text: '', refusal: logged(outcome.refusal, client) };
  const { answer } = outcome;
  const judgement = judge(answer);
  if (judgement.kind === 'index') return { answer, text: '', found: toFound(answer, judgement, client) };
  const { text } = decodeText(answer.bytes, undefined);
  return { answer, text, refusal: logged(judgement.refusal, client) };
}

function logged(refusal: Refusal, client: Client): Refusal {
  client.attempts.push({ url: refusal.url, outcome: refusal.came });
  return refusal;
}
