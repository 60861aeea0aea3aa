import { LRUCache } from 'lru-cache';
import type MiniSearch from 'minisearch';
import type { Json, JsonObject } from '../base/json.ts';
import { getOrCreate, lazy } from '../base/memoize.ts';
import type { AgentCall, AgentRights, CallableSite } from '../gateway/surfaces.ts';
import { getLevel, type Level } from '../generator/openapi/operation-levels.ts';
import { groupEquivalents } from '../generator/openapi/operations.ts';
import { type AnchoredOperation, createReference, type Reference } from '../generator/reference/reference.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import type { SchemaSource } from '../generator/reference/schema-tree.ts';
import { type SearchEntry, searchIndex, toSearchedWords } from '../generator/reference/search.ts';
import { createSearchIndex } from '../generator/reference/search-index.ts';
import WORDS from './question-words.json' with { type: 'json' };
import { toLine } from './site-text.ts';

export interface AgentSite extends Omit<CallableSite, 'documented'>, SchemaSource {
  readonly catalog: Catalog;
  readonly signal: AbortSignal;
  /** Returns the person's answer to a question; absent if the client cannot ask. */
  readonly ask?: (question: string) => NonNullable<AgentCall['asked']>;
  readonly note: (call: Partial<AgentCall>) => void;
  readonly logItem: (call: Partial<AgentCall>) => void;
  readonly userAgent: string;
}

export const CALL_TOOLS = {
  read: 'read_operation',
  write: 'write_operation',
  delete: 'delete_operation',
} as const;
export type CallTool = (typeof CALL_TOOLS)[keyof typeof CALL_TOOLS];

/** Effects of a call by level, for refusals. */
const EFFECTS: Readonly<Record<Level, string>> = {
  read: 'it reads what the operator left out',
  draft: 'it changes what users of wp-admin see',
  publish: 'it changes what visitors, customers or colleagues see',
  manage: 'it can change users, settings, code or payments, send data out, or do what nobody has described',
  delete: 'it deletes or removes something',
};

/** By id, pattern of ids, or pattern of paths such as `wp/v2/tags*`. */
function namesOperation(setting: string, id: string, path: string): boolean {
  if (setting === id) return true;
  if (!/[*/]/.test(setting) || /^[*/]+$/.test(setting)) return false;
  const pattern = setting.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(setting.includes('/') ? path.slice(1) : id);
}

type Rights = AgentRights & Pick<AgentSite, 'ask' | 'levels'>;

/**
 * Says why a call is refused and what would allow it; `undefined` if it is allowed.
 * @param level of the call, which can be higher than the operation's, e.g. of an update that publishes
 */
export function explainRefusal(
  { id, level: own, operation }: ListedOperation,
  level: Level,
  { ask, levels, reads, unasked, writes }: Rights,
  tool?: CallTool,
): string | undefined {
  const { method, namespace, path } = operation;
  const isWriting = isWritingMethod(method);
  const isNamed = (isWriting ? writes : reads).some((name) => namesOperation(name, id, path));
  const isGranted = (each: Level): boolean =>
    each === 'read'
      ? reads.includes('*') || reads.includes(namespace)
      : writes.includes(each) || (each === 'draft' && writes.includes('publish'));
  // A write that moves its item to the trash can change other things, too: `{ status: 'trash', set_paid: true }`.
  const needed = level === 'delete' && own !== 'delete' ? [own, level] : [level];
  const missing = isNamed ? undefined : needed.find((each) => !isGranted(each));
  if (missing !== undefined) {
    if (own === 'draft' && missing === 'publish' && writes.includes('draft'))
      return 'it would be public, or change what is. Send it with "status": "draft", for an item that is no more than a draft, pending or private, without a new "slug" or "parent", and without addresses that the site can fetch: it is saved, and a person publishes it in wp-admin.';
    const setting = missing === 'read' || !isWriting ? `reads ${id}` : `writes ${missing}`;
    return `its level is ${needed.join(' and ')}: ${EFFECTS[level]}. The operator can allow it: --${setting}, or mcp.${setting.replace(' ', ': [')}] at a gateway.`;
  }
  const lacking = needed.find((each) => levels?.includes(each) === false);
  if (lacking !== undefined) return `its level is ${lacking}, and your token lacks that scope.`;
  const expected = CALL_TOOLS[toolOf({ operation }, level)];
  if (tool !== undefined && tool !== expected) return `call it with ${expected}: ${EFFECTS[level]}.`;
  if (needsAnswer(level) && ask === undefined && !unasked)
    return `its level is ${level}: a person must be asked, which your client cannot. The operator can allow it: --unasked, or mcp.unasked: true at a gateway.`;
  return undefined;
}

export function needsAnswer(level: Level): boolean {
  return level !== 'read' && level !== 'draft';
}

function toolOf({ operation }: Pick<ListedOperation, 'operation'>, level: Level): keyof typeof CALL_TOOLS {
  if (!isWritingMethod(operation.method)) return 'read';
  return level === 'delete' ? 'delete' : 'write';
}

/** A tool as `tools/list` has it. Its description contains no text of the site. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & JsonObject;
  readonly annotations: Readonly<Record<`${string}Hint`, boolean>>;
}

/** A tool's result: lines of this server, and separately content of the site. */
export interface ToolResult {
  readonly text: string;
  readonly content?: string;
  readonly isError?: boolean;
  readonly status?: number;
  /** The question whose answer the call waits for. */
  readonly question?: string;
  /** What became of a call that its client has cancelled. */
  readonly cancelled?: 'sent' | 'unsent';
}

export function refuse(reason: string, content?: string): ToolResult {
  return { text: `It was not sent: ${reason}`, isError: true, ...(content !== undefined && { content }) };
}

export const CANCELLED: ToolResult = { ...refuse('the call was cancelled.'), cancelled: 'unsent' };

/** @returns `null` for what was cancelled before anything was sent: it is not logged */
export function outcomeOf(result: ToolResult | undefined): AgentCall['outcome'] | null {
  if (result?.cancelled !== undefined) return result.cancelled === 'sent' ? 'cancelled' : null;
  if (result?.status !== undefined) return result.status;
  if (result?.question !== undefined) return 'asked';
  return result?.isError === true ? 'refused' : 'answered';
}

/** Agents call an operation by its `operationId` on one line. */
export interface ListedOperation {
  readonly id: string;
  readonly operation: AnchoredOperation;
  readonly level: Level;
  /** Members of `query` or `body` that a call sends unless it has them. */
  readonly defaults?: JsonObject;
}

/** Copies of items. Each kind has them, so a search finds them only by name. */
const COPIES = /\/(?:autosave|revision)s?(?:\/|$)/;

/** An item as a read found it, and what the agent has seen of it. */
interface ShownItem {
  readonly item: JsonObject;
  readonly shown: Json;
}

const MAX_SHOWN_BYTES = 16 * 1024 * 1024;

interface CatalogSource {
  readonly document: JsonObject;
  readonly title: string;
}

const catalogs = new WeakMap<CatalogSource, Catalog>();

export class Catalog {
  readonly reference: Reference;
  /** Without operations that differ from another only in their method, as in the reference. */
  readonly operations: ListedOperation[] = [];
  readonly byId: Map<string, ListedOperation> = new Map();
  readonly byRoute: Map<string, ListedOperation> = new Map();
  /** Abilities by credentials, for some minutes: a site takes seconds to list them. */
  readonly abilities: LRUCache<string, readonly ListedOperation[]> = new LRUCache({ max: 100, ttl: 300_000 });
  /** What reads have shown, by the tag that stands for it. An entry takes about as many bytes as its JSON. */
  readonly shown: LRUCache<string, ShownItem> = new LRUCache({
    maxSize: MAX_SHOWN_BYTES,
    sizeCalculation: (shown) => JSON.stringify(shown).length,
  });
  /** The last running write to each item. */
  readonly turns: Map<string, Promise<unknown>> = new Map();
  readonly #byUrl = new Map<string, ListedOperation>();
  /** Operations of older namespaces and of analytics that a namespace in use has too. */
  readonly #twins: ReadonlySet<AnchoredOperation>;
  readonly #titles = lazy(() =>
    this.operations.map((listed) => ({
      listed,
      title: toSearchedWords(listed.operation.title).map(toSingular),
    })),
  );
  readonly #document: JsonObject;
  /** Created by the first search. */
  #index: Promise<MiniSearch<SearchEntry>> | undefined;

  private constructor({ document, title }: CatalogSource) {
    const reference = createReference(document, title);
    this.reference = reference;
    this.#document = document;
    for (const { address, operations: placed } of reference.pages) {
      const shown = new Set(groupEquivalents(placed).map(({ operation }) => operation));
      for (const operation of placed) {
        const level = getLevel(operation.shared, operation.method);
        const listed = { id: toLine(operation.id, 200), operation, level };
        if (this.byId.has(listed.id)) continue;
        this.byId.set(listed.id, listed);
        this.byRoute.set(`${operation.method} ${operation.path}`, listed);
        if (!shown.has(operation)) continue;
        this.operations.push(listed);
        this.#byUrl.set(`${address}#${operation.anchor}`, listed);
      }
    }
    const older = new Set(reference.namespaces.flatMap((page) => (page.successor ? [page.namespace] : [])));
    const isOlder = ({ namespace }: AnchoredOperation): boolean =>
      older.has(namespace) || /analytics/.test(namespace);
    const keyOf = ({ method, namespace, path }: AnchoredOperation): string =>
      `${method} ${path.slice(namespace.length + 1)}`;
    const all = this.operations.map(({ operation }) => operation);
    const current = new Set(all.filter((each) => !isOlder(each)).map(keyOf));
    this.#twins = new Set(all.filter((each) => isOlder(each) && current.has(keyOf(each))));
  }

  static of(documented: CatalogSource): Catalog {
    return getOrCreate(catalogs, documented, () => new Catalog(documented));
  }

  /** Finds operations by a sentence, the best first. Deletions are found only by a word for one. */
  async search(sentence: string): Promise<readonly ListedOperation[]> {
    this.#index ??= createSearchIndex(this.reference, this.#document);
    const index = await this.#index;
    const { isDeletion, isQuestion, said, words } = readSentence(sentence);
    // `POST /wp/v2/posts` or a URL, which is searched as it is typed.
    const isAddress = /(?:^|\s)(?:https?:\/)?\/\S/.test(sentence);
    const isRead = ({ operation }: ListedOperation): boolean => !isWritingMethod(operation.method);
    const found = searchIndex(index, isAddress ? sentence : words).flatMap(
      ({ url }) => this.#byUrl.get(String(url)) ?? [],
    );
    if (isAddress) return found;
    const all = [...this.#findNamed(said), ...found].filter(
      (each) =>
        !this.#twins.has(each.operation) &&
        (isDeletion || each.level !== 'delete') &&
        (!COPIES.test(each.operation.path) || /autosave|revision/.test(words)),
    );
    return [...new Set(isQuestion ? [...all.filter(isRead), ...all] : all)];
  }

  /** Finds operations of whose title each word is said: `pending comments` says all of "List comments". The longest title is first. */
  #findNamed(said: readonly string[]): readonly ListedOperation[] {
    const named = this.#titles().flatMap(({ listed, title }) => {
      const places = title.map((word) => said.indexOf(word));
      return places.includes(-1) ? [] : [{ listed, length: title.length, last: Math.max(...places) }];
    });
    named.sort((one, other) => other.length - one.length || one.last - other.last);
    return named.map(({ listed }) => listed);
  }
}

const toTable = (declared: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(declared).flatMap(([word, others]) =>
      [word, ...others.split(' ')].map((each) => [each, word]),
    ),
  );
/** Names in wp-admin's screens and manuals, e.g. "Tagline" of Settings, "Bulk actions", "Synced patterns" and WooCommerce's "Payment methods". */
const NOUNS = toTable(WORDS.nouns);
const VERBS = toTable(WORDS.verbs);
const STATES = new Set(WORDS.states.split(' '));
const MAX_PHRASE_WORDS = 3;

/** Replaces words of a sentence by those of operations: "rename" by "update", "picture" by "media", "posts per page" by "settings". */
function readSentence(sentence: string): {
  readonly words: string;
  /** The words as they were typed, and those that replace them, in the singular, the kind of operation first. */
  readonly said: readonly string[];
  readonly isQuestion: boolean;
  readonly isDeletion: boolean;
} {
  const typed = replacePhrases(sentence.slice(0, 1_000).toLowerCase());
  const words = toSearchedWords(typed);
  // "Make a post private" changes the post.
  const isState = words[0] === 'make' && STATES.has(words.at(-1) ?? '');
  const verbs = words.flatMap((word) => VERBS.get(word) ?? []);
  // A noun in the place of a verb: "refund an order", "post an announcement", "refund order 12".
  const isOrder = /^\s*[a-z]*[^s\s] (?:(?:an?|my|on|the|this)\s|[a-z]+ \d)/.test(typed);
  const isNoun = isOrder && verbs.length === 0 && NOUNS.has(words[0] ?? '');
  // "Add a tag to a post" changes the post. "Add a variation to a product" creates, if the longer title is there.
  const isPart = /^\s*(?:add|put)\b.*\s(?:in|into|on|to)\s/.test(typed);
  const read = words.map((word) => {
    const verb = VERBS.get(word);
    if (verb !== undefined) return isPart || isState ? 'update' : verb;
    return NOUNS.get(word) ?? NOUNS.get(toSingular(word)) ?? word;
  });
  const isQuestion = verbs.length === 0 ? !isOrder : verbs.every((verb) => verb === 'list');
  // A question asks for an item, too: "show order 12", "what is the time zone".
  const kinds = isNoun ? ['create'] : isQuestion ? ['list', 'get'] : [];
  return {
    words: [...new Set([...(isNoun ? kinds : []), ...read])].join(' '),
    said: [...kinds, ...words, ...read, ...(isPart ? ['create'] : [])].map(toSingular),
    isQuestion,
    isDeletion: verbs.includes('delete'),
  };
}

function replacePhrases(sentence: string): string {
  const words = sentence.split(/\s+/);
  for (let length = MAX_PHRASE_WORDS; length > 1; length -= 1)
    for (let start = 0; start + length <= words.length; start += 1) {
      const replaced = NOUNS.get(words.slice(start, start + length).join('-'));
      if (replaced !== undefined) words.splice(start, length, replaced);
    }
  return words.join(' ');
}

function toSingular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}
