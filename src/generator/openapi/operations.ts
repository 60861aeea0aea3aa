import {
  EXTENSION_NAMES,
  extensionOf,
  getAlternatives,
  getContexts,
  getNamespaces,
  getParameterName,
  hasMark,
} from '../../base/document-extensions.ts';
import { groupBy } from '../../base/group-by.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  toJsonObject,
  toPointerSegment,
} from '../../base/json.ts';
import type { Steps } from '../../base/steps.ts';
import { findNamespace } from '../discovery/site.ts';
import {
  contentSchemaOf,
  dereference,
  type JsonLocation,
  type OperationObject,
  type ParameterObject,
  type PathItemObject,
  type RequestBodyObject,
  referenceOf,
  type SchemaObject,
} from './document-objects.ts';
import { readBodySchema } from './request-bodies.ts';

/** In the order of OpenAPI 3.1.1 §4.8.9. */
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

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: SchemaObject;
}

interface OperationSource {
  readonly document: JsonObject;
  readonly namespaces: ReadonlySet<string>;
  readonly path: string;
  readonly method: string;
  readonly pathItem: PathItemObject;
  readonly shared: OperationObject;
  readonly alternative?: { readonly index: number; readonly object: OperationObject };
  /** Operations at other paths of the route, with other path parameters. */
  readonly forms?: readonly Operation[];
}

/** One operation, or one route of a shared one. Unreadable parts are left out: `readServedApi` refuses them. */
export class Operation {
  readonly id: string;
  readonly method: string;
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

  get object(): OperationObject {
    return this.source.alternative?.object ?? this.source.shared;
  }

  get shared(): OperationObject {
    return this.source.shared;
  }

  get isAlternative(): boolean {
    return this.source.alternative !== undefined;
  }

  get namespace(): string {
    return findNamespace(this.path, this.source.namespaces);
  }

  get pattern(): string | undefined {
    const declared = extensionOf(this.object, 'route') ?? extensionOf(this.shared, 'route');
    return typeof declared === 'string' ? declared : undefined;
  }

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

  get routes(): readonly Operation[] {
    const alternatives = getAlternatives(this.shared);
    if (alternatives.length === 0 || this.isAlternative) return [this];
    return alternatives.flatMap((object, index) =>
      isJsonObject(object) ? [new Operation({ ...this.source, alternative: { index, object } })] : [],
    );
  }

  /** The operation's, which override, then those of the path item. */
  get declaredParameters(): readonly Json[] {
    const own = jsonItems(this.object.parameters);
    // Alternatives don't refer to global parameters.
    const globals = this.isAlternative
      ? jsonItems(this.shared.parameters).filter((each) => referenceOf(each) !== undefined)
      : [];
    return [...own, ...globals, ...jsonItems(this.source.pathItem.parameters)];
  }

  /** The first of several with one location and name applies. */
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

  get responseSchema(): SchemaObject | undefined {
    return this.#success.schema;
  }

  get responsePointer(): string | undefined {
    return this.#success.pointer;
  }

  get contextReferences(): ReadonlyMap<string, string> | undefined {
    return this.#success.contexts;
  }

  withId(operationId: string): Operation {
    return new Operation({ ...this.source, shared: { ...this.shared, operationId } });
  }

  withPath(path: string): Operation {
    return new Operation({ ...this.source, path });
  }

  /** Joins the forms of a route with optional parts: the parameters of each, the id of the first. */
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

export function* changeOperations(
  document: JsonObject,
  change: (operation: JsonObject, path: string, method: string, item: JsonObject) => Steps<JsonObject>,
): Steps<JsonObject> {
  const items: [path: string, item: Json][] = [];
  for (const [path, item] of jsonMembers(document['paths'])) {
    const members: [name: string, member: Json][] = [];
    for (const [name, member] of jsonMembers(item)) {
      const isOperation = isPathItemMethod(name) && isJsonObject(member) && isJsonObject(item);
      members.push([name, isOperation ? yield* change(member, path, name, item) : member]);
    }
    items.push([path, isJsonObject(item) ? Object.fromEntries(members) : item]);
  }
  return { ...document, paths: Object.fromEntries(items) };
}

export function hasPaths(value: unknown): value is JsonObject {
  return isJsonObject(value) && isJsonObject(value['paths']);
}

export function pathsOf({ paths }: JsonObject): readonly string[] {
  return jsonMembers(paths).flatMap(([path]) => (path.startsWith('x-') ? [] : [path]));
}

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
  // The gateway ignores headers and cookies that users document.
  if ((location !== 'path' && location !== 'query') || hasMark(parameter, 'unnamed')) return [];
  if (typeof name !== 'string') return [];
  const schema = toJsonObject(parameter.schema);
  const isGroup = location === 'path' && extensionOf(parameter, 'pcre') !== undefined;
  return [
    {
      name,
      in: location,
      // An argument that the endpoint's code requires is the site's to check, because its error differs.
      required: location === 'path' || (parameter.required === true && !hasMark(parameter, 'needed')),
      schema: isGroup ? withoutGroupPattern(schema) : schema,
    },
  ];
}

/** A matched route satisfies the pattern of a group, which is ECMAScript already. */
function withoutGroupPattern({ pattern: _, allOf, ...argument }: SchemaObject): SchemaObject {
  const members = jsonItems(allOf);
  const argumentPattern = members.at(-1);
  if (!isJsonObject(argumentPattern) || argumentPattern['pattern'] === undefined) {
    return allOf === undefined ? argument : { ...argument, allOf };
  }
  const others = members.slice(0, -1);
  return { ...argument, ...argumentPattern, ...(others.length === 0 ? {} : { allOf: others }) };
}

function joinParameters(forms: readonly (readonly Parameter[])[]): readonly Parameter[] {
  const keyed = forms.map(firstOfEach);
  return Array.from(firstOfEach(forms.flat()), ([key, parameter]) => {
    const required = keyed.every((form) => form.get(key)?.required === true);
    return required === parameter.required ? parameter : { ...parameter, required };
  });
}

export interface OperationGroup<Member extends Operation> {
  readonly operation: Member;
  readonly equivalents: readonly Member[];
}

/** WordPress registers one callback for these methods. */
export const EDITING_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Operations that differ in their method only, beside the first, as the document marks them. */
export function groupEquivalents<Member extends Operation>(
  operations: readonly Member[],
): readonly OperationGroup<Member>[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const headOf = (operation: Member): Member | undefined => {
    const head = byId.get(String(extensionOf(operation.shared, 'twinOf')));
    return head === operation ? undefined : head;
  };
  const equivalents = groupBy(operations, headOf);
  return (equivalents.get(undefined) ?? []).map((operation) => ({
    operation,
    equivalents: equivalents.get(operation) ?? [],
  }));
}

function describeArguments({ parameters, requestBody }: JsonObject): string {
  return JSON.stringify([parameters, requestBody], (name, member) =>
    /^examples?$/.test(name) ? undefined : member,
  );
}

/** Without those that differ from another in their method only. */
export function listShown<Member extends Operation>(operations: readonly Member[]): readonly Member[] {
  return groupEquivalents(operations).map(({ operation }) => operation);
}

export function countOperations(document: JsonObject): number {
  return listShown(listOperations(document)).length;
}

/** Marks the members of a path item that differ from another in their method only. Readers hide `x-internal`. */
export function markTwins(objects: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> {
  const heads = new Map<string, JsonObject>();
  const twins = EDITING_METHODS.flatMap((method): [string, JsonObject][] => {
    const object = objects.get(method);
    if (object === undefined) return [];
    const text = describeArguments(object);
    const head = heads.get(text);
    if (head === undefined) heads.set(text, object);
    const marks = { [EXTENSION_NAMES.twinOf]: head?.['operationId'] ?? '', 'x-internal': true };
    return head === undefined ? [] : [[method, { ...object, ...marks }]];
  });
  return new Map([...objects, ...twins]);
}
