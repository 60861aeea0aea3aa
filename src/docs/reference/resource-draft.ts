import type { ReferenceOperation } from './document-operations.ts';
import { containsNoun, type ReferenceStep, removeVerb, toNounKey, toParameterNoun } from './path-steps.ts';

/** An operation with its place among the operations of its resource. */
export interface PlacedOperation {
  readonly operation: ReferenceOperation;
  /** 0: of the collection, 1: of an item, 2: any other. */
  readonly rank: 0 | 1 | 2;
  /** The noun of its last literal: `popular-idea`. */
  readonly noun: string;
}

/** A resource while the tree is built. */
export interface ResourceDraft {
  /** The noun of the resource, see `toNounKey`. */
  readonly key: string;
  /** How often the paths spell it in each way. */
  readonly spellings: Map<string, number>;
  /** Nouns of the parameters that follow it: `board` for `/projects/{board_id}`. */
  readonly aliases: Set<string>;
  /** Whether it is named by actions only: `yourself` for `/tasks/{task_id}/assign-yourself`. */
  isNamedByActions: boolean;
  operations: PlacedOperation[];
  /** By key. */
  readonly children: Map<string, ResourceDraft>;
}

export function createResourceDraft(key: string): ResourceDraft {
  return {
    key,
    spellings: new Map(),
    aliases: new Set(),
    isNamedByActions: true,
    operations: [],
    children: new Map(),
  };
}

/** An operation to be placed. */
export interface OperationToPlace {
  readonly operation: ReferenceOperation;
  readonly steps: readonly ReferenceStep[];
  /** First word of its title, lower case. */
  readonly verb: string;
}

/**
 * Places the operations of a namespace below its root. A literal without a verb is a noun and names a resource:
 * `/projects/{board_id}/tasks`. A literal with the verb of its operation is an action on a resource that other paths name:
 * `/projects/{board_id}/update-stage/{stage_id}` is an operation of the stages.
 */
export function placeOperations(operations: readonly OperationToPlace[]): ResourceDraft {
  const root = createResourceDraft('');
  const actions: OperationToPlace[] = [];
  for (const toPlace of operations) {
    const isAction = toPlace.steps.some(({ words }) => removeVerb(words, toPlace.verb) !== undefined);
    if (isAction) actions.push(toPlace);
    else place(root, toPlace);
  }
  // All nouns are known now, so that the order of the operations does not matter.
  for (const action of actions) place(root, action);
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
  const matches = [...draft.children.values()].filter(({ key }) => containsNoun(nouns, key));
  const [longest] = matches.sort((one, other) => other.key.length - one.key.length);
  if (longest !== undefined) return longest;
  const isOwn = [draft.key, ...draft.aliases].some((noun) => noun !== '' && containsNoun(nouns, noun));
  return isOwn ? draft : enterChild(draft, nouns, nouns.join('-'));
}

function enterChild(draft: ResourceDraft, words: readonly string[], spelling: string): ResourceDraft {
  const key = toNounKey(words);
  let child = draft.children.get(key);
  if (child === undefined) {
    child = createResourceDraft(key);
    draft.children.set(key, child);
  }
  child.spellings.set(spelling, (child.spellings.get(spelling) ?? 0) + 1);
  return child;
}
