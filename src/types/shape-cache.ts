import { isJsonObject, type Json } from '../json.ts';
import { type CompilerSchema, createSchemaInterner } from './compiler-schema.ts';
import type { TypeDirection } from './directions.ts';
import type { ReferenceResolver } from './references.ts';
import { createTypeShape, type TypeShape } from './shape.ts';

/** Creates the shapes of schemas, each once, and collects their compiler schemas. */
export interface ShapeCache {
  shapeOf(schema: Json | undefined, direction: TypeDirection): TypeShape;
  /** The shape of a union of types that are given by name or as text. */
  shapeOfTypes(...names: readonly string[]): TypeShape;
  /** Whether any shape refers to a type of that name. */
  refersTo(name: string): boolean;
  /** The schemas of all shapes; equal schemas are one object. */
  readonly compilerSchemas: ReadonlySet<CompilerSchema>;
}

export function createShapeCache(references: ReferenceResolver): ShapeCache {
  const compilerSchemas = new Set<CompilerSchema>();
  const nodes = createSchemaInterner();
  const referred = new Set<string>();
  // Several media types and statuses use the same schema object of the document.
  const shapes = {
    read: new WeakMap<object, TypeShape>(),
    write: new WeakMap<object, TypeShape>(),
    query: new WeakMap<object, TypeShape>(),
  };
  const register = (shape: TypeShape): TypeShape => {
    for (const name of shape.typeNames) {
      referred.add(name);
    }
    compilerSchemas.add(shape.schema);
    return shape;
  };
  return {
    shapeOf(schema, direction) {
      const cached = isJsonObject(schema) ? shapes[direction].get(schema) : undefined;
      if (cached !== undefined) return cached;
      const shape = register(createTypeShape(schema, direction, { references, nodes }));
      if (isJsonObject(schema)) {
        shapes[direction].set(schema, shape);
      }
      return shape;
    },
    shapeOfTypes: (...typeNames) =>
      register({
        schema: nodes.internUnion(typeNames.map((_, at) => nodes.intern({ tsType: `R${at}` }))),
        propertyNames: [],
        propertyComments: [],
        typeNames,
        hasReadonlyLists: false,
      }),
    refersTo: (name) => referred.has(name),
    compilerSchemas,
  };
}

/** Whether two shapes of one module print the same type. */
export function isSameShape(a: TypeShape, b: TypeShape): boolean {
  return (
    a === b ||
    (a.schema === b.schema &&
      isSameList(a.propertyNames, b.propertyNames) &&
      isSameList(a.propertyComments, b.propertyComments) &&
      isSameList(a.typeNames, b.typeNames) &&
      a.hasReadonlyLists === b.hasReadonlyLists)
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}
