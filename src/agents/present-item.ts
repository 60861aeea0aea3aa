import { digest } from '../base/hash.ts';
import {
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonMembers,
  mapMembers,
  memberAt,
  toText,
} from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { contentSchemaOf, flattenSchema } from '../generator/openapi/document-objects.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import type { AgentSite, Catalog, ListedOperation } from './agent-site.ts';
import { CUT_MARK, SECRET } from './read-response.ts';
import { removeInvisible } from './site-text.ts';

/** Members that say how an item is found and who sees it. */
export const HEAD: readonly string[] = ['id', 'status', 'link', 'permalink', 'modified', 'date_modified'];

/** Finds the operation that reads what a write changes: an item, an autosave's item, the settings. `undefined` for a creation */
export function findItemRead(
  { level, operation }: ListedOperation,
  catalog: Catalog,
): ListedOperation | undefined {
  const isPart = level === 'draft' && /\}\/[^{}]+$/.test(operation.path);
  const path = isPart ? operation.path.replace(/\/[^/]*$/, '') : operation.path;
  const read = catalog.byRoute.get(`GET ${path}`);
  if (read === undefined || path.endsWith('}')) return read;
  const { schema } = flattenSchema(read.operation.responseSchema, read.operation.source.document);
  return typesOf(schema).includes('object') && schema['properties'] !== undefined ? read : undefined;
}

/** Members that a write can replace, as `_fields` names them; empty if the response has none. */
export function listItemFields(
  { operation }: ListedOperation,
  { catalog, document }: AgentSite,
): readonly string[] {
  const writes = ['POST', 'PUT', 'PATCH'].flatMap(
    (method) => catalog.byRoute.get(`${method} ${operation.path}`) ?? [],
  );
  const written = writes.flatMap((each) => Object.keys(bodyOf(each, document)));
  const shown = propertiesOf(operation.responseSchema, document);
  return written.some((name) => shown[name] !== undefined)
    ? toFieldNames(written, writes, operation, document)
    : [];
}

/**
 * Members of a response as `_fields` names them, only `raw` of texts, so that the site doesn't run shortcodes or fetch embedded pages.
 * WP_REST_Posts_Controller renders the content for `excerpt.raw` too, if the excerpt is empty.
 */
export function toFieldNames(
  names: readonly string[],
  writes: readonly ListedOperation[],
  { responseSchema }: Operation,
  document: JsonObject,
): readonly string[] {
  const shown = propertiesOf(responseSchema, document);
  const isRaw = (name: string): boolean =>
    writes.some((each) => propertiesOf(bodyOf(each, document)[name], document)['raw'] !== undefined);
  return [...new Set([...HEAD, ...names])].flatMap((name) =>
    shown[name] === undefined || name === 'excerpt' ? [] : [isRaw(name) ? `${name}.raw` : name],
  );
}

function bodyOf({ operation }: ListedOperation, document: JsonObject): JsonObject {
  return propertiesOf(contentSchemaOf(operation.requestBody), document);
}

export function propertiesOf(schema: Json | undefined, document: JsonObject): JsonObject {
  const { properties } = flattenSchema(schema, document).schema;
  return isJsonObject(properties) ? properties : {};
}

/** Members that change without a write, e.g. `modified`. */
const VOLATILE = /^(?:_links|(?:date_)?modified(?:_gmt)?|rendered)$/;

/** Hashes of an item's members, and one of all. */
export function hashItem(item: JsonObject): {
  readonly tag: string;
  readonly members: Readonly<Record<string, string>>;
} {
  const toHash = (value: Json): string =>
    digest(JSON.stringify(value, (name, each) => (VOLATILE.test(name) ? undefined : each)))
      .toString('hex')
      .slice(0, 8);
  return {
    tag: toHash(item),
    members: mapMembers(item, (name, value) => (VOLATILE.test(name) ? '' : toHash(value))),
  };
}

/** The stored text of a member that the site can show rendered, too. */
export function rawOf(value: Json | undefined): Json | undefined {
  return memberAt(value, 'raw') ?? value;
}

/** Tags, shortcodes, lines, and addresses that WordPress embeds: a reader sees them otherwise than they are stored. */
const MARKUP = /[<[\n]|:\/\//;

/** Characters of a text that each reader sees whole. */
const MAX_SEEN_LENGTH = 100;

/** Whether each reader sees all texts of a value as they are stored. */
function isPlain(value: Json | undefined): boolean {
  const isSeen = (text: string): boolean =>
    text.length <= MAX_SEEN_LENGTH && !MARKUP.test(text) && removeInvisible(text) === text;
  return textsOf(value ?? null).every(isSeen);
}

/** Lists the paths of other members that were shown as they are stored. */
export function listSeen(stored: Json | undefined, shown: Json | undefined, path = ''): readonly string[] {
  const [now, seen] = [rawOf(stored), rawOf(shown)];
  if (isPlain(now)) return [];
  if (path !== '' && isSameData(now, seen)) return [path];
  return jsonMembers(isJsonObject(seen) ? now : null).flatMap(([name, value]) =>
    /^\w{1,80}$/.test(name) ? listSeen(value, memberAt(seen, name), joinPath(path, name)) : [],
  );
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Path of a text that a write would replace although it wasn't shown as stored. @param seen paths from {@link listSeen} */
export function findUnseen(
  sent: Json,
  stored: Json | undefined,
  seen: readonly string[],
  path = '',
): string | undefined {
  const [to, now] = [rawOf(sent), rawOf(stored)];
  if (seen.includes(path)) return undefined;
  if (!isJsonObject(to) || !isJsonObject(now)) return isSameData(to, now) || isPlain(now) ? undefined : path;
  for (const [name, value] of Object.entries(to)) {
    const found = findUnseen(value, now[name], seen, joinPath(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text was cut or masked when it was read: written back, the rest would be lost. */
export function isDamaged(sent: Json): boolean {
  return textsOf(sent).some((text) => CUT_MARK.test(text) || text === SECRET);
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Names members that the site has stored otherwise, e.g. without an iframe. */
export function describeStored(sent: Json, stored: Json | undefined): readonly string[] {
  return jsonMembers(sent).flatMap(([name, value]) => {
    const [to, now] = [rawOf(value), rawOf(memberAt(stored, name))];
    if (now === undefined || now === null || to === undefined || to === null) return [];
    const isList = Array.isArray(to) && to.every((each: Json) => typeof each !== 'object');
    if (typeof to === 'object' && !isList) return [];
    // Labels that were sent as ids come back as objects.
    const kept = isList && Array.isArray(now) ? now.map((each: Json) => memberAt(each, 'id') ?? each) : now;
    const [one, other] = [to, kept].map((each) => toText(each).replaceAll('\r\n', '\n').trim());
    if (one === other || (one !== '' && Number(one) === Number(other))) return [];
    const removed = [...new Set(tagsOf(one ?? '').filter((tag) => !tagsOf(other ?? '').includes(tag)))];
    const what =
      removed.length > 0
        ? `without ${removed
            .slice(0, 5)
            .map((tag) => `<${tag}>`)
            .join(', ')}`
        : 'otherwise';
    return [`The site stored ${JSON.stringify(name)} ${what}`];
  });
}

function tagsOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/<([a-z][a-z\d-]{0,30})/gi), ([, name = '']) => name.toLowerCase());
}

/** Names changes since this gateway has shown the item. */
export function describeChanged(
  tag: string,
  item: JsonObject,
  { shown }: AgentSite['catalog'],
): readonly string[] {
  const before = shown.get(tag);
  const { members } = hashItem(item);
  return before === undefined ? [] : Object.keys(members).filter((name) => members[name] !== before[name]);
}
