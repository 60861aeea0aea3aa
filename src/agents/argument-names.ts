import { hasMark } from '../base/document-extensions.ts';
import { type Json, type JsonObject, jsonMembers } from '../base/json.ts';
import { createNearestLookup } from '../base/nearest-name.ts';
import { listArgumentNames } from '../generator/openapi/operation-classes.ts';
import { contentSchemaOf, flattenSchema } from '../generator/openapi/schema-view.ts';
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
  const findNearest = createNearestLookup(known);
  const described = unknown.slice(0, 10).map((name) => {
    const nearest =
      findNearest(name) ??
      known.find(
        (each) => Math.min(each.length, name.length) > 2 && (each.startsWith(name) || name.startsWith(each)),
      );
    const advice = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(toLine(nearest, 60))}?)`;
    return JSON.stringify(toLine(name, 60)) + advice;
  });
  return `${id} takes no ${described.join(', ')}. ${effect} describe_operation lists its arguments.`;
}
