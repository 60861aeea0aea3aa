import { isJsonObject, type JsonObject } from '../json.ts';
import { breakAliasCycles, type TypeDeclaration } from './alias-cycles.ts';
import { toSingleLine } from './comment.ts';
import type { CompilerSchema } from './compiler-schema.ts';
import { type ComponentTypes, createComponentTypes } from './component-types.ts';
import { createSchemaComment } from './documentation.ts';
import { createTypeNameAllocator } from './names.ts';
import {
  createOperationTypes,
  createParametersSchema,
  type OperationTypes,
  type SharedQueryParameters,
} from './operation-types.ts';
import { type DocumentOperation, readDocumentOperations } from './operations.ts';
import { declareQueryTypes } from './query-types.ts';
import {
  type ComponentSchema,
  createReferenceResolver,
  type NamedSchema,
  type ReferenceResolver,
} from './references.ts';
import { BYTES_TYPE_NAME } from './shape.ts';
import { createShapeCache, type ShapeCache } from './shape-cache.ts';

/** The content of a module before its types are compiled. */
export interface ModulePlan {
  /** The name of the site on one line; empty if it has none. */
  readonly title: string;
  readonly operationTypes: readonly OperationTypes[];
  /** Types that several operations use. */
  readonly sharedDeclarations: readonly TypeDeclaration[];
  /** Types of schema components, and of other schemas that a reference points at. */
  readonly schemas: readonly TypeDeclaration[];
  readonly components: ComponentTypes & { readonly schemas: readonly ComponentSchema[] };
  /** The schemas of all shapes that the module prints, each once. */
  readonly compilerSchemas: Iterable<CompilerSchema>;
}

export function planModule(document: JsonObject, name?: string): ModulePlan {
  const names = createTypeNameAllocator();
  const sharedName = names.allocate('SharedQuery');
  const references = createReferenceResolver(document, names);
  const shapes = createShapeCache(references);

  const operations = readDocumentOperations(document, references);
  const shared = findSharedQueryParameters(sharedName, operations);
  const context = {
    names,
    references,
    shapes,
    sharedQuery: shared,
    pathTypeNames: new Map<string, string>(),
  };
  const typedOperations = operations.map((operation) => createOperationTypes(operation, context));
  const components = createComponentTypes(document, { references, shapes });
  const schemas = breakAliasCycles(declareSchemas(references, shapes), shapes);
  return {
    title: toSingleLine(name ?? (isJsonObject(document['info']) ? document['info']['title'] : undefined)),
    operationTypes: typedOperations,
    sharedDeclarations: [
      ...declareSharedQuery(shared, shapes),
      ...declareQueryTypes(shapes),
      ...declareBytes(shapes),
    ],
    schemas,
    components: { ...components, schemas: references.componentSchemas },
    compilerSchemas: shapes.compilerSchemas,
  };
}

/** Finds the query parameters that operations refer to. Of two components with one parameter name, the first is used. */
export function findSharedQueryParameters(
  typeName: string,
  operations: readonly Pick<DocumentOperation, 'parameters'>[],
): SharedQueryParameters {
  const parameters = new Map(
    operations
      .flatMap((operation) => operation.parameters)
      .flatMap((parameter) =>
        parameter.componentKey !== undefined && parameter.in === 'query'
          ? [[parameter.componentKey, parameter] as const]
          : [],
      ),
  );
  const byName = new Map([...parameters].reverse().map(([key, parameter]) => [parameter.name, key]));
  return {
    typeName,
    parameters: new Map([...parameters].filter(([key, parameter]) => byName.get(parameter.name) === key)),
  };
}

export function declareSharedQuery(
  { typeName, parameters }: SharedQueryParameters,
  shapes: ShapeCache,
): readonly TypeDeclaration[] {
  return parameters.size === 0
    ? []
    : [
        {
          name: typeName,
          comment: 'Query parameters that several operations accept.',
          shape: shapes.shapeOf(createParametersSchema([...parameters.values()]), 'query'),
        },
      ];
}

/** Declares the type of bytes that `fetch` sends, structurally, so that the module needs no types of a browser. */
export function declareBytes(shapes: ShapeCache): readonly TypeDeclaration[] {
  const types = [
    'ArrayBuffer',
    'Uint8Array',
    '{ readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> }',
  ];
  const comment = 'A file: a `Blob`, a `File` or its bytes.';
  return shapes.refersTo(BYTES_TYPE_NAME)
    ? [{ name: BYTES_TYPE_NAME, comment, shape: shapes.shapeOfTypes(...types) }]
    : [];
}

/** Declares components, then other referenced schemas. The declaration of a schema may add further ones to the list. */
function declareSchemas(references: ReferenceResolver, shapes: ShapeCache): readonly TypeDeclaration[] {
  const declarations = references.componentSchemas.map((schema) => declareSchema(schema, shapes));
  for (const other of references.additionalSchemas) {
    declarations.push(declareSchema(other, shapes));
  }
  return declarations;
}

export function declareSchema(
  { typeName, schema, direction }: NamedSchema,
  shapes: ShapeCache,
): TypeDeclaration {
  const comment = isJsonObject(schema) ? createSchemaComment(schema, direction) : '';
  return { name: typeName, comment, shape: shapes.shapeOf(schema, direction) };
}
