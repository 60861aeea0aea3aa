import { EXTENSION_NAMES, getContexts } from '../../document-extensions.ts';
import { groupBy } from '../../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, memberAt } from '../../json.ts';
import {
  getSchemaComponentKey,
  type JsonLocation,
  locatePointer,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { type OpenApiDocument, resolveReference } from '../../openapi/index.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import type { SeenResponses } from '../seen-responses.ts';
import { ComponentNames, omitProperties } from './components.ts';
import { REQUIRED_EVIDENCE } from './create-schema.ts';
import { findReferenceUses, type ReferenceUse } from './schema-places.ts';
import type { ObjectsShape } from './shape.ts';
import { isAlways, isNever, resourceNames } from './shape-comparison.ts';

/**
 * Creates components of their own for the forms of a resource. Sites leave out costly members in lists and in responses
 * to changes. Where some responses always have a member and others never, the members that differ are left out of the
 * component `…Summary` and stay in the component itself. Responses of which too few were seen keep the component with
 * optional members; then the component `…Detail` describes those that have them.
 */
export function separateForms(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const byReference = groupBy(findReferenceUses(document, shapes), ({ reference }) => reference);
  const separable = [...byReference].filter(([, uses]) => uses.length > 1 && uses.some(isResourceUse)).sort();
  if (separable.length === 0) return [];
  const names = new ComponentNames(document);
  return separable.flatMap(([reference, uses]) => {
    const key = getSchemaComponentKey(reference);
    const schema = resolveReference(document, reference);
    const members = listDifferingMembers(uses);
    if (key === undefined || !isJsonObject(schema) || members.size === 0) return [];
    const own = locateReferences(document, reference);
    const keyOf = (location: JsonLocation): string => toKey(document, location, reference);
    const findForm = (isOfForm: (objects: ObjectsShape, name: string) => boolean): FormUses => {
      const selected = uses.filter(
        ({ shape: { objects } }) =>
          isEnough(objects) && [...members].every((name) => isOfForm(objects, name)),
      );
      const keys = new Set(
        selected.map(({ pointer }) => keyOf(locatePointer(document, pointer)?.location ?? [])),
      );
      return { uses: selected, locations: own.filter((location) => keys.has(keyOf(location))) };
    };
    const [summaries, details] = [findForm(isNever), findForm(isAlways)];
    if (summaries.locations.length === 0 || details.locations.length === 0) return [];
    const isComplete = summaries.locations.length + details.locations.length === own.length;
    return [
      ...createForm(names.forForm(key, 'Summary'), omitProperties(schema, members), summaries),
      ...(isComplete ? [] : createForm(names.forForm(key, 'Detail'), schema, details)),
    ];
  });
}

/** Whether a use is the response itself, an item of its list, or a value of its map. */
function isResourceUse({ pointer }: ReferenceUse): boolean {
  return /\/application~1json\/schema(?:\/items|\/additionalProperties|\/anyOf\/\d+)*$/.test(pointer);
}

/** The members that all objects of one use have, and none of another. */
function listDifferingMembers(uses: readonly ReferenceUse[]): ReadonlySet<string> {
  const all = uses.map(({ shape }) => shape.objects).filter(isEnough);
  const differs = (name: string): boolean =>
    all.some((objects) => isAlways(objects, name)) && all.some((objects) => isNever(objects, name));
  return new Set(all.flatMap((objects) => [...resourceNames(objects)]).filter(differs));
}

function isEnough(objects: ObjectsShape | null): objects is ObjectsShape {
  return objects !== null && objects.count >= REQUIRED_EVIDENCE;
}

/** Uses of one form, and the locations of all their references. */
interface FormUses {
  readonly uses: readonly ReferenceUse[];
  readonly locations: readonly JsonLocation[];
}

function createForm(
  name: string,
  schema: JsonObject,
  { locations, uses }: FormUses,
): readonly OverlayAction[] {
  const evidence = {
    kind: 'inferred',
    responses: uses.reduce((sum, { responses }) => sum + responses, 0),
    operations: uses.flatMap(({ operations }) => operations),
  } as const;
  const description = `A form of the resource that some responses have: ${name}.`;
  const add = (at: JsonLocation, change: JsonObject): OverlayAction =>
    createInferenceAction(at, change, description, evidence);
  return [
    add(['components', 'schemas'], { [name]: schema }),
    ...locations.map((location) => add(location, { $ref: toSchemaReference(name) })),
  ];
}

/** Lists the locations of the references to a component, except those in requests. */
function locateReferences(document: JsonObject, reference: string): readonly JsonLocation[] {
  const locations: JsonLocation[] = [];
  const visit = (value: Json, location: JsonLocation): void => {
    for (const [index, item] of jsonItems(value).entries()) visit(item, [...location, index]);
    if (!isJsonObject(value)) return;
    if (value['$ref'] === reference) locations.push(location);
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'parameters' && name !== 'requestBody') visit(member, [...location, name]);
    }
  };
  visit(document, []);
  return locations;
}

/**
 * Returns a key that is equal for the references that describe the same values: those of all successful statuses and of a context.
 *
 * @param reference the component of the response's context
 */
function toKey(document: JsonObject, location: JsonLocation, reference: string): string {
  const [root, , third] = location;
  if (root !== 'paths') return JSON.stringify(location);
  const operation = location.slice(0, third === EXTENSION_NAMES.methods ? 4 : 3);
  const [part, status, ...rest] = location.slice(operation.length);
  if (part === EXTENSION_NAMES.contexts) return JSON.stringify([...operation, 'context']);
  if (part !== 'responses' || !/^2(?:\d\d|XX)$/.test(String(status))) return JSON.stringify(location);
  const content = memberAt(document, ...operation.map(String));
  const isContextual = isJsonObject(content) && [...getContexts(content).values()].includes(reference);
  return JSON.stringify([...operation, ...(isContextual ? ['context'] : rest)]);
}
