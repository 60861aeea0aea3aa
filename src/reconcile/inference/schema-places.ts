import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toPointerSegment,
} from '../../json.ts';
import {
  type OpenApiDocument,
  readServedApi,
  resolveReference,
  type ServedOperation,
} from '../../openapi/index.ts';
import {
  countStatuses,
  EMPTY_SHAPE,
  isMapShape,
  mergeShapes,
  type SeenResponses,
  type Shape,
} from '../../validation/shapes/index.ts';
import { splitByType, typesOfPart } from './shape-fits.ts';
import { shareOfNames } from './similarity.ts';

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

/** Maximum number of references and schemas between a response and a value. */
const MAX_DEPTH = 60;

/**
 * Follows the shapes of responses through the schemas of a document. A value that several alternatives could describe is
 * followed through the one that has most names in common with it.
 */
export function findSchemaPlaces(
  document: OpenApiDocument,
  shapes: readonly SeenResponses[],
): readonly SchemaPlace[] {
  const places = new Map<string, SchemaPlace>();
  const byRoute = new Map(readServedApi(document).routes.map((route) => [route.pattern, route]));
  for (const response of shapes) {
    const operation = byRoute.get(response.route)?.operations.get(response.method);
    const { contextReferences, responsePointer, responseSchema } = operation ?? {};
    if (operation === undefined || responseSchema === undefined || responsePointer === undefined) continue;
    const wanted = contextReferences?.get(response.variant);
    const walk = new PlaceWalk(document, places, operation, countStatuses(response));
    if (wanted !== undefined) walk.replaceReferences(contextReferences?.values() ?? [], wanted);
    walk.visit(response.shape, responseSchema, responsePointer, 0);
  }
  return [...places.values()].sort((one, other) => (one.pointer < other.pointer ? -1 : 1));
}

class PlaceWalk {
  readonly #document: OpenApiDocument;
  readonly #places: Map<string, SchemaPlace>;
  readonly #operation: ServedOperation;
  readonly #responses: number;
  #siblings: ReadonlySet<string> = new Set();
  #wanted = '';

  constructor(
    document: OpenApiDocument,
    places: Map<string, SchemaPlace>,
    operation: ServedOperation,
    responses: number,
  ) {
    this.#document = document;
    this.#places = places;
    this.#operation = operation;
    this.#responses = responses;
  }

  /** Uses the component of one context in place of those of the others. */
  replaceReferences(siblings: Iterable<string>, wanted: string): void {
    this.#siblings = new Set(siblings);
    this.#wanted = wanted;
  }

  visit(shape: Shape, schema: Json | undefined, pointer: string, depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_DEPTH || shape.count === 0) return;
    const { anyOf, oneOf, $ref } = schema;
    if (typeof $ref === 'string') {
      const reference = depth < 4 && this.#siblings.has($ref) ? this.#wanted : $ref;
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
    let schema: Json | undefined = alternative;
    for (let hops = 0; hops < 10 && isJsonObject(schema) && typeof schema['$ref'] === 'string'; hops += 1) {
      schema = resolveReference(this.#document, schema['$ref']);
    }
    if (!isJsonObject(schema)) return 0;
    const { properties, type } = schema;
    const stated = Array.isArray(type) ? type : [type];
    if (type !== undefined && !typesOfPart(part).some((word) => stated.includes(word))) return 0;
    if (part.objects === null) return 1;
    const names = new Set(jsonMembers(properties).map(([name]) => name));
    return 1 + shareOfNames(new Set(part.objects.members.keys()), names);
  }

  #record(shape: Shape, schema: JsonObject, pointer: string): void {
    const known = this.#places.get(pointer);
    const { id } = this.#operation;
    const isCounted = known?.operations.includes(id) === true;
    this.#places.set(pointer, {
      pointer,
      schema,
      shape: mergeShapes(known?.shape ?? EMPTY_SHAPE, shape),
      operations: isCounted ? known.operations : [...(known?.operations ?? []), id],
      responses: (known?.responses ?? 0) + (isCounted ? 0 : this.#responses),
    });
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
