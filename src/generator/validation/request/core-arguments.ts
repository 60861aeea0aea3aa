import { extensionOf } from '../../../base/document-extensions.ts';
import { splitNames } from '../../../base/glob.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../../base/json.ts';
import { lazy } from '../../../base/memoize.ts';
import { isPhpEmpty } from '../../../base/php/request.ts';
import { toOriginalRoute } from '../../model/naming/namespaces.ts';
import { createViolation, type SchemaViolation } from '../wordpress/keywords.ts';
import { splitPhpList, toPhpNumber } from '../wordpress/schema.ts';
import ARGUMENTS from './core-arguments.json' with { type: 'json' };
import table from './core-rules.json' with { type: 'json' };
import { type ParameterRule, REQUIRED_RULE } from './result.ts';

/* Arguments of WordPress 6.2 to 7.1 with a custom callback, recognised by their declaration, as plugins derive them. */

export interface DeclaredArgument {
  readonly path: string;
  readonly method: string;
  readonly name: string;
  readonly isGroup: boolean;
  readonly schema: JsonObject;
}

export interface ArgumentCallback {
  matches(argument: DeclaredArgument): boolean;
  /** Whether the site certainly refuses a value. @default false */
  isInvalid?(value: Json, schema: JsonObject): boolean;
  /** Violation by a value that the schema accepts and the site refuses. @default the schema decides */
  readonly violation?: SchemaViolation;
}

/** A `validate_callback` in place of the schema, or a `sanitize_callback` without validator. */
export function findArgumentCallback(argument: DeclaredArgument): ArgumentCallback | undefined {
  return CUSTOM_CALLBACKS.find(({ matches }) => matches(argument));
}

const isWrite = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH';

const CUSTOM_CALLBACKS: readonly ArgumentCallback[] = [
  {
    // WP_REST_Request::sanitize_params() gives `rest_parse_request_arg` only to arguments with a type.
    matches: ({ schema }) => schema['type'] === undefined,
  },
  {
    // `title`, `content`, …: both callbacks are null, and a string is used as `raw`.
    matches: ({ schema }) => schema['type'] === 'object' && isRawOrRendered(schema),
  },
  {
    // WP_REST_Meta_Fields::check_meta_is_array()
    matches: ({ name, method, schema }) => name === 'meta' && isWrite(method) && schema['type'] === 'object',
    isInvalid: (value) => typeof value !== 'object',
  },
  {
    // WP_REST_Posts_Controller::sanitize_post_statuses(); media have `inherit` in place of `publish`.
    matches: ({ name, method, schema }) =>
      name === 'status' &&
      method === 'GET' &&
      ['publish', 'inherit'].some((status) => enumOfItems(schema).has(status)),
    isInvalid: (value, schema) => hasUnlistedSlug(value, enumOfItems(schema)),
  },
  {
    // WP_REST_Search_Controller::sanitize_subtypes()
    matches: ({ name, method, path }) => name === 'subtype' && method === 'GET' && path.endsWith('/search'),
    isInvalid: (value, schema) => hasUnlistedSlug(value, enumOfItems(schema)),
  },
  {
    // WP_REST_Posts_Controller::check_status() also allows the present status of the post.
    matches: ({ name, method, schema }) =>
      name === 'status' && isWrite(method) && enumOf(schema).has('draft'),
    isInvalid: (value) => typeof value !== 'string' || !INTERNAL_STATUSES.has(value),
  },
  {
    // WP_REST_Posts_Controller::check_template()
    matches: ({ name, method, schema }) =>
      name === 'template' && isWrite(method) && schema['type'] === 'string',
    isInvalid: (value) => !isPhpEmpty(value),
  },
  {
    // WP_REST_Users_Controller::check_reassign()
    matches: ({ name, method }) => name === 'reassign' && method === 'DELETE',
    isInvalid: (value) => toPhpNumber(value) === null && !isPhpEmpty(value) && value !== 'false',
  },
  {
    // WP_REST_Comments_Controller::check_comment_author_email()
    matches: ({ name, method, schema }) =>
      name === 'author_email' && isWrite(method) && schema['format'] === 'email',
    isInvalid: (value) => !isPhpEmpty(value),
  },
  {
    // WP_REST_Templates_Controller::_sanitize_template_id(); the ids of revisions are numbers.
    matches: ({ path, isGroup, schema }) =>
      /\/template(?:s|-parts)\//.test(path) && isGroup && schema['type'] === 'string',
  },
  {
    // wp_http_validate_url(): without `//`, parse_url() finds no host.
    matches: ({ name, path }) => name === 'url' && /^\/[\w-]+-block-editor\/v1\/url-details$/.test(path),
    isInvalid: (value) => typeof value !== 'string' || !value.includes('//'),
    violation: createViolation('rest_invalid_param', 'Invalid parameter.'),
  },
  {
    // WC_REST_CRUD_Controller::get_collection_params(): `wp_parse_id_list()` accepts `include=a`.
    matches: ({ method, path, schema: { items, type } }) =>
      method === 'GET' &&
      type === 'array' &&
      isJsonObject(items) &&
      items['type'] === 'integer' &&
      /^\/wc\/v\d\//.test(path),
  },
  { matches: isArgumentOf(ARGUMENTS.sanitized) },
];

/** @param table names of arguments by patterns of paths */
function isArgumentOf(
  table: Readonly<Record<string, string>>,
): (argument: Pick<DeclaredArgument, 'name' | 'path'>) => boolean {
  const rows = Object.entries(table).map(([path, names]) => {
    return { path: new RegExp(path), names: splitNames(names) };
  });
  return ({ name, path }) => rows.some((row) => row.names.includes(name) && row.path.test(path));
}

const INTERNAL_STATUSES: ReadonlySet<string> = new Set(
  splitNames('trash auto-draft inherit request-pending request-confirmed request-failed request-completed'),
);

/** `wp_parse_slug_list()` converts words to slugs first, so only words that are slugs already are certain. */
function hasUnlistedSlug(value: Json, allowed: ReadonlySet<Json>): boolean {
  const words = typeof value === 'string' ? splitPhpList(value) : Array.isArray(value) ? value : [];
  return (
    words.every((word) => typeof word === 'string' && /^[a-z\d]+(?:[-_][a-z\d]+)*$/i.test(word)) &&
    words.some((word) => !allowed.has(String(word).toLowerCase()))
  );
}

function enumOfItems(schema: JsonObject): ReadonlySet<Json> {
  const items = schema['items'];
  return isJsonObject(items) ? enumOf(items) : new Set();
}

function enumOf({ enum: words }: JsonObject): ReadonlySet<Json> {
  return new Set(Array.isArray(words) ? words : []);
}

const RENDERED_TEXT_PROPERTIES: ReadonlySet<string> = new Set(
  splitNames('raw rendered protected block_version'),
);

function isRawOrRendered({ properties }: JsonObject): boolean {
  return (
    isJsonObject(properties) &&
    Object.hasOwn(properties, 'raw') &&
    Object.keys(properties).every((name) => RENDERED_TEXT_PROPERTIES.has(name))
  );
}

/** Arguments with a `validate_callback` come first (`has_valid_params()`), others if those are valid. */
export function isValidatedFirst(argument: Omit<DeclaredArgument, 'schema'>): boolean {
  if (isOfFirstPass(argument)) return true;
  if (isOfSecondPass(argument)) return false;
  // rest_get_endpoint_args_for_schema() adds a validator to every field, but not to groups.
  if (isWrite(argument.method)) return !argument.isGroup;
  return VALIDATED_QUERY_ARGUMENTS.has(argument.name);
}

/** WP_REST_Controller::get_collection_params() and get_context_param() */
const VALIDATED_QUERY_ARGUMENTS: ReadonlySet<string> = new Set(['context', 'page', 'per_page', 'search']);

/** Exceptions from {@link isValidatedFirst}. */
const isOfFirstPass = isArgumentOf(ARGUMENTS.firstPass);
/** Pages and menu items have a field `parent` with a validator, unlike the argument of other autosaves. */
const isOfSecondPass = isArgumentOf(ARGUMENTS.secondPass);

export interface OperationKey {
  readonly method: string;
  readonly route: string;
}

/** Compared with running sites. `node scripts/core-rules/main.mjs <version>=<site-url>…` prints the table. */
export const CORE_VERSIONS: readonly string[] = table.versions;

/** The callbacks of other arguments are unknown. @param definition absent for a rule of the whole request */
export function isCoreRule(
  { method, route }: OperationKey,
  { param, rule }: ParameterRule,
  definition: { readonly schema: JsonObject; readonly isRequired: boolean } | undefined,
): boolean {
  const args = findCoreArguments({ method, route });
  if (args === undefined) return false;
  if (param === '') return rule === 'rest_invalid_json';
  const core = args.get(param);
  if (core === undefined || definition === undefined) return false;
  if (rule === REQUIRED_RULE) return core.isRequired && definition.isRequired;
  return core.definitions.includes(describeDefinition(definition.schema));
}

/** Whether WordPress itself registers the endpoint, for the types of content that it has. */
export function isCoreEndpoint(key: OperationKey): boolean {
  return findCoreArguments(key) !== undefined;
}

function findCoreArguments({ method, route }: OperationKey): CoreArguments | undefined {
  return coreEndpoints().get(`${method} ${toOriginalRoute(route)}`);
}

type CoreArguments = ReadonlyMap<
  string,
  { readonly definitions: readonly string[]; readonly isRequired: boolean }
>;

/** `!` marks a required argument, `=` precedes an unusual definition, `&` separates versions, `{id}` is `[\d]+`. */
const coreEndpoints = lazy((): ReadonlyMap<string, CoreArguments> => {
  const usual = new Map<string, string>();
  for (const [definition, names] of Object.entries(table.definitions)) {
    for (const name of names.split(' ')) usual.set(name, definition);
  }
  const endpoints = new Map<string, CoreArguments>();
  for (const [declared, names] of Object.entries(table.endpoints)) {
    const [methods = '', ...routes] = declared.split(' ');
    const args: CoreArguments = new Map(
      splitNames(names).map((word) => {
        const [, name = '', required, own] = /^([^!=]+)(!?)(?:=(.*))?$/.exec(word) ?? [];
        const definitions = (own ?? usual.get(name) ?? '').split('&');
        return [name, { definitions, isRequired: required === '!' }];
      }),
    );
    for (const route of routes) {
      const pattern = route.replaceAll(/\{(\w+)\}/g, '(?P<$1>[\\d]+)');
      for (const method of methods.split(',')) endpoints.set(`${method} ${pattern}`, args);
    }
  }
  return endpoints;
});

/** `integer,minimum=1`, `array<string~>`: an `enum` is `~`, because its values depend on content types. */
export function describeDefinition(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any';
  const { format, items, oneOf, anyOf } = schema;
  const alternatives = [...jsonItems(oneOf), ...jsonItems(anyOf)];
  return [
    describeType(extensionOf(schema, 'type') ?? schema['type']),
    typeof format === 'string' ? `:${format}` : '',
    Array.isArray(schema['enum']) ? '~' : '',
    items === undefined ? '' : `<${describeDefinition(items)}>`,
    ...BOUNDS.flatMap((bound) => (schema[bound] === undefined ? [] : `,${bound}=${String(schema[bound])}`)),
    alternatives.length === 0 ? '' : `,(${alternatives.map(describeDefinition).join('|')})`,
  ].join('');
}

function describeType(type: Json | undefined): string {
  if (typeof type === 'string') return type;
  return Array.isArray(type) ? type.join('|') : 'any';
}

const BOUNDS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];
