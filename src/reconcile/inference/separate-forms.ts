import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { groupBy } from '../../group-by.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import { splitWords, toPascalCase } from '../../model/naming/words.ts';
import {
  getSchemaComponentKey,
  type JsonLocation,
  locatePointer,
  resolveReference,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../../openapi/index.ts';
import { keyOfFinding } from '../../validation/response/finding.ts';
import type { ResponseValidationReport } from '../../validation/response/validator.ts';
import { findingsLabel, getDefaultContext } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import type { SeenResponses } from '../seen-responses.ts';
import { ComponentNames, omitProperties } from './components.ts';
import { REQUIRED_EVIDENCE } from './create-schema.ts';
import { findReferenceUses, type ReferenceUse } from './schema-places.ts';
import type { ObjectsShape } from './shape.ts';
import { isAlways, isNever, resourceNames } from './shape-comparison.ts';

/**
 * Creates a component `…Summary` for items of lists that never have some members which other responses always have, such as
 * the content of a book. Otherwise these members would be optional everywhere.
 */
export function separateForms(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly OverlayAction[] {
  const names = new ComponentNames(document);
  const byReference = groupBy(findReferenceUses(document, shapes), ({ reference }) => reference);
  return [...byReference].sort().flatMap(([reference, uses]) => {
    const key = getSchemaComponentKey(reference);
    const schema = resolveReference(document, reference);
    const members = listDifferingMembers(uses);
    const summaries = uses.filter(
      ({ shape: { objects } }) =>
        objects !== null && [...members].every((name) => !objects.members.has(name)),
    );
    if (key === undefined || !isJsonObject(schema) || members.size === 0 || summaries.length === 0) return [];
    const name = names.claim(`${key}Summary`);
    const evidence = {
      kind: 'inferred',
      responses: summaries.reduce((sum, { responses }) => sum + responses, 0),
      operations: summaries.flatMap(({ operations }) => operations),
    } as const;
    const add = (at: JsonLocation, change: JsonObject): OverlayAction =>
      createInferenceAction(
        at,
        change,
        `A form of the resource that some responses have: ${name}.`,
        evidence,
      );
    const locations = summaries.flatMap(({ pointer }) => locateReferences(document, pointer, reference));
    const unique = new Map(locations.map((location) => [JSON.stringify(location), location]));
    return [
      add(['components', 'schemas'], { [name]: omitProperties(schema, members) }),
      ...Array.from(unique.values(), (location) => add(location, { $ref: toSchemaReference(name) })),
    ];
  });
}

/**
 * Creates a component for a context that shares one with others and has findings of its own, such as the context `embed` of a list
 * whose items have no content. Otherwise the other contexts would be widened too.
 *
 * @param report findings by operation and context, as `findingsLabel()` names them
 */
export function separateContexts(
  document: OpenApiDocument,
  report: ResponseValidationReport,
): readonly OverlayAction[] {
  const names = new ComponentNames(document);
  const byLabel = new Map(report.operations.map(({ findings, operation }) => [operation, findings]));
  const operations = listRouteOperations(document);
  const findingsIn = (operation: Operation, context: string, reference: string): readonly string[] =>
    (byLabel.get(findingsLabel(operation, context === getDefaultContext(operation) ? null : context)) ?? [])
      .filter(({ kind, schema }) => kind !== 'extra' && `#${schema}/`.startsWith(`${reference}/`))
      .map(keyOfFinding);
  const shared = operations.flatMap((operation) =>
    [...(operation.contextReferences ?? [])].map(([context, reference]) => ({
      operation,
      context,
      reference,
    })),
  );
  return [...groupBy(shared, ({ context, reference }) => `${reference} ${context}`).values()].flatMap(
    (uses) => {
      const [{ context, reference }] = uses;
      const others = shared.filter((use) => use.reference === reference && use.context !== context);
      const isDefault = uses.some(({ operation }) => getDefaultContext(operation) === context);
      const known = new Set(others.flatMap((use) => findingsIn(use.operation, use.context, reference)));
      const own = uses.flatMap((use) => findingsIn(use.operation, context, reference));
      const key = getSchemaComponentKey(reference);
      const schema = resolveReference(document, reference);
      if (isDefault || others.length === 0 || own.every((finding) => known.has(finding))) return [];
      if (key === undefined || schema === undefined) return [];
      const name = names.claim(key + toPascalCase(splitWords(context)));
      const evidence = {
        kind: 'inferred',
        responses: own.length,
        operations: uses.map(({ operation }) => operation.id),
      } as const;
      const add = (at: JsonLocation, change: JsonObject): OverlayAction =>
        createInferenceAction(at, change, `What only the context ${context} sends: ${name}.`, evidence);
      return [
        add(['components', 'schemas'], { [name]: schema }),
        ...uses.map(({ operation }) =>
          add([...operation.location, EXTENSION_NAMES.contexts], {
            [context]: { $ref: toSchemaReference(name) },
          }),
        ),
      ];
    },
  );
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

/** Lists the locations of a reference that describe the same values: in a response those of all statuses, and of its context. */
function locateReferences(document: JsonObject, pointer: string, reference: string): readonly JsonLocation[] {
  const { location = [] } = locatePointer(document, pointer) ?? {};
  if (location[0] !== 'paths') return [location];
  const operation = location.slice(0, location[2] === EXTENSION_NAMES.methods ? 4 : 3);
  const locations: JsonLocation[] = [];
  const visit = (value: Json, at: JsonLocation): void => {
    for (const [index, item] of jsonItems(value).entries()) visit(item, [...at, index]);
    if (!isJsonObject(value)) return;
    if (value['$ref'] === reference) locations.push(at);
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'parameters' && name !== 'requestBody') visit(member, [...at, name]);
    }
  };
  const root = operation.reduce<Json>(
    (value, token) => (isJsonObject(value) ? (value[token] ?? null) : null),
    document,
  );
  visit(root, operation);
  return locations;
}
