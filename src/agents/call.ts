import { randomBytes } from 'node:crypto';
import { getDeclaredDefault, getParameterName, hasMark } from '../base/document-extensions.ts';
import { type Json, type JsonObject, jsonMembers, memberAt, toJsonObject, toText } from '../base/json.ts';
import { createNearestLookup } from '../base/nearest-name.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import {
  choicesOf,
  contentSchemaOf,
  dereference,
  flattenSchema,
  type SchemaObject,
} from '../generator/openapi/document-objects.ts';
import { type Level, UNPUBLISHED } from '../generator/openapi/operation-levels.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import { VALID_REQUEST } from '../generator/validation/request/result.ts';
import { type RequestParameters, RequestValidator } from '../generator/validation/request/validator.ts';
import { limitValidation } from '../generator/validation/wordpress/schema.ts';
import type { AgentSite, CallTool, ListedOperation } from './agent-site.ts';
import { isDamaged, propertiesOf } from './present-item.ts';
import { toLine } from './site-text.ts';

export interface Call {
  readonly listed: ListedOperation;
  readonly tool: CallTool;
  readonly args: JsonObject;
  readonly path: PathArguments;
  readonly query: JsonObject;
  readonly body: Json;
  readonly fields: readonly string[];
  readonly from: number;
  readonly edit: TextEdit | undefined;
  readonly files: ReadonlyMap<string, SentFile>;
  readonly site: AgentSite;
}

export type TextEdit = Readonly<Record<'member' | 'new' | 'old', string>>;

/** The declared arguments of a path, `''` for a missing one. `siteName` is the one in the site's pattern. */
export type PathArguments = readonly {
  readonly name: string;
  readonly siteName: string;
  readonly value: Json;
  readonly mayContainSlashes: boolean;
  readonly schema: JsonObject;
}[];

export function readPathArguments({ parameterObjects }: Operation, given: JsonObject): PathArguments {
  return parameterObjects
    .filter((parameter) => parameter['in'] === 'path')
    .map((parameter) => {
      const name = String(parameter['name']);
      const siteName = String(getParameterName(parameter));
      const value = memberAt(given, name) ?? memberAt(given, siteName) ?? '';
      const mayContainSlashes = hasMark(parameter, 'slashes');
      return { name, siteName, value, mayContainSlashes, schema: toJsonObject(parameter['schema']) };
    });
}

export function explainArguments(call: Call): string {
  const isWriting = isWritingMethod(call.listed.operation.method);
  return (
    explainPathArguments(call) ||
    explainBody(call) ||
    (isWriting ? describeIgnoredArguments(call, 'It would be ignored.') : '')
  );
}

/** WordPress and WooCommerce declare all arguments of their own operations. Code of plugins reads others, too. */
const DECLARING = /^w[pc]\/v\d+$/;

/** Explains arguments that no path has, or that WordPress would read in place of the path's. */
function explainPathArguments({ args, body, listed, path, query }: Call): string {
  const given = toJsonObject(args['path']);
  const isKnown = (name: string): boolean =>
    path.some((each) => each.name === name || each.siteName === name);
  const extra = Object.keys(given).find((name) => !isKnown(name));
  if (extra !== undefined) {
    const names = path.map(({ name }) => toLine(name, 60)).join(', ') || 'nothing';
    return `"path" takes ${names}, and no ${JSON.stringify(toLine(extra, 60))}.`;
  }
  for (const [place, sent] of Object.entries({ query, body }))
    for (const [name, value] of jsonMembers(sent)) {
      const own = path.find((each) => each.siteName === toPhpName(name));
      if (own !== undefined && toText(own.value) !== toText(value))
        return `${JSON.stringify(toLine(name, 60))} in "${place}" would replace that of "path". Leave it out.`;
    }
  // The level of a write depends on what its members contain.
  const isRead = ([name, value]: [string, Json]): boolean =>
    PHP_NAME.test(name) &&
    !hasBracket(value) &&
    !(isWritingMethod(listed.operation.method) && name.includes('['));
  return Object.entries(query).every(isRead)
    ? ''
    : 'PHP reads a name in "query" as another, or it changes the form of the response. Nest objects instead of brackets.';
}

/** As PHP reads ` id`, `id[]` and `id\0x`. */
function toPhpName(name: string): string {
  return name
    .replace(/[[\0].*/s, '')
    .replace(/^ +/, '')
    .replace(/[. ]/g, '_');
}

/** PHP drops text after a bracket: `images[0][src]x` is `images[0][src]`. `_envelope` makes errors look like results. */
const PHP_NAME = /^(?! *[_. ](?:envelope|jsonp)\b)[^[\]]*(?:\[[^[\]]*\])*$/;

const hasBracket = (value: Json): boolean =>
  typeof value === 'object' &&
  Object.entries(value ?? {}).some(([name, member]) => /[[\]]/.test(name) || hasBracket(member));

function explainBody(call: Call): string {
  const { body, edit, listed, query, site } = call;
  const { method } = listed.operation;
  if (!isWritingMethod(method)) return body === null ? '' : `${method} takes no "body". Use "query".`;
  if (Array.isArray(body) && typesOf(bodySchemaOf(listed.operation, site)).includes('object'))
    return '"body" must be one object with the fields to write, not a list.';
  return isDamaged([query, edit?.new ?? body])
    ? 'a text of it was cut or masked when it was read, so the rest would be lost. Read on with "from", or use "edit_text".'
    : explainMembers(call);
}

/** What the site would refuse after it has taken a file, which would stay. Without files the site says it. */
function explainMembers({ body, files, listed: { operation }, path, query, site }: Call): string {
  if (files.size === 0 || isUploading(operation.requestBody)) return '';
  const toId = ([name, value]: readonly [string, Json]): [string, Json] => [
    name,
    files.has(name) ? 1 : value,
  ];
  const parameters: RequestParameters = {
    json: new Map(jsonMembers(body).map(toId)),
    form: new Map(),
    query: new Map(jsonMembers(query)),
    path: new Map(path.map(({ siteName, value }) => [siteName, value])),
  };
  const validator = new RequestValidator(operation, ($ref) => dereference({ $ref }, site.document));
  const result = limitValidation(
    () => validator.validate(parameters),
    () => VALID_REQUEST,
  );
  return result.kind === 'valid'
    ? ''
    : toLine(`${result.message}: ${JSON.stringify(result.data['params'] ?? '')}`, 300);
}

/** Arguments that an operation doesn't declare. WordPress reads all that a plugin's code asks for. */
export function listUnknownArguments({ body, listed, query, site }: Call): readonly string[] {
  const { operation } = listed;
  const schema = bodySchemaOf(operation, site);
  const known = listKnownArguments(operation, schema);
  const isOpen = schema['properties'] === undefined || (schema['additionalProperties'] ?? false) !== false;
  const isQueryOpen = hasMark(operation.shared, 'openQuery') || known.length === 0;
  const names = [
    ...(isQueryOpen ? [] : Object.keys(query).map((name) => name.replace(/\[.*/s, ''))),
    ...(isOpen ? [] : jsonMembers(body).map(([name]) => name)),
  ];
  // PHP reads `.` and space as `_`. All operations have arguments like `_embed`.
  return [...new Set(names)].filter(
    (name) => !name.startsWith('_') && !known.includes(name) && !known.includes(name.replace(/[. ]/g, '_')),
  );
}

function bodySchemaOf({ requestBody }: Operation, { document }: AgentSite): SchemaObject {
  return flattenSchema(contentSchemaOf(requestBody) ?? {}, document).schema;
}

function listKnownArguments({ parameterObjects }: Operation, schema: SchemaObject): readonly string[] {
  return [
    ...parameterObjects.flatMap((each) => (each['in'] === 'query' ? [String(each['name'])] : [])),
    ...jsonMembers(schema['properties']).map(([name]) => name),
  ];
}

/** Names arguments that the site ignores, e.g. misspelt ones. @param effect what follows */
export function describeIgnoredArguments(call: Call, effect: string): string {
  const { id, operation } = call.listed;
  const unknown = listUnknownArguments(call);
  if (unknown.length === 0 || !DECLARING.test(operation.namespace)) return '';
  const known = listKnownArguments(operation, bodySchemaOf(operation, call.site));
  const findNearest = createNearestLookup(known);
  const described = unknown.slice(0, 10).map((name) => {
    const nearest =
      findNearest(name) ??
      known.find(
        (each) => Math.min(each.length, name.length) > 2 && (each.startsWith(name) || name.startsWith(each)),
      );
    const advice = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(toLine(nearest, 60))}?)`;
    return JSON.stringify(toLine(name, 60)) + advice;
  });
  return `${id} takes no ${described.join(', ')}. ${effect} describe_operation lists its arguments.`;
}

/** Schemas that a value is compared with. */
const MAX_CHOICES = 100;

/** Statuses of items deleted for good after days: `wp_delete_auto_drafts()`, WooCommerce's `delete_expired_draft_orders()`. */
const TEMPORARY = /^(?:auto-draft|(?:wc-)?checkout-draft)$/;

/**
 * Reads the level of a call. A `draft` call must create or change an item that is and stays unpublished, move no public items,
 * and not make the site ask another server. @param item what the site has; `null` if it cannot be read
 * @param isBeside whether what the call deletes is left out of account, for the level of its other changes
 */
export function readLevel(call: Call, item: JsonObject | null | undefined, isBeside = false): Level {
  const { level, operation } = call.listed;
  if (!isWritingMethod(operation.method) || level === 'manage') return level;
  const statuses = listSent(call, 'status');
  // WordPress takes one of them: which one is unknown.
  if (new Set(statuses.map(toText)).size > 1) return 'manage';
  const isCreating = call.path.length === 0;
  // WordPress reads `tr.ash` as `trash`: sanitize_key().
  const keys = statuses.map((status) =>
    toText(status)
      .toLowerCase()
      .replace(/[^\w-]/g, ''),
  );
  const isTrashing = keys.some((key) => key === 'trash' || (!isCreating && TEMPORARY.test(key)));
  // WooCommerce then deletes its variations for good: WC_Post_Data::product_type_changed().
  const isLosing =
    item?.['type'] === 'variable' && listSent(call, 'type').some((type) => type !== 'variable');
  if (!isBeside && (isTrashing || isLosing)) return 'delete';
  const sent = [call.query, call.body];
  const isStatus = ([name]: readonly [string, Json]): boolean => toPhpName(name) === 'status';
  if (level !== 'draft' || (isTrashing && sent.flatMap(jsonMembers).every(isStatus))) return level;
  const { document } = operation.source;
  const schema = contentSchemaOf(operation.requestBody);
  const properties = propertiesOf(schema, document);
  // Without a default, WordPress creates a draft: wp_insert_post().
  const before = isCreating
    ? (getDeclaredDefault(toJsonObject(properties['status'])) ?? 'draft')
    : (item?.['status'] ?? null);
  const after = isTrashing ? [] : statuses;
  const kept = isCreating && statuses.length > 0 ? after : [before, ...after];
  if (!kept.every((status) => UNPUBLISHED.includes(status))) return 'publish';
  const changes = (name: string): boolean =>
    listSent(call, name).some((value) => toText(value) !== toText(item?.[name] ?? null));
  // An item of the same slug hides a public one. WP_REST_Posts_Controller makes slugs of drafts unique, but not those of pages and posts.
  const isPage = properties['parent'] !== undefined;
  const isMoving =
    ((isPage || properties['date_gmt'] === undefined || before === 'auto-draft') && changes('slug')) ||
    (isPage && changes('status') && statuses.includes('private')) ||
    // Addresses of public pages begin with that of their parent.
    (isPage && !isCreating && changes('parent'));
  const reachesOut = sent.some(
    (each) => changesOtherItem(each, isCreating) || hasAddress(each, [schema], document),
  );
  return isMoving || reachesOut ? 'publish' : 'draft';
}

export function listSent({ body, query }: Call, name: string): readonly Json[] {
  return [query, body].flatMap((sent) =>
    jsonMembers(sent).flatMap(([each, value]) => (toPhpName(each) === name ? [value] : [])),
  );
}

/** WooCommerce changes nested items: picture 7 for `{ images: [{ id: 7, alt: '…' }] }`. Entries of `meta_data` are the item's own. */
function changesOtherItem(value: Json, isNamed: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id } = toJsonObject(value);
  const isMeta = Object.keys(value).every((name) => /^(?:id|key|value)$/.test(name));
  if (isNamed && id !== undefined && Object.keys(value).length > 1 && !isMeta) return true;
  return Object.values(value).some((each) => changesOtherItem(each, true));
}

/** The site can fetch an address: WooCommerce does for `{ images: [{ src: 'https://…' }] }`. PHP reads `{ "0": … }` as a list. */
function hasAddress(value: Json, declared: readonly (Json | undefined)[], document: JsonObject): boolean {
  const flatten = (each: Json | undefined): SchemaObject => flattenSchema(each, document).schema;
  const schemas = declared.map(flatten).flatMap((each) => [each, ...choicesOf(each).map(flatten)]);
  if (value !== null && schemas.some(({ format }) => format === 'uri')) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => {
    const parts = schemas.map(
      ({ additionalProperties, items, properties }) =>
        memberAt(properties, name) ?? items ?? additionalProperties,
    );
    return hasAddress(each, parts.slice(0, MAX_CHOICES), document);
  });
}

/** An upload's file, or one that a member refers to after its upload. */
interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const WRONG_FILE =
  '"file" must be {"name": "photo.jpg", "base64": "…"}, or {"path": …} of a file in the operator\'s folder.';

/** Takes an upload's files, and files in place of ids, out of a body, which names them. @returns no files if one is unreadable */
export async function readFiles(
  body: Json,
  { requestBody, source }: Operation,
  site: AgentSite,
): Promise<readonly [files: ReadonlyMap<string, SentFile> | undefined, body: Json]> {
  const properties = propertiesOf(contentSchemaOf(requestBody), source.document);
  const files = new Map<string, SentFile>();
  const named: [string, Json][] = [];
  for (const [name, value] of jsonMembers(body)) {
    const isUpload = name === 'file' && isUploading(requestBody);
    const sent = isUpload ? value : memberAt(value, 'file');
    if (sent === undefined || !(isUpload || typesOf(toJsonObject(properties[name])).includes('integer')))
      continue;
    const file = await decodeFile(sent, site);
    if (file === undefined) return [undefined, body];
    files.set(name, file);
    named.push([name, { file: { name: file.name, bytes: file.bytes.byteLength } }]);
  }
  return [files, files.size === 0 ? body : { ...toJsonObject(body), ...Object.fromEntries(named) }];
}

export function isUploading(requestBody: Operation['requestBody']): boolean {
  return memberAt(requestBody?.content, 'multipart/form-data') !== undefined;
}

async function decodeFile(file: Json | undefined, site: AgentSite): Promise<SentFile | undefined> {
  const { base64, name, path } = toJsonObject(file);
  if (typeof path === 'string') {
    const bytes = await site.readFile?.(path);
    return bytes == null
      ? undefined
      : { bytes, name: typeof name === 'string' ? name : path.replace(/.*[\\/]/s, '') };
  }
  if (typeof base64 !== 'string' || typeof name !== 'string' || !/^[\w+/=\s-]+$/.test(base64))
    return undefined;
  return { name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
}

/** Letters after which no address of the site is named, so that an upload takes none: `file-3f9c2a`. */
const toOwnSlug = (): string => `file-${randomBytes(3).toString('hex')}`;

/**
 * Writes a form with a file and the members beside it (RFC 7578). WordPress names an attachment's page after its title, where another
 * page was, or where a visitor's misspelt address leads to.
 */
export function encodeForm(
  { bytes, name }: SentFile,
  body: Json,
  takesSlug: boolean,
): readonly [headers: string[], body: Uint8Array<ArrayBuffer>] {
  // No value that the agent sends can contain a random boundary.
  const boundary = `waygate-${randomBytes(16).toString('hex')}`;
  const quote = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const sent = { ...(takesSlug && { slug: toOwnSlug() }), ...toJsonObject(body) };
  const others = Object.entries(sent).filter(([field]) => field !== 'file');
  const parts = [
    ...others.map(([field, value]) => [`name="${quote(field)}"`, toText(value)] as const),
    [`name="file"; filename="${quote(name)}"`, bytes] as const,
  ].flatMap(([disposition, value]) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`,
    value,
    '\r\n',
  ]);
  const chunks = [...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part));
  return [
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
    new Uint8Array(Buffer.concat(chunks)),
  ];
}
