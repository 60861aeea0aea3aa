import { hasMark } from '../document-extensions.ts';
import { type Json, type JsonObject, jsonMembers } from '../json.ts';
import { createNearestLookup } from '../nearest-name.ts';
import { listArgumentNames } from '../openapi/operation-classes.ts';
import { contentSchemaOf, flattenSchema } from '../openapi/schema-view.ts';
import type { ListedOperation } from './catalog.ts';
import { toLine } from './site-text.ts';

/** Names unknown arguments, which the site ignores: a typing error. @param effect what follows from it */
export function describeUnknownArguments(
  { id, operation }: ListedOperation,
  query: JsonObject,
  body: Json,
  document: JsonObject,
  effect: string,
): string {
  const known = listArgumentNames(operation, document);
  const { schema } = flattenSchema(contentSchemaOf(operation.requestBody) ?? {}, document);
  // A batch, a list, or an operation that takes any member.
  const isOpen = schema['properties'] === undefined || (schema['additionalProperties'] ?? false) !== false;
  const isQueryOpen = hasMark(operation.shared, 'openQuery') || known.length === 0;
  const names = [
    ...(isQueryOpen ? [] : Object.keys(query).map((name) => name.replace(/\[.*/s, ''))),
    ...(isOpen ? [] : jsonMembers(body).map(([name]) => name)),
  ];
  // PHP reads `.` and space as `_`; arguments such as `_embed` are those of all operations.
  const unknown = [...new Set(names)].filter(
    (name) => !name.startsWith('_') && !known.includes(name) && !known.includes(name.replace(/[. ]/g, '_')),
  );
  if (unknown.length === 0) return '';
  const described = unknown.slice(0, 10).map((name) => {
    const nearest = findNearest(name, known);
    const advice = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(toLine(nearest, 60))}?)`;
    return JSON.stringify(toLine(name, 60)) + advice;
  });
  const list =
    known.length > 12
      ? ' describe_operation lists its arguments.'
      : ` It takes ${toLine(known.join(', '), 200)}.`;
  return `${id} takes no ${described.join(', ')}. ${effect}${list}`;
}

/** Finds the name with the fewest edits, or one of which the other is the beginning. */
function findNearest(name: string, known: readonly string[]): string | undefined {
  const contains = (one: string, other: string): boolean => other.length > 2 && one.startsWith(other);
  return (
    createNearestLookup(known)(name) ?? known.find((each) => contains(each, name) || contains(name, each))
  );
}
