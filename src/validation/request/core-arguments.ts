import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { splitPhpList, toPhpNumber } from '../wordpress/php-types.ts';

/**
 * What the index does not show. Where an argument has callbacks of its own, WordPress judges it by them and not by its
 * schema: `arg_options` with a `validate_callback`, or a `sanitize_callback` where there is no validator. The rows below
 * are WordPress's own such arguments (6.1 asked, 6.2 to 7.1 read), told apart by what the index does show of them, so
 * that they fit what is derived from its controllers in any namespace. A test holds them against a real site.
 */
export interface DeclaredArgument {
  /** The template of the operation: `/wp/v2/posts/{id}`. */
  readonly path: string;
  /** Upper case. */
  readonly method: string;
  readonly name: string;
  /** Whether it stands for a group of the route's pattern. */
  readonly isGroup: boolean;
  /** Its schema, references followed at the top. */
  readonly schema: JsonObject;
}

/** Whether the site refuses a value that the schema refuses. Where that is not certain: no. */
export type InvalidityTest = (value: Json) => boolean;

/** Undefined where the argument is judged by its schema. */
export function findInvalidityTest(argument: DeclaredArgument): InvalidityTest | undefined {
  const row = CUSTOM_CALLBACKS.find(({ matches }) => matches(argument));
  return row?.createInvalidityTest(argument.schema);
}

interface CustomCallback {
  matches(argument: DeclaredArgument): boolean;
  createInvalidityTest(schema: JsonObject): InvalidityTest;
}

const never = (): InvalidityTest => () => false;
const isWrite = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH';

const CUSTOM_CALLBACKS: readonly CustomCallback[] = [
  {
    // WP_REST_Request::sanitize_params() gives `rest_parse_request_arg` to arguments with a type, and to no others.
    matches: ({ schema }) => schema['type'] === undefined,
    createInvalidityTest: never,
  },
  {
    // `title`, `content`, `excerpt`, `caption`, `description`: both callbacks null, a text is taken for `raw`.
    matches: ({ schema }) => schema['type'] === 'object' && isRawOrRendered(schema),
    createInvalidityTest: never,
  },
  {
    // WP_REST_Meta_Fields::check_meta_is_array()
    matches: ({ name, method, schema }) => name === 'meta' && isWrite(method) && schema['type'] === 'object',
    createInvalidityTest: () => (value) => typeof value !== 'object',
  },
  {
    // WP_REST_Posts_Controller::sanitize_post_statuses()
    matches: ({ name, method, schema }) =>
      name === 'status' && method === 'GET' && isPostStatusEnum(enumOfItems(schema)),
    createInvalidityTest: (schema) => (value) => hasUnlistedSlug(value, enumOfItems(schema)),
  },
  {
    // WP_REST_Search_Controller::sanitize_subtypes()
    matches: ({ name, method, path }) => name === 'subtype' && method === 'GET' && path.endsWith('/search'),
    createInvalidityTest: (schema) => (value) => hasUnlistedSlug(value, enumOfItems(schema)),
  },
  {
    // WP_REST_Posts_Controller::check_status(): what the post has already is allowed.
    matches: ({ name, method, schema }) =>
      name === 'status' && isWrite(method) && enumOf(schema).has('draft'),
    createInvalidityTest: () => (value) => typeof value !== 'string' || !INTERNAL_STATUSES.has(value),
  },
  {
    // WP_REST_Posts_Controller::check_template()
    matches: ({ name, method, schema }) =>
      name === 'template' && isWrite(method) && schema['type'] === 'string',
    createInvalidityTest: () => (value) => !isPhpEmpty(value),
  },
  {
    // WP_REST_Users_Controller::check_reassign()
    matches: ({ name, method }) => name === 'reassign' && method === 'DELETE',
    createInvalidityTest: () => (value) =>
      toPhpNumber(value) === null && !isPhpEmpty(value) && value !== 'false',
  },
  {
    // WP_REST_Comments_Controller::check_comment_author_email()
    matches: ({ name, method, schema }) =>
      name === 'author_email' && isWrite(method) && schema['format'] === 'email',
    createInvalidityTest: () => (value) => !isPhpEmpty(value),
  },
  {
    // WP_REST_Templates_Controller::_sanitize_template_id(); the ids of revisions are numbers.
    matches: ({ path, isGroup, schema }) =>
      /\/template(?:s|-parts)\//.test(path) && isGroup && schema['type'] === 'string',
    createInvalidityTest: never,
  },
  {
    matches: ({ name, path }) =>
      SANITIZED_ARGUMENTS.some((row) => row.path.test(path) && row.arguments.includes(name)),
    createInvalidityTest: never,
  },
];

/** Arguments that are made fit, or judged by what the site holds, whatever their schema says. */
const SANITIZED_ARGUMENTS: readonly {
  readonly path: RegExp;
  readonly arguments: readonly string[];
}[] = [
  { path: /^\/oembed\/1\.0\/embed$/, arguments: ['format', 'maxwidth'] },
  { path: /^\/oembed\/1\.0\/proxy$/, arguments: ['maxwidth', 'maxheight'] },
  { path: /^\/[\w-]+\/v2\/menu-items(?:\/|$)/, arguments: ['url'] },
  { path: /^\/[\w-]+\/v2\/block-renderer\//, arguments: ['attributes'] },
  { path: /^\/[\w-]+\/v2\/global-styles\/(?!.*\/variations$)/, arguments: ['id', 'stylesheet'] },
  { path: /^\/[\w-]+\/v2\/themes\//, arguments: ['stylesheet'] },
  { path: /^\/[\w-]+\/v2\/plugins\//, arguments: ['plugin'] },
  { path: /^\/[\w-]+\/v2\/widget-types\/.*\/encode$/, arguments: ['form_data'] },
  {
    path: /^\/[\w-]+\/v2\/font-families(?:\/|$)/,
    arguments: ['font_family_settings', 'font_face_settings'],
  },
  { path: /^\/[\w-]+-block-editor\/v1\/url-details$/, arguments: ['url'] },
  { path: /^\/[\w-]+-abilities\/v1\/abilities\/.*\/run$/, arguments: ['input'] },
];

/** Statuses that a post can have and that no list of allowed ones shows. */
const INTERNAL_STATUSES: ReadonlySet<string> = new Set([
  ...['trash', 'auto-draft', 'inherit'],
  ...['request-pending', 'request-confirmed', 'request-failed', 'request-completed'],
]);

/**
 * Whether a list of slugs has one that is not allowed. `wp_parse_slug_list()` makes slugs of the words first: only
 * words that are slugs already, but for their case, are certain.
 */
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

/** Those of media are not published. */
function isPostStatusEnum(words: ReadonlySet<Json>): boolean {
  return words.has('publish') || words.has('inherit');
}

const RENDERED_TEXT_PROPERTIES: ReadonlySet<string> = new Set([
  'raw',
  'rendered',
  'protected',
  'block_version',
]);

function isRawOrRendered({ properties }: JsonObject): boolean {
  return (
    isJsonObject(properties) &&
    Object.hasOwn(properties, 'raw') &&
    Object.keys(properties).every((name) => RENDERED_TEXT_PROPERTIES.has(name))
  );
}

/** `empty()` */
function isPhpEmpty(value: Json): boolean {
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
  return value === '' || value === '0' || value === 0 || value === false;
}
