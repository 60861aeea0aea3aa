import { isJsonObject, type Json } from '../json.ts';
import type { CompilerSchema } from './compiler-schema.ts';
import type { TypeDirection } from './directions.ts';
import { createSchemaInterner } from './schema-interner.ts';
import type { ReferenceResolver } from './references.ts';
import { type TypeShape, createShape } from './shape.ts';

/** Takes schemas up and remembers what their shapes have in common, so that all are compiled together. */
export interface ShapeCache {
  shapeOf(schema: Json | undefined, direction: TypeDirection): TypeShape;
  /** The shape of types that need no compiling: their union, by name. */
  shapeOfTypes(...names: readonly string[]): TypeShape;
  /** Whether a shape refers to a type of that name. */
  refersTo(name: string): boolean;
  /** The schemas of all shapes; equal ones are identical. */
  readonly schemas: ReadonlySet<CompilerSchema>;
}

export function createShapeCache(references: ReferenceResolver): ShapeCache {
  const schemas = new Set<CompilerSchema>();
  const nodes = createSchemaInterner();
  const referred = new Set<string>();
  // One schema of the document stands below several media types and statuses.
  const known = { read: new WeakMap<object, TypeShape>(), write: new WeakMap<object, TypeShape>() };
  const kept = (shape: TypeShape): TypeShape => {
    for (const name of shape.references) {
      referred.add(name);
    }
    schemas.add(shape.schema);
    return shape;
  };
  return {
    shapeOf(schema, direction) {
      const before = isJsonObject(schema) ? known[direction].get(schema) : undefined;
      if (before !== undefined) {
        return before;
      }
      const shape = kept(createShape(schema, direction, { references, nodes }));
      if (isJsonObject(schema)) {
        known[direction].set(schema, shape);
      }
      return shape;
    },
    shapeOfTypes: (...references) =>
      kept({
        schema: nodes.union(references.map((_, at) => nodes.intern({ tsType: `R${at}` }))),
        keys: [],
        comments: [],
        references,
      }),
    refersTo: (name) => referred.has(name),
    schemas,
  };
}

/** Whether two shapes of one module are the same type, word for word. */
export function isSameShape(a: TypeShape, b: TypeShape): boolean {
  return (
    a === b ||
    (a.schema === b.schema &&
      isSameList(a.keys, b.keys) &&
      isSameList(a.comments, b.comments) &&
      isSameList(a.references, b.references))
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}
