import { shorten } from '../../base/text.ts';
import { capitalize, splitWords, toSingular } from '../model/naming/words.ts';
import { parameterNamesOf } from '../model/site.ts';
import { EDITING_METHODS } from './operations.ts';

interface Placed {
  readonly method: string;
  readonly path: string;
}

export interface PlacedOperation<Operation extends Placed> {
  readonly operation: Operation;
  /** 0: of the collection, 1: of an item, 2: any other. */
  readonly rank: 0 | 1 | 2;
}

export class ResourceDraft<Operation extends Placed> {
  readonly name: string;
  readonly operations: PlacedOperation<Operation>[] = [];
  readonly children: Map<string, ResourceDraft<Operation>> = new Map();

  constructor(name: string) {
    this.name = name;
  }
}

/** One resource for each literal: `/projects/{id}/tasks` is `tasks` in `projects`, but actions belong to the parent. */
export function createResourceTree<Operation extends Placed>(
  namespace: string,
  operations: readonly Operation[],
): ResourceDraft<Operation> {
  const root = new ResourceDraft<Operation>('');
  for (const operation of operations) {
    const steps = splitPath(operation.path, namespace);
    const draft = steps.reduce(enterChild<Operation>, root);
    draft.operations.push({ operation, rank: (steps.at(-1)?.params.length ?? 0) > 0 ? 1 : 0 });
  }
  for (const child of root.children.values()) mergeBelow(child);
  return root;
}

function enterChild<Operation extends Placed>(
  draft: ResourceDraft<Operation>,
  { literal, words }: PathStep,
): ResourceDraft<Operation> {
  // Equal for singular and plural.
  const key = words.map((word, at) => (at === words.length - 1 ? toSingular(word) : word)).join('-');
  const child = draft.children.get(key) ?? new ResourceDraft<Operation>(literal);
  draft.children.set(key, child);
  return child;
}

export const MAX_OPERATIONS = 200;

function mergeBelow<Operation extends Placed>(draft: ResourceDraft<Operation>): void {
  for (const [key, child] of draft.children) {
    mergeBelow(child);
    if (child.children.size > 0 || !isOneEndpoint(child)) continue;
    if (draft.operations.length + child.operations.length > MAX_OPERATIONS) continue;
    for (const { operation } of child.operations) draft.operations.push({ operation, rank: 2 });
    draft.children.delete(key);
  }
}

function isOneEndpoint<Operation extends Placed>({ operations }: ResourceDraft<Operation>): boolean {
  const [first] = operations;
  if (operations.length === 1) return true;
  return operations.every(
    ({ operation }) => EDITING_METHODS.includes(operation.method) && operation.path === first?.operation.path,
  );
}

interface PathStep {
  readonly literal: string;
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** No known site has as many. */
const MAX_STEPS = 10;

/** `/projects/{id}/tasks` → `projects` with `id`, `tasks`. */
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

const CAPITALIZED: ReadonlySet<string> = new Set(
  'ai api crm css csv html http id ip json mcp oauth pdf php rss seo sku sms sql ui url wp xml'.split(' '),
);

export function toResourceTitle(spelling: string): string {
  const text = spelling
    .slice(0, 100)
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => (CAPITALIZED.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return capitalize(shorten(text, 100));
}
