import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toPointerSegment,
} from '../../json.ts';
import { dereference, resolveReference } from '../../openapi/document-references.ts';
import { type OpenApiDocument, readServedApi, type ServedOperation } from '../../openapi/index.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../../openapi/schema-view.ts';
import {
  createResponseFindingStats,
  type JsonType,
  type ResponseFinding,
  type ResponseValidationReport,
} from '../../validation/response/index.ts';
import {
  countStatuses,
  EMPTY_SHAPE,
  isMapShape,
  isPropertyName,
  mergeShapes,
  type SeenResponses,
  type Shape,
} from '../../validation/shapes/index.ts';
import { shareOfNames, splitByType, typesOfPart } from './shape-comparison.ts';

/** The values that were seen at one schema of a document. */
export interface SchemaPlace {
  /** JSON pointer to the schema. */
  readonly pointer: string;
  readonly schema: JsonObject;
  readonly shape: Shape;
  /** The operations whose responses reach the schema. */
  readonly operations: readonly string[];
  /** Number of responses of these operations. */
  readonly responses: number;
}

/** The values that were seen at one reference to a component. */
export interface ReferenceUse {
  /** JSON pointer to the schema that refers to the component. */
  readonly pointer: string;
  /** The component: the one of the context of the responses, if the operation has contexts. */
  readonly reference: string;
  readonly shape: Shape;
  readonly operations: readonly string[];
  readonly responses: number;
}

/**
 * Follows the shapes of responses through the schemas of a document. A value that several alternatives could describe is
 * followed through the one that has most names in common with it.
 */
export function findSchemaPlaces(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly SchemaPlace[] {
  const { places } = walkResponses(document, shapes);
  return [...places.values()].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
}

/** Follows the shapes of responses as {@link findSchemaPlaces} does, and returns the references on their ways. */
export function findReferenceUses(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly ReferenceUse[] {
  return [...walkResponses(document, shapes).uses.values()];
}

interface Findings {
  readonly places: Map<string, SchemaPlace>;
  /** By pointer and reference. */
  readonly uses: Map<string, ReferenceUse>;
}

function walkResponses(document: OpenApiDocument, shapes: readonly SeenResponses[]): Findings {
  const findings: Findings = { places: new Map(), uses: new Map() };
  const byRoute = new Map(readServedApi(document).routes.map((route) => [route.pattern, route]));
  for (const response of shapes) {
    const operation = byRoute.get(response.route)?.operations.get(response.method);
    const { responsePointer, responseSchema } = operation ?? {};
    if (operation === undefined || responseSchema === undefined || responsePointer === undefined) continue;
    const walk = new PlaceWalk(document, findings, operation, response);
    walk.visit(response.shape, responseSchema, responsePointer, 0);
  }
  return findings;
}

class PlaceWalk {
  readonly #document: OpenApiDocument;
  readonly #findings: Findings;
  readonly #operation: ServedOperation;
  readonly #responses: number;
  /** The components of all contexts. */
  readonly #siblings: ReadonlySet<string>;
  /** The component of the context of the response, which stands in place of those of the others. */
  readonly #wanted: string | undefined;

  constructor(
    document: OpenApiDocument,
    findings: Findings,
    operation: ServedOperation,
    response: SeenResponses,
  ) {
    this.#document = document;
    this.#findings = findings;
    this.#operation = operation;
    this.#responses = countStatuses(response);
    this.#siblings = new Set(operation.contextReferences?.values());
    this.#wanted = operation.contextReferences?.get(response.variant);
  }

  visit(shape: Shape, schema: Json | undefined, pointer: string, depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH || shape.count === 0) return;
    const { anyOf, oneOf, $ref } = schema;
    if (typeof $ref === 'string') {
      const reference = depth < 4 && this.#siblings.has($ref) ? (this.#wanted ?? $ref) : $ref;
      this.#recordUse(shape, pointer, reference);
      this.visit(shape, resolveReference(this.#document, reference), reference.slice(1), depth + 1);
      return;
    }
    const keyword = Array.isArray(anyOf) ? 'anyOf' : 'oneOf';
    const alternatives = jsonItems(anyOf ?? oneOf);
    if (alternatives.length > 0) {
      this.#visitAlternatives(shape, alternatives, `${pointer}/${keyword}`, depth);
      return;
    }
    this.#record(shape, schema, pointer);
    this.#visitChildren(shape, schema, pointer, depth);
  }

  #visitAlternatives(shape: Shape, alternatives: readonly Json[], pointer: string, depth: number): void {
    for (const part of splitByType(shape)) {
      const best = alternatives
        .map((alternative, index) => ({ alternative, index, rank: this.#rankAlternative(part, alternative) }))
        .filter(({ rank }) => rank > 0)
        .sort((one, other) => other.rank - one.rank || one.index - other.index)[0];
      if (best !== undefined) this.visit(part, best.alternative, `${pointer}/${best.index}`, depth + 1);
    }
  }

  /** 0 if the alternative does not describe values of this type; more if it has more names in common with objects. */
  #rankAlternative(part: Shape, alternative: Json): number {
    const schema = dereference(alternative, this.#document);
    if (schema === undefined) return 0;
    const { properties, type } = schema;
    const stated = typesOf(schema);
    if (type !== undefined && !typesOfPart(part).some((word) => stated.includes(word))) return 0;
    if (part.objects === null) return 1;
    const names = new Set(jsonMembers(properties).map(([name]) => name));
    return 1 + shareOfNames(new Set(part.objects.members.keys()), names);
  }

  #record(shape: Shape, schema: JsonObject, pointer: string): void {
    const known = this.#findings.places.get(pointer);
    this.#findings.places.set(pointer, { pointer, schema, ...this.#addTo(known, shape) });
  }

  #recordUse(shape: Shape, pointer: string, reference: string): void {
    const key = `${pointer}\n${reference}`;
    const total = this.#addTo(this.#findings.uses.get(key), shape);
    this.#findings.uses.set(key, { pointer, reference, ...total });
  }

  #addTo(
    known: Pick<SchemaPlace, 'shape' | 'operations' | 'responses'> | undefined,
    shape: Shape,
  ): Pick<SchemaPlace, 'shape' | 'operations' | 'responses'> {
    const { id } = this.#operation;
    const isCounted = known?.operations.includes(id) === true;
    return {
      shape: mergeShapes(known?.shape ?? EMPTY_SHAPE, shape),
      operations: isCounted ? known.operations : [...(known?.operations ?? []), id],
      responses: (known?.responses ?? 0) + (isCounted ? 0 : this.#responses),
    };
  }

  #visitChildren({ lists, objects }: Shape, schema: JsonObject, pointer: string, depth: number): void {
    const { additionalProperties, items, properties } = schema;
    if (lists?.items) this.visit(lists.items, items, `${pointer}/items`, depth + 1);
    if (objects === null) return;
    const declared = new Map(jsonMembers(properties));
    for (const [name, member] of objects.members) {
      if (declared.has(name)) {
        this.visit(member, declared.get(name), `${pointer}/properties${toPointerSegment(name)}`, depth + 1);
      } else {
        this.visit(member, additionalProperties, `${pointer}/additionalProperties`, depth + 1);
      }
    }
    if (objects.others === null || (isMapShape(objects) && declared.size > 0)) return;
    this.visit(objects.others, additionalProperties, `${pointer}/additionalProperties`, depth + 1);
  }
}

/** Finds the differences between shapes and the schemas of a document that shapes show: types and missing members. */
export function findShapeFindings(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): ResponseValidationReport {
  const stats = createResponseFindingStats();
  for (const place of findSchemaPlaces(document, shapes)) {
    const findings = [...findTypes(place), ...findMissing(place)];
    if (findings.length > 0) stats.record(place.operations.join(', '), { kind: 'validated', findings });
  }
  return stats.report();
}

function findTypes({ pointer, schema, shape }: SchemaPlace): readonly ResponseFinding[] {
  if (schema['type'] === undefined) return [];
  const allowed = typesOf(schema);
  return splitByType(shape).flatMap((part): ResponseFinding[] => {
    const types = typesOfPart(part);
    const [actual = 'null'] = types;
    if (types.some((each) => allowed.includes(each))) return [];
    return [
      {
        kind: kindOfMismatch(part, allowed),
        pointer: '',
        actual: toJsonType(actual),
        keyword: 'type',
        schema: pointer,
      },
    ];
  });
}

function kindOfMismatch(part: Shape, allowed: readonly unknown[]): ResponseFinding['kind'] {
  if (part.nulls > 0) return 'null';
  const isEmptyList = part.lists !== null && part.lists.empty === part.lists.count;
  return isEmptyList && allowed.includes('object') ? 'empty-array-for-object' : 'type';
}

function toJsonType(type: string): JsonType {
  return type as JsonType;
}

function findMissing({ pointer, schema, shape: { objects } }: SchemaPlace): readonly ResponseFinding[] {
  if (objects === null || objects.isCut) return [];
  return jsonItems(schema['required']).flatMap((name): ResponseFinding[] => {
    if (typeof name !== 'string' || objects.members.get(name)?.count === objects.count) return [];
    // Names that are data are not kept, so nothing is known about them; nor is it about a map.
    if (!isPropertyName(name) || objects.isMap) return [];
    return [
      {
        kind: 'missing',
        pointer: toPointerSegment(name),
        actual: 'nothing',
        keyword: 'required',
        schema: pointer,
      },
    ];
  });
}
