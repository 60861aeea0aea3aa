import type { OperationFacts } from './facts.ts';
import type { Step } from './path.ts';
import { CONTAINERS, PAGING, RELATIONS, SCOPES, SELECTORS, SINGLE_THINGS } from './vocabulary.ts';
import { isMentioned, isPlural, wordsOf } from './words.ts';

/** What a path stands for: one of a collection, a collection, or a thing that there is once. */
export type Role = 'item' | 'list' | 'single';

/** Judges by the route's own facts: its last literal, the parameters after it, its methods and what its GET takes. */
export function roleOf(
  { methods, endpointMethods, readArguments }: OperationFacts,
  steps: readonly Step[],
): Role {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const word = words.at(-1) ?? '';
  if (isScoped({ words, params }) && methods.every((method) => method === 'GET')) return 'list';
  if (params.length > 0 || isSelector(steps)) return 'item';
  // One endpoint that takes POST and PUT alike changes what is there (WP_REST_Server::EDITABLE).
  const edits =
    endpointMethods.includes('POST') && endpointMethods.some((its) => its === 'PUT' || its === 'PATCH');
  if (edits || SINGLE_THINGS.has(word)) return 'single';
  if (readArguments.some((name) => PAGING.has(name))) return 'list';
  const container = steps.at(-2);
  const contained = container?.params.length === 0 && CONTAINERS.has(container.words.at(-1) ?? '');
  return isPlural(word) && !contained ? 'list' : 'single';
}

/** Whether the parameter chooses a part of the collection: `/icons/{collection}`, `/boards-by-type/{type}`. */
function isScoped({ words, params }: Step): boolean {
  const scope = scopeOf(params);
  if (params.length !== 1) return false;
  if (words.slice(1).some((word) => RELATIONS.has(word))) return true;
  return SCOPES.has(scope.join(' ')) && !isMentioned(words.at(-1) ?? '', params);
}

/** What parameters choose by: `group` for `group_id`. */
export function scopeOf(params: readonly string[]): readonly string[] {
  const words = params.flatMap(wordsOf);
  return words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words;
}

/** `/users/me`: one of the collection before. */
export function isSelector(steps: readonly Step[]): boolean {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const before = steps.at(-2);
  if (words.length !== 1 || params.length > 0 || before?.params.length !== 0) return false;
  return SELECTORS.has(words[0] ?? '') && isPlural(before.words.at(-1) ?? '');
}
