import { isJsonObject } from '../json.ts';
import { splitWords, toSingular } from '../model/naming/words.ts';
import { parameterNamesOf } from '../model/templates.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { Operation } from '../openapi/operations.ts';
import { contentSchemaOf } from '../openapi/schema-view.ts';
import { EDITING_METHODS } from './operations.ts';

export interface PlacedOperation {
  readonly operation: Operation;
  /** 0: of the collection, 1: of an item, 2: any other. */
  readonly rank: 0 | 1 | 2;
}

export class ResourceDraft {
  readonly spellings: Map<string, number> = new Map();
  readonly operations: PlacedOperation[] = [];
  readonly children: Map<string, ResourceDraft> = new Map();
}

/**
 * Places the operations of a namespace below its root, one resource for each literal of a path: `/projects/{board_id}/tasks` is
 * `tasks` in `projects`. Resources that are too small for a page of their own are joined with the resource that contains them, as
 * are actions: `/projects/{board_id}/archive-board`.
 */
export function createResourceTree(namespace: string, operations: readonly Operation[]): ResourceDraft {
  const root = new ResourceDraft();
  for (const operation of operations) {
    const steps = splitPath(operation.path, namespace);
    const draft = steps.reduce(enterChild, root);
    draft.operations.push({ operation, rank: (steps.at(-1)?.params.length ?? 0) > 0 ? 1 : 0 });
  }
  for (const child of root.children.values()) mergeBelow(child);
  return root;
}

function enterChild(draft: ResourceDraft, { literal, words }: PathStep): ResourceDraft {
  const key = toNounKey(words);
  const child = draft.children.get(key) ?? new ResourceDraft();
  draft.children.set(key, child);
  child.spellings.set(literal, (child.spellings.get(literal) ?? 0) + 1);
  return child;
}

/** A resource with fewer operations, none of them its own, has one page for all of its parts. */
const MAX_GROUP_SIZE = 6;

function mergeBelow(draft: ResourceDraft): void {
  for (const [key, child] of draft.children) {
    mergeBelow(child);
    const isSingle = child.children.size === 0 && isOneEndpoint(child);
    if (!isSingle && !isSameResource(draft, child)) continue;
    for (const { operation } of child.operations) draft.operations.push({ operation, rank: 2 });
    draft.children.delete(key);
  }
  const isSmallGroup = draft.operations.length === 0 && countOperations(draft) <= MAX_GROUP_SIZE;
  if (isSmallGroup) absorbAll(draft, draft);
}

function isOneEndpoint({ operations }: ResourceDraft): boolean {
  const [first] = operations;
  if (operations.length === 1) return true;
  return operations.every(
    ({ operation }) => EDITING_METHODS.has(operation.method) && operation.path === first?.operation.path,
  );
}

/** Whether a literal selects an item of the collection before it, as `/users/me` does: both have the same schema. */
function isSameResource(draft: ResourceDraft, child: ResourceDraft): boolean {
  if (child.children.size > 0 || child.operations.some(({ rank }) => rank === 1)) return false;
  const schema = findSchema(child);
  return schema !== undefined && schema === findSchema(draft);
}

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

interface PathStep {
  readonly literal: string;
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** Further steps are left out: they would make the tree deep, and no known site has as many. */
const MAX_STEPS = 10;

/** Splits the path of an operation below its namespace: `/projects/{id}/tasks` → `projects` with `id`, `tasks`. */
function splitPath(path: string, namespace: string): readonly PathStep[] {
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
