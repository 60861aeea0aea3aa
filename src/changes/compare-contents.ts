import { isJsonObject, type Json, type JsonObject, jsonMembers } from '../json.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { ChangeContext } from './context.ts';
import type { ChangePlace } from './place.ts';

/** Compares the request bodies of an operation. */
export function compareBodies(
  before: Json | undefined,
  after: Json | undefined,
  source: string,
  context: ChangeContext,
): void {
  const place: ChangePlace = { source, direction: 'request', label: 'request body', path: [], depth: 0 };
  if (!isJsonObject(after)) {
    if (isJsonObject(before)) context.report('body-removed', place);
    return;
  }
  const to = context.resolveAfter(after);
  const isRequired = to['required'] === true;
  if (!isJsonObject(before)) {
    context.report(isRequired ? 'required-body-added' : 'body-added', place);
    return;
  }
  const from = context.resolveBefore(before);
  const wasRequired = from['required'] === true;
  if (!wasRequired && isRequired) context.report('became-required', place);
  if (wasRequired && !isRequired) context.report('became-optional', place);
  compareMediaTypes(from['content'], to['content'], place, context);
}

/** Compares the schemas of a body or a response by media type. */
export function compareMediaTypes(
  before: Json | undefined,
  after: Json | undefined,
  place: ChangePlace,
  context: ChangeContext,
): void {
  const [from, to] = [new Map(jsonMembers(before)), new Map(jsonMembers(after))];
  for (const mediaType of new Set([...from.keys(), ...to.keys()])) {
    const [old, current] = [from.get(mediaType), to.get(mediaType)];
    if (current === undefined) context.report('media-type-removed', place, { from: mediaType });
    else if (old === undefined) context.report('media-type-added', place, { to: mediaType });
    else compareSchemas(schemaOf(old), schemaOf(current), place, context);
  }
}

function schemaOf(content: Json): Json | undefined {
  return isJsonObject(content) ? content['schema'] : undefined;
}

/** Compares the texts of two objects that are no schemas. */
export function compareTexts(
  before: JsonObject,
  after: JsonObject,
  place: ChangePlace,
  context: ChangeContext,
): void {
  for (const name of ['summary', 'description']) {
    if (before[name] !== after[name]) context.report('text-changed', place, { name });
  }
}
