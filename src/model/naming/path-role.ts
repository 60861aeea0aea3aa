import type { NamingInput, PathStep } from './parse-path.ts';
import {
  CONTAINER_WORDS,
  PAGING_ARGUMENTS,
  RELATION_WORDS,
  SCOPE_PARAMETERS,
  SELECTOR_WORDS,
  SINGLETON_WORDS,
} from './vocabulary.ts';
import { isInParameterNames, isPlural, splitWords } from './words.ts';

/** The target of a path: an item of a collection, a collection (`list`), or a resource that exists once (`single`). */
export type PathRole = 'item' | 'list' | 'single';

/** Classifies a path by its last literal, the parameters after it, and the methods and GET arguments of its route. */
export function classifyPath(
  { routeMethods, endpointMethods, argumentNamesOfGet }: NamingInput,
  steps: readonly PathStep[],
): PathRole {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const word = words.at(-1) ?? '';
  if (selectsByScope({ words, params }) && routeMethods.every((method) => method === 'GET')) return 'list';
  if (params.length > 0 || endsInSelector(steps)) return 'item';
  // An endpoint for both POST and PUT updates an existing resource (WP_REST_Server::EDITABLE).
  const isUpdateEndpoint =
    endpointMethods.includes('POST') && endpointMethods.some((other) => other === 'PUT' || other === 'PATCH');
  if (isUpdateEndpoint || SINGLETON_WORDS.has(word)) return 'single';
  if (argumentNamesOfGet.some((name) => PAGING_ARGUMENTS.has(name))) return 'list';
  const container = steps.at(-2);
  const isInContainer = container?.params.length === 0 && CONTAINER_WORDS.has(container.words.at(-1) ?? '');
  return isPlural(word) && !isInContainer ? 'list' : 'single';
}

/** Whether the parameter selects a part of a collection: `/icons/{collection}`, `/boards-by-type/{type}`. */
function selectsByScope({ words, params }: PathStep): boolean {
  const scope = criterionWords(params);
  if (params.length !== 1) return false;
  if (words.slice(1).some((word) => RELATION_WORDS.has(word))) return true;
  return SCOPE_PARAMETERS.has(scope.join(' ')) && !isInParameterNames(words.at(-1) ?? '', params);
}

/** Returns the words that name the criterion of a parameter: `group` for `group_id`. */
export function criterionWords(params: readonly string[]): readonly string[] {
  const words = params.flatMap(splitWords);
  return words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words;
}

/** Whether the last literal selects one member of the collection before it: `/users/me`. */
export function endsInSelector(steps: readonly PathStep[]): boolean {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const collection = steps.at(-2);
  if (words.length !== 1 || params.length > 0 || collection?.params.length !== 0) return false;
  return SELECTOR_WORDS.has(words[0] ?? '') && isPlural(collection.words.at(-1) ?? '');
}
