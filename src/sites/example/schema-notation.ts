import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toJsonObject,
} from '../../base/json.ts';
import type { EndpointMethod, NamespaceDeclaration, RouteDeclaration } from '../rest-server/declarations.ts';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'date-time',
  date: 'date',
  color: 'hex-color',
  uri: 'uri',
  email: 'email',
};

/** `context` lists of WordPress. */
const CONTEXTS: Readonly<Record<string, readonly string[]>> = {
  all: ['view', 'edit', 'embed'],
  view: ['view', 'edit'],
  edit: ['edit'],
};

interface NotationNames {
  /** Members of several objects: `"...paging": true`. */
  readonly groups: JsonObject;
  readonly schemas: JsonObject;
  readonly lists: Readonly<Record<string, Json>>;
}

/**
 * Reads the notation of schemas in the data files: `[type, description, keywords]`, the name of a group that
 * is a schema itself, or a plain schema. A type is an optional `readonly`, a name, and marks:
 *
 * - `[]` list, `(unique 1..100)` without duplicates, `(1..100)` bounds of a length or number
 * - `?` null, `!` required argument, `@view` contexts of a field, `= 20` default
 *
 * Names are types and formats of JSON Schema, `id`, values (`open | closed`), `LIST` and `counts of LIST` of
 * values, and schemas. An object's third member is its properties, and its keywords follow.
 */
export class SchemaNotation {
  private readonly names: NotationNames;

  constructor(names: NotationNames) {
    this.names = names;
  }

  members(members: Json | undefined): Record<string, JsonObject> {
    return Object.fromEntries(
      jsonMembers(members).flatMap(([name, member]): [string, JsonObject][] =>
        name.startsWith('...')
          ? Object.entries(this.members(this.names.groups[name.slice(3)]))
          : [[name, this.schema(member)]],
      ),
    );
  }

  schema(member: Json | undefined): JsonObject {
    if (typeof member === 'string') return this.schema(this.names.groups[member]);
    if (isJsonObject(member)) return this.plain(member);
    const [type, description = '', third, fourth] = jsonItems(member ?? null);
    const {
      readonly,
      name = '',
      list,
      unique,
      minimum,
      maximum,
      nullable,
      required,
      context,
      initial,
    } = TYPE.exec(String(type))?.groups ?? {};
    const isObject = name === 'object';
    const item: JsonObject =
      isObject && third !== undefined ? { type: name, properties: this.members(third) } : this.base(name);
    const { type: one = 'string', ...more } = list === undefined ? item : { type: 'array', items: item };
    const [least, most] = BOUNDS[String(one)] ?? ['minimum', 'maximum'];
    return {
      description,
      type: nullable === undefined ? one : [one, 'null'],
      ...(context === undefined ? {} : { context: CONTEXTS[context] ?? [] }),
      ...more,
      ...(nullable !== undefined && name.includes(' | ') ? { enum: [...jsonItems(more['enum']), null] } : {}),
      ...(minimum ? { [least]: Number(minimum) } : {}),
      ...(maximum ? { [most]: Number(maximum) } : {}),
      ...(unique === undefined ? {} : { uniqueItems: true }),
      ...(initial === undefined ? {} : { default: toDefault(initial) }),
      ...this.plain(toJsonObject(isObject ? fourth : third)),
      ...(readonly === undefined ? {} : { readonly: true }),
      ...(required === undefined ? {} : { required: true }),
    };
  }

  private plain(schema: JsonObject): JsonObject {
    const { items, oneOf, properties } = schema;
    return {
      ...schema,
      ...(isJsonObject(properties) ? { properties: this.members(properties) } : {}),
      ...(items === undefined ? {} : { items: this.schema(items) }),
      ...(oneOf === undefined ? {} : { oneOf: jsonItems(oneOf).map((each) => this.schema(each)) }),
    };
  }

  private base(name: string): JsonObject {
    if (name.includes(' | ')) return { type: 'string', enum: name.split(' | ') };
    if (name.startsWith('counts of ')) {
      const values = jsonItems(this.names.lists[name.slice('counts of '.length)]);
      return {
        type: 'object',
        properties: Object.fromEntries(values.map((each) => [String(each), INTEGER])),
      };
    }
    if (name === 'id') return { ...INTEGER, minimum: 1 };
    if (Object.hasOwn(FORMATS, name)) return { type: 'string', format: FORMATS[name] ?? name };
    const values = this.names.lists[name];
    if (values !== undefined) return { type: 'string', enum: values };
    if (Array.isArray(this.names.groups[name])) return this.schema(name);
    const schema = this.names.schemas[name];
    return isJsonObject(schema)
      ? { type: 'object', properties: this.members(schema['properties']) }
      : { type: name };
  }
}

const TYPE =
  /^(?<readonly>readonly )?(?<name>.*?)(?<list>\[\])?(?:\((?<unique>unique ?)?(?:(?<minimum>\d*)\.\.(?<maximum>\d*))?\))?(?<nullable>\?)?(?<required>!)?(?:@(?<context>all|view|edit))?(?: = (?<initial>.*))?$/;

/** Reads JSON, or text without quotes. */
function toDefault(text: string): Json {
  return /^(?:\d+|true|false|null|\[\])$/.test(text) ? JSON.parse(text) : text;
}

const BOUNDS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
};
const INTEGER = { type: 'integer' } as const;

interface JoinedEndpoint<Operation, Permission> {
  readonly methods: readonly EndpointMethod[];
  readonly run: string;
  readonly args: JsonObject;
  /** Words after the permission by the first one, e.g. `at` → `/folders/{id}`. */
  readonly options: ReadonlyMap<string, string>;
  readonly operation: Operation;
  readonly permission: Permission;
}

interface JoinedCode<State, Operation, Permission> {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly declare: (
    route: string,
    schema: string,
    endpoints: readonly JoinedEndpoint<Operation, Permission>[],
  ) => RouteDeclaration<State>;
}

/**
 * Declares the namespaces of a data file. A route is `/folders returns folder`, with its endpoints' arguments
 * by `POST PUT addFolder by editors, at /folders/{id}`: methods, operation, permission, options. A route can
 * name another one to have its endpoints.
 *
 * @throws {TypeError} if an operation or permission is missing, or an operation is unused
 */
export function declareNamespaces<State, Operation, Permission>(
  namespaces: JsonObject,
  { operations, permissions, declare }: JoinedCode<State, Operation, Permission>,
): readonly NamespaceDeclaration<State>[] {
  const pending = new Set(Object.keys(operations));
  const declareRoute = (declared: string, endpoints: JsonObject) => {
    const [route = '', schema = ''] = declared.split(' returns ');
    const joined = Object.keys(endpoints).map((endpoint) => {
      const [, methods = '', run = '', permit = '', rest = ''] = ENDPOINT.exec(endpoint) ?? [];
      const [operation, permission] = [operations[run], permissions[permit]];
      if (operation === undefined) throw new TypeError(`${endpoint} of ${route} has no operation`);
      if (permission === undefined) throw new TypeError(`${endpoint} of ${route} has no permission`);
      pending.delete(run);
      const names = METHODS.filter((method) => methods.split(' ').includes(method));
      const options = new Map(
        rest.split(', ').map((option): [string, string] => {
          const [word = '', value = ''] = option.split(' ');
          return [word, value];
        }),
      );
      return { methods: names, run, args: toJsonObject(endpoints[endpoint]), options, operation, permission };
    });
    return declare(route, schema, joined);
  };
  const declared = Object.keys(namespaces).map((namespace) => {
    const routes = toJsonObject(namespaces[namespace]);
    return {
      namespace,
      routes: Object.entries(routes).map(([path, declared]) =>
        declareRoute(path, toJsonObject(typeof declared === 'string' ? routes[declared] : declared)),
      ),
    };
  });
  if (pending.size > 0) throw new TypeError(`no endpoint is declared for ${[...pending].join(', ')}`);
  return declared;
}

const ENDPOINT = /^([A-Z ]+) (\w+) by (\w+)(?:, (.*))?$/;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
