import { isJsonObject, type JsonObject } from '../json.ts';
import { oneLine } from './comment.ts';
import type { CompilerSchema } from './compiler-schema.ts';
import { type ComponentTypes, componentTypes } from './component-types.ts';
import { type Declaration, withoutCircles } from './declarations.ts';
import { documentation } from './documentation.ts';
import { typeNames } from './names.ts';
import {
  type OperationTypes,
  operationTypes,
  parametersSchema,
  type SharedQuery,
} from './operation-types.ts';
import { type Operation, operationsOf } from './operations.ts';
import { type ComponentSchema, type NamedSchema, type References, references } from './references.ts';
import { bytesType } from './shape.ts';
import { type Shapes, shapesOf } from './shapes.ts';

/** All that a module will say, before its types are compiled. */
export interface ModulePlan {
  /** The name of the site on one line; empty where it has none. */
  readonly title: string;
  readonly operations: readonly OperationTypes[];
  /** Types that operations have in common. */
  readonly common: readonly Declaration[];
  /** Types of schemas that stand in the document by name, or that something refers to. */
  readonly schemas: readonly Declaration[];
  readonly components: ComponentTypes & { readonly schemas: readonly ComponentSchema[] };
  /** What has to be compiled: the schemas of all shapes that the module prints, each once. */
  readonly compiled: Iterable<CompilerSchema>;
}

export function planModule(document: JsonObject, name?: string): ModulePlan {
  const names = typeNames();
  const sharedName = names.take('SharedQuery');
  const refs = references(document, names);
  const shapes = shapesOf(refs);

  const operations = operationsOf(document, refs);
  const shared = sharedQuery(sharedName, operations);
  const typing = { names, references: refs, shapes, shared, pathTypes: new Map<string, string>() };
  const typed = operations.map((operation) => operationTypes(operation, typing));
  const components = componentTypes(document, { references: refs, shapes });
  const schemas = withoutCircles(schemaDeclarations(refs, shapes), shapes);
  return {
    title: oneLine(name ?? (isJsonObject(document['info']) ? document['info']['title'] : undefined)),
    operations: typed,
    common: [...sharedDeclaration(shared, shapes), ...bytesDeclaration(shapes)],
    schemas,
    components: { ...components, schemas: refs.components },
    compiled: shapes.schemas,
  };
}

/** Query parameters that operations refer to. Of two components with one parameter name, the first is shared. */
function sharedQuery(name: string, operations: readonly Operation[]): SharedQuery {
  const parameters = new Map(
    operations
      .flatMap((operation) => operation.parameters)
      .flatMap((parameter) =>
        parameter.shared !== undefined && parameter.in === 'query'
          ? [[parameter.shared, parameter] as const]
          : [],
      ),
  );
  const byName = new Map([...parameters].reverse().map(([key, parameter]) => [parameter.name, key]));
  return {
    name,
    parameters: new Map([...parameters].filter(([key, parameter]) => byName.get(parameter.name) === key)),
  };
}

function sharedDeclaration({ name, parameters }: SharedQuery, shapes: Shapes): readonly Declaration[] {
  return parameters.size === 0
    ? []
    : [
        {
          name,
          comment: 'Query parameters that operations have in common.',
          shape: shapes.take(parametersSchema([...parameters.values()]), 'write'),
        },
      ];
}

/** What `fetch` sends as it is, described without the types of a browser so that the module needs none. */
function bytesDeclaration(shapes: Shapes): readonly Declaration[] {
  const types = [
    'ArrayBuffer',
    'Uint8Array',
    '{ readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> }',
  ];
  const comment = 'A file: a `Blob`, a `File` or its bytes.';
  return shapes.refersTo(bytesType) ? [{ name: bytesType, comment, shape: shapes.named(...types) }] : [];
}

/** Components first, then what was given a name on the way: naming one may name the next. */
function schemaDeclarations(refs: References, shapes: Shapes): readonly Declaration[] {
  const declarations: Declaration[] = [];
  const declare = ({ name, schema, direction }: NamedSchema): void => {
    const comment = isJsonObject(schema) ? documentation(schema, direction) : '';
    declarations.push({ name, comment, shape: shapes.take(schema, direction) });
  };
  refs.components.forEach(declare);
  for (const other of refs.others) {
    declare(other);
  }
  return declarations;
}
