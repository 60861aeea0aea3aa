import { jsonItems, toPointerSegment } from '../../json.ts';
import type { OpenApiDocument } from '../../openapi/index.ts';
import { typesOf } from '../../openapi/schema-view.ts';
import {
  createResponseFindingStats,
  type JsonType,
  type ResponseFinding,
  type ResponseValidationReport,
} from '../../validation/response/index.ts';
import { isPropertyName, type SeenResponses, type Shape } from '../../validation/shapes/index.ts';
import { findSchemaPlaces, type SchemaPlace } from './schema-places.ts';
import { splitByType, typesOfPart } from './shape-fits.ts';

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
