import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, toJsonObject } from '../json.ts';
import type { EndpointMethod, NamespaceDeclaration, RouteDeclaration } from '../rest-server/declarations.ts';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'date-time',
  date: 'date',
  color: 'hex-color',
  uri: 'uri',
  email: 'email',
};

/** The `context` lists of WordPress: in every context, not in embeds, or for editors only. */
const CONTEXTS: Readonly<Record<string, readonly string[]>> = {
  all: ['view', 'edit', 'embed'],
  view: ['view', 'edit'],
  edit: ['edit'],
};

/** Names that a notation refers to. */
interface NotationNames {
  /** Members that stand in several objects: `"...paging": true`. */
  readonly groups: JsonObject;
  /** Objects with `properties` in the notation: `"tasks": ["task[]", "…"]`. */
  readonly schemas: JsonObject;
  /** Values of enumerations: `["TASK_PRIORITIES", "…"]`. */
  readonly lists: Readonly<Record<string, Json>>;
}

/**
 * Reads the notation of schemas in the data files. A schema is `[type, description, keywords]`, or the name of a group that
 * is a schema itself. A type is `readonly` or nothing, a name, and marks: `[]` for a list, `(1..100)` for the bounds of a
 * length or number, `(unique 1..100)` for a list without duplicates. Then `?` for null, `!` for a required argument, `@view`
 * for the contexts of a field and `= 20` for the default. Names are the types and formats of JSON Schema, `id` for an integer
 * from 1, values
 * such as `open | closed`, names of lists of values, `counts of LIST`, and names of schemas. The third member of an object is
 * its properties, and the keywords follow. A JSON object is a plain schema.
 */
export class SchemaNotation {
  private readonly names: NotationNames;

  constructor(names: NotationNames) {
    this.names = names;
  }

  /** Expands arguments or properties. */
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

  /** Expands the notation in a plain schema. */
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

/** Reads a default: JSON, or a text without quotes. */
function toDefault(text: string): Json {
  return /^(?:\d+|true|false|null|\[\])$/.test(text) ? JSON.parse(text) : text;
}

const BOUNDS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
};
const INTEGER = { type: 'integer' } as const;

/** An endpoint of a data file with the operation and the permission that it names. */
interface JoinedEndpoint<Operation, Permission> {
  readonly methods: readonly EndpointMethod[];
  /** The name of the operation. */
  readonly run: string;
  /** Arguments in the notation. */
  readonly args: JsonObject;
  /** Words after the permission, by the first one: `at` and `/folders/{id}`, `batch` and an empty text. */
  readonly options: ReadonlyMap<string, string>;
  readonly operation: Operation;
  readonly permission: Permission;
}

/** The code to which a data file refers. */
interface JoinedCode<State, Operation, Permission> {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly permissions: Readonly<Record<string, Permission>>;
  /** Declares a route; `schema` is empty for a route without one. */
  readonly declare: (
    route: string,
    schema: string,
    endpoints: readonly JoinedEndpoint<Operation, Permission>[],
  ) => RouteDeclaration<State>;
}

/**
 * Declares the namespaces of a data file with their routes, in its order. A route is `/folders returns folder`. Its endpoints have their arguments by `POST PUT addFolder by editors, at
 * /folders/{id}`: methods, operation, permission and options. A route with the endpoints of another one names it.
 *
 * @throws {TypeError} when an endpoint has no operation or permission, or an operation no endpoint
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
