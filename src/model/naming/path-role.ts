import type { NamingInput, PathStep } from './path.ts';
import {
  CONTAINERS,
  PAGING_ARGUMENTS,
  RELATIONS,
  SCOPE_PARAMETERS,
  SELECTORS,
  SINGLETONS,
} from './vocabulary.ts';
import { isMentionedIn, isPlural, splitWords } from './words.ts';

/** What a path addresses: an item of a collection, a collection (`list`), or a resource that exists once (`single`). */
export type PathRole = 'item' | 'list' | 'single';

/** Classifies a path by its last literal, the parameters after it, and the methods and GET arguments of its route. */
export function classifyPath(
  { methods, endpointMethods, readArguments }: NamingInput,
  steps: readonly PathStep[],
): PathRole {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const word = words.at(-1) ?? '';
  if (selectsByScope({ words, params }) && methods.every((method) => method === 'GET')) return 'list';
  if (params.length > 0 || endsInSelector(steps)) return 'item';
  // An endpoint for both POST and PUT updates an existing resource (WP_REST_Server::EDITABLE).
  const isUpdateEndpoint =
    endpointMethods.includes('POST') && endpointMethods.some((other) => other === 'PUT' || other === 'PATCH');
  if (isUpdateEndpoint || SINGLETONS.has(word)) return 'single';
  if (readArguments.some((name) => PAGING_ARGUMENTS.has(name))) return 'list';
  const container = steps.at(-2);
  const isInContainer = container?.params.length === 0 && CONTAINERS.has(container.words.at(-1) ?? '');
  return isPlural(word) && !isInContainer ? 'list' : 'single';
}

/** Whether the parameter selects a part of a collection: `/icons/{collection}`, `/boards-by-type/{type}`. */
function selectsByScope({ words, params }: PathStep): boolean {
  const scope = scopeWords(params);
  if (params.length !== 1) return false;
  if (words.slice(1).some((word) => RELATIONS.has(word))) return true;
  return SCOPE_PARAMETERS.has(scope.join(' ')) && !isMentionedIn(words.at(-1) ?? '', params);
}

/** Returns the words that name the criterion of a parameter: `group` for `group_id`. */
export function scopeWords(params: readonly string[]): readonly string[] {
  const words = params.flatMap(splitWords);
  return words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words;
}

/** Whether the last literal selects one member of the collection before it: `/users/me`. */
export function endsInSelector(steps: readonly PathStep[]): boolean {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const collection = steps.at(-2);
  if (words.length !== 1 || params.length > 0 || collection?.params.length !== 0) return false;
  return SELECTORS.has(words[0] ?? '') && isPlural(collection.words.at(-1) ?? '');
}
