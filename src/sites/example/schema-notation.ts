import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  toJsonObject,
} from '../../base/json.ts';

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'date-time', uri: 'uri' };

/** `context` lists of WordPress. */
const CONTEXTS: Readonly<Record<string, readonly string[]>> = {
  all: ['view', 'edit', 'embed'],
  view: ['view', 'edit'],
  edit: ['edit'],
};

interface NotationNames {
  /** Members of several objects: `"...paging": true`. */
  readonly groups: JsonObject;
  readonly lists: Readonly<Record<string, Json>>;
}

/**
 * Reads the notation of schemas in the data files: `[type, description, keywords]`, the name of a group that
 * is a schema itself, or a plain schema. A type is an optional `readonly`, a name, and marks:
 *
 * - `[]` list, `(1..100)` bounds of a number, `?` null
 * - `!` required argument, `@view` contexts of a field, `= 20` default
 *
 * Names are types and formats of JSON Schema, values (`open | closed`), and `LIST` of values. An object's third
 * member is its properties, and its keywords follow.
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
    return {
      description,
      type: nullable === undefined ? one : [one, 'null'],
      ...(context === undefined ? {} : { context: CONTEXTS[context] ?? [] }),
      ...more,
      ...(minimum ? { minimum: Number(minimum) } : {}),
      ...(maximum ? { maximum: Number(maximum) } : {}),
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
    if (Object.hasOwn(FORMATS, name)) return { type: 'string', format: FORMATS[name] ?? name };
    const values = this.names.lists[name];
    if (values !== undefined) return { type: 'string', enum: values };
    return { type: name };
  }
}

const TYPE =
  /^(?<readonly>readonly )?(?<name>.*?)(?<list>\[\])?(?:\((?<minimum>\d*)\.\.(?<maximum>\d*)\))?(?<nullable>\?)?(?<required>!)?(?:@(?<context>all|view|edit))?(?: = (?<initial>.*))?$/;

/** Reads JSON, or text without quotes. */
function toDefault(text: string): Json {
  return /^(?:\d+|true|false|null|\[\])$/.test(text) ? JSON.parse(text) : text;
}
