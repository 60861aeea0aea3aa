import { splitNames } from '../../../base/glob.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonMembers,
  mapMembers,
  toJsonObject,
} from '../../../base/json.ts';
import type { NamespaceDeclaration, SiteResponse } from '../../rest-server/declarations.ts';
import { declareNamespaces, SchemaNotation } from '../schema-notation.ts';
import declarations from './declarations.json' with { type: 'json' };
import { type BoardPermission, PERMISSIONS, requireFeature } from './permissions.ts';
import { type BoardRequest, type BoardState, CURRENCIES, TASK_PRIORITIES } from './state.ts';

export interface EndpointFacts {
  /** Names of the arguments without those of the path; `true` if null is a value. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly refusesArchived: boolean;
  /** Route of a created item, e.g. `/projects/{board_id}/tasks/{id}`. */
  readonly location: string;
}

export type BoardHandler = (request: BoardRequest, facts: EndpointFacts) => SiteResponse;

export type BoardOperations = Readonly<Record<string, BoardHandler>>;

const DATA: JsonObject = declarations;

/** Data: `"name: description": properties`; those with `?` are not in lists. */
const SCHEMAS: Readonly<Record<string, SchemaData>> = Object.fromEntries(
  jsonMembers(declarations.schemas).map(([declared, members]) => {
    const [name = '', description = ''] = declared.split(/: (.*)/);
    const properties = jsonMembers(members).map(([key, value]) => [key.replace('?', ''), value] as const);
    const absent = Object.keys(toJsonObject(members))
      .filter((key) => key.endsWith('?'))
      .map((key) => key.slice(0, -1));
    return [name, { description, properties: Object.fromEntries(properties), absent }];
  }),
);

interface SchemaData extends JsonObject {
  readonly description: string;
  readonly properties: JsonObject;
  readonly absent: readonly string[];
}

const notation = new SchemaNotation({
  groups: toJsonObject(DATA['groups']),
  schemas: SCHEMAS,
  lists: {
    ...mapMembers(declarations.lists, (_, names) => splitNames(names)),
    CURRENCY_CODES: CURRENCIES.map(({ code }) => code),
    TASK_PRIORITIES,
  },
});

export const ACTIVITY_ACTIONS: readonly string[] = splitNames(declarations.lists.ACTIVITY_ACTIONS);
export const ACTIVITY_SUBJECTS: readonly string[] = splitNames(declarations.lists.ACTIVITY_SUBJECTS);

/** `str` is any text without spaces that is one segment of a path. */
const GROUPS: Readonly<Record<string, readonly [pattern: string, type: string]>> = {
  int: ['[\\d]+', 'integer'],
  str: ['[^\\s/]+', 'string'],
  slug: ['[a-zA-Z0-9_-]+', 'string'],
};

/**
 * Declares the routes of the data file. The parameters of a path such as `/projects/{board_id:int}/labels`
 * become groups of the pattern and required arguments of every endpoint.
 *
 * @throws {TypeError} when a route has no handler, or a handler no route
 */
export function declareBoardNamespaces(
  operations: BoardOperations,
): readonly NamespaceDeclaration<BoardState>[] {
  return declareNamespaces<BoardState, BoardHandler, BoardPermission>(toJsonObject(DATA['routes']), {
    operations,
    permissions: PERMISSIONS,
    declare(path, schema, endpoints) {
      const pathArgs: Record<string, JsonObject> = {};
      const route = path.replace(/\{(\w+):(\w+)\}/g, (_, name: string, group: string) => {
        const [pattern, type] = GROUPS[group] ?? ['', ''];
        pathArgs[name] = { description: toJsonObject(DATA['parameters'])[name] ?? '', type, required: true };
        return `(?P<${name}>${pattern})`;
      });
      const declared = endpoints.map(({ methods, args: fields, options, operation, permission }) => {
        const feature = options.get('if');
        const args = notation.members(fields);
        const facts: EndpointFacts = {
          fields: new Map(
            Object.entries(args).map(([name, { type }]) => [name, [type].flat().includes('null')]),
          ),
          refusesArchived: !methods.includes('GET') && !options.has('archived'),
          location: options.get('at') ?? '',
        };
        return {
          methods,
          args: { ...pathArgs, ...args },
          permission(request: BoardRequest) {
            if (feature !== undefined) requireFeature(request, feature);
            permission(request);
          },
          handle: (request: BoardRequest) => operation(request, facts),
        };
      });
      return { route, schema: responseSchema(schema), endpoints: declared };
    },
  });
}

function responseSchema(title: string): JsonObject {
  const { description = '', properties = {} } = SCHEMAS[title] ?? {};
  const schema = requireAllProperties({
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    description,
    type: 'object',
    properties: notation.members(properties),
  });
  return { ...schema, required: listShownProperties(title) };
}

/** Makes every described property required, so that generated types have no optional members. */
function requireAllProperties(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  const requireAll = (each: Json): Json => (isJsonObject(each) ? requireAllProperties(each) : each);
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? {
          properties: mapMembers(properties, (_, property) => requireAll(property)),
          required: Object.keys(properties),
        }
      : {}),
    ...(isJsonObject(items) ? { items: requireAllProperties(items) } : {}),
  };
}

export function describeProperty(group: string, property: string): JsonObject {
  return notation.members({ [`...${group}`]: true })[property] ?? {};
}

export function listShownProperties(title: string): readonly string[] {
  const { properties = {}, absent = [] } = SCHEMAS[title] ?? {};
  return Object.keys(notation.members(properties)).filter((name) => !absent.includes(name));
}
