import { toSingleLine } from '../types/comment.ts';
import type { ReducedSchema } from './checked-schema.ts';

/** Maximum number of remarks in one comment. */
const MAX_REMARKS = 5;

/** Separates a schema from the remarks of all its parts. */
export function splitRemarks(schema: ReducedSchema): {
  readonly schema: ReducedSchema;
  readonly remarks: readonly string[];
} {
  const remarks: string[] = [];
  return { schema: withoutRemarks(schema, remarks), remarks };
}

function withoutRemarks(schema: ReducedSchema, found: string[]): ReducedSchema {
  if (typeof schema === 'boolean') return schema;
  const { remarks = [], items, additionalProperties, properties, allOf, anyOf, oneOf, ...others } = schema;
  found.push(...remarks);
  const inside = (member: ReducedSchema): ReducedSchema => withoutRemarks(member, found);
  return {
    ...others,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, inside(member)]),
          ),
        }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: inside(additionalProperties) }),
    ...(items === undefined ? {} : { items: inside(items) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(inside) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inside) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(inside) }),
  };
}

/** The text of a comment about keywords that are not checked; empty if there are none. */
export function toRemarkText(remarks: readonly string[]): string {
  const shown = [...new Set(remarks)].slice(0, MAX_REMARKS).map((remark) => toSingleLine(remark));
  return shown.length === 0 ? '' : `not checked: ${shown.join(', ')}`;
}
