import { findNamespace } from '../discovery/site.ts';
import {
  EXTENSION_NAMES,
  extensionOf,
  getAlternatives,
  getContexts,
  getNamespaces,
  getParameterName,
  getParameterSchema,
  hasMark,
} from '../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
  toPointerSegment,
} from '../json.ts';
import { dereference, type JsonLocation, referenceOf } from './document-references.ts';
import type {
  OperationObject,
  ParameterObject,
  PathItemObject,
  RequestBodyObject,
  SchemaObject,
} from './objects.ts';
import { readBodySchema } from './request-bodies.ts';
import { contentSchemaOf } from './schema-view.ts';

/** The methods that a Path Item Object has a field for, in the specification's order (OpenAPI 3.1.1 §4.8.9). */
export const PATH_ITEM_METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
] as const;

const METHOD_NAMES: ReadonlySet<string> = new Set(PATH_ITEM_METHODS);

export function isPathItemMethod(name: string): name is (typeof PATH_ITEM_METHODS)[number] {
  return METHOD_NAMES.has(name);
}

/** A parameter in the path or the query, as the site's code knows it. */
export interface Parameter {
  /** The site's name. */
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: SchemaObject;
}

interface OperationSource {
  readonly document: JsonObject;
  readonly namespaces: ReadonlySet<string>;
  readonly path: string;
  /** Upper case. */
  readonly method: string;
  readonly pathItem: PathItemObject;
  readonly shared: OperationObject;
  /** One of the routes that share the operation, and its index. */
  readonly alternative?: { readonly index: number; readonly object: OperationObject };
  /** The operations at other paths of the same route, which differ in the parameters of the path. */
  readonly forms?: readonly Operation[];
}

/**
 * An operation of a document, or one of the routes that share an operation. References are resolved, except those in schemas. A
 * part that cannot be read is left out; `readServedApi` refuses a document with one.
 */
export class Operation {
  /** Its `operationId`; method and path if it has none. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path template in the document. */
  readonly path: string;
  readonly source: OperationSource;
  #parameters: readonly Parameter[] | undefined;
  #parameterObjects: readonly ParameterObject[] | undefined;
  #response: SuccessResponse | undefined;

  constructor(source: OperationSource) {
    const { alternative, method, path, shared } = source;
    const id = alternative?.object.operationId ?? shared.operationId;
    this.id = typeof id === 'string' && id !== '' ? id : `${method} ${path}`;
    this.method = method;
    this.path = path;
    this.source = source;
  }

  /** The Operation Object; of one of several routes, the object that describes the route. */
  get object(): OperationObject {
    return this.source.alternative?.object ?? this.source.shared;
  }

  /** The Operation Object, also if several routes share it. */
  get shared(): OperationObject {
    return this.source.shared;
  }

  get isAlternative(): boolean {
    return this.source.alternative !== undefined;
  }

  /** The longest namespace of the site that contains the path; empty if none does. */
  get namespace(): string {
    return findNamespace(this.path, this.source.namespaces);
  }

  /** The site's route pattern; `undefined` if the document states none. */
  get pattern(): string | undefined {
    const declared = extensionOf(this.object, 'route') ?? extensionOf(this.shared, 'route');
    return typeof declared === 'string' ? declared : undefined;
  }

  /** The names and indexes that lead to `object` from the root of the document. */
  get location(): JsonLocation {
    const { alternative, method, path } = this.source;
    const name = method.toLowerCase();
    const location = [
      'paths',
      path,
      ...(isPathItemMethod(name) ? [name] : [EXTENSION_NAMES.methods, method]),
    ];
    if (alternative === undefined) return location;
    return [...location, EXTENSION_NAMES.alternatives, alternative.index];
  }

  /** The routes of the operation: itself, or one for each that shares it. */
  get routes(): readonly Operation[] {
    const alternatives = getAlternatives(this.shared);
    if (alternatives.length === 0 || this.isAlternative) return [this];
    return alternatives.flatMap((object, index) =>
      isJsonObject(object) ? [new Operation({ ...this.source, alternative: { index, object } })] : [],
    );
  }

  /** Parameters as the document states them: of the operation, which override, then of the path item. */
  get declaredParameters(): readonly Json[] {
    const own = jsonItems(this.object.parameters);
    // Only the shared operation refers to the global parameters. An alternative lists the parameters of its route.
    const globals = this.isAlternative
      ? jsonItems(this.shared.parameters).filter((each) => referenceOf(each) !== undefined)
      : [];
    return [...own, ...globals, ...jsonItems(this.source.pathItem.parameters)];
  }

  /** The Parameter Objects. The first of several with one location and name applies. */
  get parameterObjects(): readonly ParameterObject[] {
    this.#parameterObjects ??= [
      ...firstOfEach(
        this.declaredParameters
          .map((declared) => dereference(declared, this.source.document))
          .filter((parameter) => parameter !== undefined),
      ).values(),
    ];
    return this.#parameterObjects;
  }

  /** The parameters that the site reads, under its names. */
  get parameters(): readonly Parameter[] {
    this.#parameters ??= joinParameters(
      this.#forms.map((form) => form.parameterObjects.flatMap(toParameter)),
    );
    return this.#parameters;
  }

  get requestBody(): RequestBodyObject | undefined {
    return dereference(this.object.requestBody, this.source.document);
  }

  get bodySchema(): SchemaObject | undefined {
    for (const { requestBody } of this.#forms) {
      const schema = requestBody && readBodySchema(requestBody);
      if (schema !== undefined) return schema;
    }
    return undefined;
  }

  /** The JSON schema of the first 2xx response that has one. */
  get responseSchema(): SchemaObject | undefined {
    return this.#success.schema;
  }

  /** JSON pointer to `responseSchema` in the document. */
  get responsePointer(): string | undefined {
    return this.#success.pointer;
  }

  /** References to the response's component by context (`edit`); `undefined` if the client cannot choose the context. */
  get contextReferences(): ReadonlyMap<string, string> | undefined {
    return this.#success.contexts;
  }

  withId(operationId: string): Operation {
    return new Operation({ ...this.source, shared: { ...this.shared, operationId } });
  }

  withPath(path: string): Operation {
    return new Operation({ ...this.source, path });
  }

  /** One operation for all forms of a route with optional parts. It accepts the parameters of each, and has the id of the first. */
  joinedWith(form: Operation): Operation {
    return new Operation({ ...this.source, forms: [...(this.source.forms ?? []), form] });
  }

  get #forms(): readonly Operation[] {
    return [this, ...(this.source.forms ?? [])];
  }

  get #success(): SuccessResponse {
    if (this.#response === undefined) {
      const all = this.#forms.map((form) => form.#readSuccess());
      this.#response = all.find(({ schema }) => schema !== undefined) ?? all[0] ?? {};
    }
    return this.#response;
  }

  #readSuccess(): SuccessResponse {
    const { object } = this;
    const pointer = toPointer(this.location);
    if (this.isAlternative) {
      const { response: schema } = object;
      return isJsonObject(schema) ? { schema, pointer: `${pointer}/response` } : {};
    }
    const references = getContexts(object);
    const contexts = references.size === 0 ? {} : { contexts: references };
    for (const [status, declared] of jsonMembers(object.responses)) {
      const isSuccess = /^2(?:\d\d|XX)$/.test(status);
      const schema = isSuccess ? contentSchemaOf(dereference(declared, this.source.document)) : undefined;
      if (!isJsonObject(schema)) continue;
      const target = referenceOf(declared)?.slice(1) ?? `${pointer}/responses/${status}`;
      return { schema, pointer: `${target}/content/application~1json/schema`, ...contexts };
    }
    return contexts;
  }
}

interface SuccessResponse {
  readonly schema?: SchemaObject;
  readonly pointer?: string;
  readonly contexts?: ReadonlyMap<string, string>;
}

export function toPointer(location: JsonLocation): string {
  return location.map((name) => toPointerSegment(String(name))).join('');
}

/** The operations of a document in its order, those of a path whose method OpenAPI has no field for last. */
export function* operationsOf(document: JsonObject): Generator<Operation> {
  const namespaces = new Set(getNamespaces(document));
  for (const path of pathsOf(document)) {
    const pathItem = dereference(memberAt(document['paths'], path), document);
    for (const [method, declared] of operationMembers(pathItem)) {
      const shared = dereference(declared, document);
      if (shared !== undefined && pathItem !== undefined)
        yield new Operation({ document, namespaces, path, method, pathItem, shared });
    }
  }
}

export function listOperations(document: JsonObject): readonly Operation[] {
  return [...operationsOf(document)];
}

export function listRouteOperations(document: JsonObject): readonly Operation[] {
  return listOperations(document).flatMap(({ routes }) => routes);
}

export function hasPaths(value: unknown): value is JsonObject {
  return isJsonObject(value) && isJsonObject(value['paths']);
}

export function pathsOf({ paths }: JsonObject): readonly string[] {
  return jsonMembers(paths).flatMap(([path]) => (path.startsWith('x-') ? [] : [path]));
}

/** A document whose path item, if it has one, has servers of its own. */
export function withServers(document: JsonObject, path: string, servers: readonly Json[]): JsonObject {
  const item = memberAt(document['paths'], path);
  if (!isJsonObject(item)) return document;
  return { ...document, paths: { ...toJsonObject(document['paths']), [path]: { ...item, servers } } };
}

/**
 * Counts the operations of a document: one for each method of each path. A route with an optional part has several paths,
 * and several routes can share a path, so the number differs from that of the methods of routes.
 */
export function countOperations(document: JsonObject): number {
  return listOperations(document).length;
}

/** The operations of a Path Item Object as it states them, by method in upper case. */
export function operationMembers(item: Json | undefined): readonly (readonly [method: string, Json])[] {
  return [
    ...jsonMembers(item).flatMap(([name, operation]) =>
      isPathItemMethod(name) ? [[name.toUpperCase(), operation] as const] : [],
    ),
    ...jsonMembers(memberAt(item, EXTENSION_NAMES.methods)),
  ];
}

function firstOfEach<T extends ParameterObject | Parameter>(
  parameters: readonly T[],
): ReadonlyMap<string, T> {
  const first = new Map<string, T>();
  for (const parameter of parameters) {
    const key = `${String(parameter.in)} ${String(parameter.name)}`;
    if (!first.has(key)) first.set(key, parameter);
  }
  return first;
}

function toParameter(parameter: ParameterObject): readonly Parameter[] {
  const location = parameter.in;
  const name = getParameterName(parameter);
  // Users can add headers and cookies to document them: the gateway ignores those.
  if ((location !== 'path' && location !== 'query') || hasMark(parameter, 'unnamed')) return [];
  if (typeof name !== 'string') return [];
  const schema = getParameterSchema(parameter);
  const isGroup = location === 'path' && extensionOf(parameter, 'pcre') !== undefined;
  return [
    {
      name,
      in: location,
      // Arguments that only the endpoint's code requires are left to the site, because its error differs.
      required: location === 'path' || (parameter.required === true && !hasMark(parameter, 'needed')),
      schema: isGroup ? withoutGroupPattern(schema) : schema,
    },
  ];
}

/**
 * Returns the schema by which the site validates the argument of a path group. The pattern of the group is removed. Every
 * request that matched the route matches it, and it is in ECMAScript syntax, unlike the patterns of arguments.
 */
function withoutGroupPattern({ pattern: _, allOf, ...argument }: SchemaObject): SchemaObject {
  const members = jsonItems(allOf);
  const argumentPattern = members.at(-1);
  if (!isJsonObject(argumentPattern) || argumentPattern['pattern'] === undefined) {
    return allOf === undefined ? argument : { ...argument, allOf };
  }
  const others = members.slice(0, -1);
  return { ...argument, ...argumentPattern, ...(others.length === 0 ? {} : { allOf: others }) };
}

/** The parameters of all forms of a route, each once. One is required if every form requires it. */
function joinParameters(forms: readonly (readonly Parameter[])[]): readonly Parameter[] {
  const keyed = forms.map(firstOfEach);
  return Array.from(firstOfEach(forms.flat()), ([key, parameter]) => {
    const required = keyed.every((form) => form.get(key)?.required === true);
    return required === parameter.required ? parameter : { ...parameter, required };
  });
}
