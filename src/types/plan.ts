import { isJsonObject, type JsonObject } from '../json.ts';
import { createSchemaComment, toSingleLine } from './comments.ts';
import { createTypeNameAllocator } from './names.ts';
import {
  type ComponentTypes,
  createComponentTypes,
  createOperationTypes,
  createParametersSchema,
  type OperationTypes,
  type SharedQueryParameters,
} from './operation-types.ts';
import { type DocumentOperation, readDocumentOperations } from './operations.ts';
import {
  type ComponentSchema,
  createReferenceResolver,
  type NamedSchema,
  type ReferenceResolver,
} from './references.ts';
import {
  BYTES_TYPE_NAME,
  type CompilerSchema,
  createShapeCache,
  QUERY_TYPE_NAMES,
  type ShapeCache,
  type TypeShape,
} from './shape.ts';

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

const { boolean, number, numbers, words } = QUERY_TYPE_NAMES;

/** What WordPress reads as a value of each type. A type stands after those that refer to it. */
const QUERY_TYPES: readonly (readonly [name: string, comment: string, types: readonly string[]])[] = [
  [
    numbers,
    'Numbers in the query: one, a list, or a text that separates them by commas.',
    [number, `readonly ${number}[]`, '`${number},${string}`'],
  ],
  [
    words,
    'Several words in the query, separated by commas. TypeScript does not check which.',
    ['`${string},${string}`'],
  ],
  [number, 'A number in the query, or its text.', ['number', '`${number}`']],
  [boolean, 'A boolean in the query.', ['true', 'false', '1', '0', '"1"', '"0"', '"true"', '"false"']],
];

/** Declares the types of values in the query that the types created so far refer to. */
function declareQueryTypes(shapes: ShapeCache): readonly TypeDeclaration[] {
  return QUERY_TYPES.flatMap(([name, comment, types]) =>
    shapes.refersTo(name) ? [{ name, comment, shape: shapes.shapeOfTypes(...types) }] : [],
  ).reverse();
}

/** One exported type of the module. */
export interface TypeDeclaration {
  readonly name: string;
  /** Text of the comment above the type. */
  readonly comment: string;
  readonly shape: TypeShape;
  /** Text after `extends`: a base type with further members. */
  readonly extends?: string;
}

/**
 * Replaces aliases that refer to themselves with no object or list between (`type A = B; type B = A`), which TypeScript
 * rejects. Such a schema constrains nothing, so its type becomes `unknown`.
 */
export function breakAliasCycles(
  declarations: readonly TypeDeclaration[],
  shapes: ShapeCache,
): readonly TypeDeclaration[] {
  const links = new Map(declarations.map(({ name, shape }) => [name, directReferences(shape)]));
  const circular = withoutLeaves(withoutLeaves(links), true);
  return declarations.map((declaration) =>
    circular.has(declaration.name) ? { ...declaration, shape: shapes.shapeOf(true, 'read') } : declaration,
  );
}

type ReferenceGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Removes the nodes without outgoing references until none is left (Kahn's algorithm). */
function withoutLeaves(links: ReferenceGraph, reversed = false): ReferenceGraph {
  const forward = reversed ? reverseGraph(links) : links;
  const backward = reversed ? links : reverseGraph(links);
  const degrees = new Map(
    [...forward].map(([name, targets]) => [
      name,
      [...targets].filter((target) => forward.has(target)).length,
    ]),
  );
  const waiting = [...degrees].filter(([, degree]) => degree === 0).map(([name]) => name);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    degrees.delete(name);
    for (const source of backward.get(name) ?? []) {
      const degree = degrees.get(source);
      if (degree !== undefined) {
        degrees.set(source, degree - 1);
        if (degree === 1) {
          waiting.push(source);
        }
      }
    }
  }
  return new Map([...links].filter(([name]) => degrees.has(name)));
}

function reverseGraph(links: ReferenceGraph): ReferenceGraph {
  const reversed = new Map([...links.keys()].map((name) => [name, new Set<string>()]));
  for (const [name, targets] of links) {
    for (const target of targets) {
      reversed.get(target)?.add(name);
    }
  }
  return reversed;
}

function directReferences({ schema, typeNames }: TypeShape): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = ({ tsType, anyOf, allOf }: CompilerSchema): void => {
    const reference = tsType?.startsWith('R') ? typeNames[Number(tsType.slice(1))] : undefined;
    if (reference !== undefined) {
      found.add(reference);
    }
    for (const member of [...(anyOf ?? []), ...(allOf ?? [])]) {
      visit(member);
    }
  };
  visit(schema);
  return found;
}
