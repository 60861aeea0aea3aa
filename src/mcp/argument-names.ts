import { hasMark } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { createNearestLookup } from '../openapi/extend.ts';
import { listArgumentNames } from '../openapi/operation-classes.ts';
import { contentSchemaOf, flattenSchema } from '../openapi/schema-view.ts';
import { toLine } from '../ui/site-text.ts';
import type { ListedOperation } from './catalog.ts';

/** An argument that an operation does not take, and the name that was probably meant. */
export interface UnknownArgument {
  readonly name: string;
  readonly nearest: string | undefined;
}

/** Finds names in a query and a body that the operation does not take. The site ignores them, so a typing error would go unnoticed. */
export function findUnknownArguments(
  { operation }: ListedOperation,
  query: JsonObject,
  body: Json,
  document: JsonObject,
): readonly UnknownArgument[] {
  const known = listArgumentNames(operation, document);
  const declared = contentSchemaOf(operation.requestBody);
  const { schema } = flattenSchema(declared ?? {}, document);
  // A batch, a list, or an operation that takes any member.
  const isOpen =
    schema['properties'] === undefined ||
    (schema['additionalProperties'] ?? false) !== false ||
    !isJsonObject(body);
  const isQueryOpen = hasMark(operation.shared, 'openQuery') || known.length === 0;
  const names = [
    ...(isQueryOpen ? [] : Object.keys(query).map((name) => name.replace(/\[.*/s, ''))),
    ...(isOpen ? [] : jsonMembers(body).map(([name]) => name)),
  ];
  // PHP reads `.` and space as `_`; arguments such as `_embed` are those of all operations.
  return [...new Set(names)]
    .filter(
      (name) => !name.startsWith('_') && !known.includes(name) && !known.includes(name.replace(/[. ]/g, '_')),
    )
    .slice(0, 10)
    .map((name) => ({ name, nearest: findNearest(name, known) }));
}

export function describeUnknownArguments(
  id: string,
  unknown: readonly UnknownArgument[],
  effect: string,
): string {
  if (unknown.length === 0) return '';
  const names = unknown.map(({ name, nearest }) => {
    const advice = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(toLine(nearest, 60))}?)`;
    return JSON.stringify(toLine(name, 60)) + advice;
  });
  const texts = unknown.some(({ nearest }) => nearest === undefined)
    ? ' describe_operation lists its arguments.'
    : '';
  return `${id} takes no ${names.join(', ')}. ${effect}${texts}`;
}

/** Finds the name with the same letters, the one that contains the other, or with the fewest edits. */
function findNearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .slice(0, 60);
  const sort = (text: string): string => [...plain(text)].toSorted().join('');
  const wanted = plain(name);
  const contains = (text: string): boolean =>
    wanted.length > 2 && (text.startsWith(wanted) || wanted.startsWith(text));
  return (
    known.find((each) => sort(each) === sort(name)) ??
    known.find((each) => contains(plain(each))) ??
    createNearestLookup(known)(name)
  );
}
