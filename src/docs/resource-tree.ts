import { isJsonObject } from '../json.ts';
import { splitWords, toSingular } from '../model/naming/words.ts';
import { parameterNamesOf } from '../model/templates.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/operations.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import { EDITING_METHODS, operationTitle } from './operations.ts';

export interface PlacedOperation {
  readonly operation: Operation;
  /** 0: of the collection, 1: of an item, 2: any other. */
  readonly rank: 0 | 1 | 2;
  /** The noun of its last literal: `popular-idea`. */
  readonly noun: string;
}

export class ResourceDraft {
  /** The noun of the resource, see `toNounKey`. */
  readonly key: string;
  /** How often the paths spell it in each way. */
  readonly spellings: Map<string, number> = new Map();
  /** Nouns of the parameters that follow it: `board` for `/projects/{board_id}`. */
  readonly aliases: Set<string> = new Set();
  /** Whether it is named by actions only: `yourself` for `/tasks/{task_id}/assign-yourself`. */
  isNamedByActions = true;
  readonly operations: PlacedOperation[] = [];
  /** By key. */
  readonly children: Map<string, ResourceDraft> = new Map();

  constructor(key: string) {
    this.key = key;
  }
}

interface OperationToPlace {
  readonly operation: Operation;
  readonly steps: readonly ReferenceStep[];
  /** First word of its title, lower case. */
  readonly verb: string;
}

/**
 * Places the operations of a namespace below its root. A literal without a verb is a noun and names a resource:
 * `/projects/{board_id}/tasks`. A literal with the verb of its operation is an action on a resource that other paths name:
 * `/projects/{board_id}/update-stage/{stage_id}` is an operation of the stages. Resources that are too small for a page of
 * their own are joined with the resource that contains them.
 */
export function createResourceTree(namespace: string, operations: readonly Operation[]): ResourceDraft {
  const root = new ResourceDraft('');
  const actions: OperationToPlace[] = [];
  for (const operation of operations) {
    const steps = splitPath(operation.path, namespace);
    const verb = operationTitle(operation).split(' ', 1)[0]?.toLowerCase() ?? '';
    const isAction = steps.some(({ words }) => removeVerb(words, verb) !== undefined);
    if (isAction) actions.push({ operation, steps, verb });
    else place(root, { operation, steps, verb });
  }
  // All nouns are known now, so that the order of the operations does not matter.
  for (const action of actions) place(root, action);
  for (const child of root.children.values()) mergeBelow(child);
  return root;
}

function place(root: ResourceDraft, { operation, steps, verb }: OperationToPlace): void {
  let draft = root;
  let rank: PlacedOperation['rank'] = 0;
  for (const step of steps) {
    const nouns = removeVerb(step.words, verb);
    if (nouns === undefined || (nouns.length === 0 && draft === root)) {
      draft = enterChild(draft, step.words, step.literal);
      draft.isNamedByActions = false;
      for (const param of step.params) draft.aliases.add(toParameterNoun(param));
      rank = step.params.length > 0 ? 1 : 0;
    } else {
      draft = findObject(draft, nouns);
      rank = 2;
    }
  }
  draft.operations.push({ operation, rank, noun: toNounKey(steps.at(-1)?.words ?? []) });
}

/** Finds the resource that an action below `draft` concerns. */
function findObject(draft: ResourceDraft, nouns: readonly string[]): ResourceDraft {
  if (nouns.length === 0) return draft;
  const keys = listNounKeys(nouns);
  const longest = keys.find((key) => draft.children.has(key)) ?? '';
  const isOwn = keys.some((key) => key === draft.key || draft.aliases.has(key));
  return draft.children.get(longest) ?? (isOwn ? draft : enterChild(draft, nouns, nouns.join('-')));
}

function enterChild(draft: ResourceDraft, words: readonly string[], spelling: string): ResourceDraft {
  const key = toNounKey(words);
  const child = draft.children.get(key) ?? new ResourceDraft(key);
  draft.children.set(key, child);
  child.spellings.set(spelling, (child.spellings.get(spelling) ?? 0) + 1);
  return child;
}

/** A resource with fewer operations, none of them its own, has one page for all of its parts. */
const MAX_GROUP_SIZE = 6;

function mergeBelow(draft: ResourceDraft): void {
  for (const [key, child] of draft.children) {
    mergeBelow(child);
    const isSingle = child.children.size === 0 && isOneEndpoint(child);
    if (!isSingle && !isActionsOnly(child) && !isSameResource(draft, child)) continue;
    for (const { noun, operation } of child.operations) {
      const resource = (isSingle ? findSibling(draft, child, noun) : undefined) ?? draft;
      resource.operations.push({ operation, rank: 2, noun });
    }
    draft.children.delete(key);
  }
  const isSmallGroup = draft.operations.length === 0 && countOperations(draft) <= MAX_GROUP_SIZE;
  if (isSmallGroup) absorbAll(draft, draft);
}

/** `/roadmaps/{id}/popular-ideas` belongs to `/roadmaps/{id}/ideas`. The longest noun comes first. */
function findSibling(draft: ResourceDraft, single: ResourceDraft, noun: string): ResourceDraft | undefined {
  for (let start = 0; ; ) {
    const sibling = draft.children.get(noun.slice(start));
    if (sibling !== undefined && sibling !== single && sibling.operations.length > 1) return sibling;
    start = noun.indexOf('-', start) + 1;
    if (start === 0) return undefined;
  }
}

/** Whether a resource has a single operation, or one that several methods run. */
function isOneEndpoint({ operations }: ResourceDraft): boolean {
  const [first] = operations;
  if (operations.length === 1) return true;
  return operations.every(
    ({ operation }) => EDITING_METHODS.has(operation.method) && operation.path === first?.operation.path,
  );
}

/** Whether nothing but actions name the resource, and none of them reads it. */
function isActionsOnly({ children, isNamedByActions, operations }: ResourceDraft): boolean {
  return (
    isNamedByActions && children.size === 0 && operations.every(({ operation }) => operation.method !== 'GET')
  );
}

/** Whether a literal selects an item of the collection before it, as `/users/me` does: both have the same schema. */
function isSameResource(draft: ResourceDraft, child: ResourceDraft): boolean {
  if (child.children.size > 0 || child.aliases.size > 0) return false;
  const schema = findSchema(child);
  return schema !== undefined && schema === findSchema(draft);
}

/** Reference of the schema that the first reading operation returns, alone or as a list. */
function findSchema({ operations }: ResourceDraft): string | undefined {
  const reading = operations.find(({ operation }) => operation.method === 'GET');
  const responses = reading?.operation.shared.responses;
  const schema = contentSchemaOf(isJsonObject(responses) ? responses['200'] : undefined);
  return isJsonObject(schema) ? (referenceOf(schema) ?? referenceOf(schema['items'])) : undefined;
}

function countOperations({ children, operations }: ResourceDraft): number {
  return [...children.values()].reduce((sum, child) => sum + countOperations(child), operations.length);
}

function absorbAll(target: ResourceDraft, draft: ResourceDraft): void {
  for (const child of draft.children.values()) {
    for (const placed of child.operations) target.operations.push({ ...placed, rank: 2 });
    absorbAll(target, child);
  }
  draft.children.clear();
}

/** A literal of a path below its namespace, with the parameters that follow it. */
interface ReferenceStep {
  /** `time-tracks` */
  readonly literal: string;
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** Further steps are left out: they would make the tree deep, and no known site has as many. */
const MAX_STEPS = 10;

/** Splits the path of an operation below its namespace: `/projects/{id}/tasks` → `projects` with `id`, `tasks`. */
function splitPath(path: string, namespace: string): readonly ReferenceStep[] {
  const tail = namespace === '' ? path : path.slice(namespace.length + 1);
  const steps: { literal: string; words: readonly string[]; params: readonly string[] }[] = [];
  for (const segment of tail.split('/')) {
    const params = parameterNamesOf(segment);
    const literal = segment.replace(/\{[^{}]*\}/g, '');
    const words = splitWords(literal);
    const last = steps.at(-1);
    if (words.length > 0 && steps.length < MAX_STEPS) steps.push({ literal, words, params });
    else if (last !== undefined) last.params = [...last.params, ...params];
  }
  return steps;
}

/** Key of a noun: equal for singular and plural, `time-tracks` and `timeTrack`. */
export function toNounKey(words: readonly string[]): string {
  const last = words.at(-1);
  return last === undefined ? '' : [...words.slice(0, -1), toSingular(last)].join('-');
}

/** The noun that a parameter names: `board` for `board_id`; empty for `id`. */
function toParameterNoun(name: string): string {
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  return toNounKey(/^(?:ids?|slug|key|uuid|name)$/.test(last) ? words.slice(0, -1) : words);
}

/** Words that are no part of a noun at its beginning or end. */
const STOP_WORDS: ReadonlySet<string> = new Set(['a', 'all', 'an', 'from', 'in', 'of', 'the', 'to', 'with']);

/**
 * Removes the verb of an operation from the words of a literal: `archive-board` without `archive`.
 *
 * @param verb lower case
 * @returns the other words; `undefined` if the literal does not begin or end with the verb
 */
function removeVerb(words: readonly string[], verb: string): readonly string[] | undefined {
  let nouns: readonly string[];
  if (words[0] === verb || (words[0] === 'bulk' && words[1] === verb)) {
    nouns = words.slice(words[0] === verb ? 1 : 2);
  } else if (`${words[0]}${words[1]}` === verb) nouns = words.slice(2);
  else if (words.at(-1) === verb) nouns = words.slice(0, -1);
  else if (words.length > 1 && words.includes(verb)) nouns = words.slice(0, words.indexOf(verb));
  else return undefined;
  let start = 0;
  let end = nouns.length;
  while (start < end && STOP_WORDS.has(nouns[start] ?? '')) start += 1;
  while (end > start && STOP_WORDS.has(nouns[end - 1] ?? '')) end -= 1;
  return nouns.slice(start, end);
}

/** Further words of a noun are not looked at: their parts grow with the square. */
const MAX_WORDS = 16;

/** Keys of the nouns that a noun contains, the longest first: `stage-property` contains `stage`. */
function listNounKeys(nouns: readonly string[]): readonly string[] {
  const words = nouns.slice(0, MAX_WORDS);
  const parts = words.flatMap((_, start) =>
    words.slice(start).map((_word, at) => toNounKey(words.slice(start, start + at + 1))),
  );
  return parts.sort((one, other) => other.length - one.length);
}
