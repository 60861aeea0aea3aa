import { EXTENSION_NAMES, getContexts } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import { type JsonLocation, locatePointer } from '../../openapi/document-references.ts';

/** A reference to a component. */
export interface ReferencePlace {
  /** Location of the object with `$ref`. */
  readonly location: JsonLocation;
  readonly reference: string;
  /** Equal for the references that describe the same values: those of all successful statuses and of a context. */
  readonly key: string;
}

/** Lists the references of a document except those in requests. */
export function listReferencePlaces(document: JsonObject): readonly ReferencePlace[] {
  const places: ReferencePlace[] = [];
  const visit = (value: Json, location: JsonLocation): void => {
    for (const [index, item] of jsonItems(value).entries()) visit(item, [...location, index]);
    if (!isJsonObject(value)) return;
    const { $ref: reference } = value;
    if (typeof reference === 'string') {
      places.push({ location, reference, key: toKey(document, location, reference) });
    }
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'parameters' && name !== 'requestBody') visit(member, [...location, name]);
    }
  };
  visit(document, []);
  return places;
}

/** Returns the key of the reference at a pointer. @param reference the component of the response's context */
export function toUseKey(document: JsonObject, pointer: string, reference: string): string {
  const located = locatePointer(document, pointer);
  return located === null ? pointer : toKey(document, located.location, reference);
}

function toKey(document: JsonObject, location: JsonLocation, reference: string): string {
  const [root, , third] = location;
  if (root !== 'paths') return JSON.stringify(location);
  const operation = location.slice(0, third === EXTENSION_NAMES.methods ? 4 : 3);
  const [part, status, ...rest] = location.slice(operation.length);
  if (part === EXTENSION_NAMES.contexts) return JSON.stringify([...operation, 'context']);
  if (part !== 'responses' || !/^2(?:\d\d|XX)$/.test(String(status))) return JSON.stringify(location);
  const content = operation.reduce<Json | undefined>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    document,
  );
  const isContextual = isJsonObject(content) && [...getContexts(content).values()].includes(reference);
  return JSON.stringify([...operation, ...(isContextual ? ['context'] : rest)]);
}
