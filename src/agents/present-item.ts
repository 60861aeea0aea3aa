import { digest } from '../base/hash.ts';
import {
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  mapMembers,
  memberAt,
} from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { contentSchemaOf, flattenSchema } from '../generator/openapi/document-objects.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import type { AgentSite, Catalog, Hashes, ListedOperation } from './agent-site.ts';
import { CUT_MARK, hideSecrets, SECRET } from './read-response.ts';
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

/** The stored text of a member that the site can show rendered, too. */
export function rawOf(value: Json | undefined): Json | undefined {
  return memberAt(value, 'raw') ?? value;
}

function hashesOf(value: Json | undefined): Hashes {
  const stored = rawOf(value);
  return isJsonObject(stored) ? mapMembers(stored, (_, member) => hashesOf(member)) : hashOf(stored ?? null);
}

const hashOf = (value: Json): string => digest(JSON.stringify(value)).toString('hex').slice(0, 8);

/** @param shown what the agent sees of the item. @returns a tag that stands for it */
export function rememberShown(item: JsonObject, shown: Json, { catalog }: AgentSite): string {
  const hashes = mapMembers(item, (_, member) => hashesOf(member));
  const seen = listSeen(item, shown);
  const tag = hashOf([JSON.stringify(hashes), ...seen]);
  catalog.shown.set(tag, { hashes, seen: new Set(seen) });
  return tag;
}

/** Paths of what is sent and was changed since it was shown. Members that are not sent stay as they are. */
export function listChanged(
  sent: Json,
  stored: Json | undefined,
  shown: Hashes | undefined,
  path = '',
): readonly string[] {
  const now = rawOf(stored);
  if (isJsonObject(sent) && isJsonObject(now) && typeof shown === 'object' && !REPLACED.test(path))
    return jsonMembers(rawOf(sent)).flatMap(([name, value]) =>
      listChanged(value, now[name], memberAt(shown, name) as Hashes | undefined, joinPath(path, name)),
    );
  return isSameData(hashesOf(now), shown ?? hashesOf(null)) ? [] : [path];
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/**
 * Objects that a write replaces as a whole, by path: `WP_REST_Meta_Fields::update_meta_value()`, `WC_Data::update_meta_data()`. Of other
 * objects, the members that are not sent stay.
 */
const REPLACED = /^(?:meta\.[^.]+|meta_data\..*\.value)$/;

/** Lists whose entries a write changes one by one: `WC_REST_Orders_V2_Controller::prepare_object_for_database()`, `WC_Data::update_meta_data()`. */
export const MERGED: RegExp = /(?:^|\.)(?:meta_data|line_items|shipping_lines|fee_lines)$/;

/** What an entry of a merged list is found by. */
function nameEntry(entry: Json): string | undefined {
  const name = memberAt(entry, 'id') ?? memberAt(entry, 'key');
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined;
}

function findEntry(entries: readonly Json[], sent: Json): Json | undefined {
  const id = memberAt(sent, 'id');
  const key = memberAt(sent, 'key');
  if (id === undefined && key === undefined) return undefined;
  return entries.find((each) =>
    id === undefined ? memberAt(each, 'key') === key : String(memberAt(each, 'id')) === String(id),
  );
}

/** Tags, shortcodes, lines, and addresses that WordPress embeds: a reader sees them otherwise than they are stored. */
const MARKUP = /[<[\n]|:\/\//;

/** Characters of a text that each reader sees whole. */
const MAX_SEEN_LENGTH = 100;

/** Whether each reader sees all texts of a value as they are stored. A list that nobody has read can have entries of which the writer knows nothing. */
function isPlain(value: Json | undefined, path: string): boolean {
  if (value === undefined) return true;
  if (hasEntries(value) || isHidden(value, path)) return false;
  return textsOf(value).every(
    (text) => text.length <= MAX_SEEN_LENGTH && !MARKUP.test(text) && removeInvisible(text) === text,
  );
}

function hasEntries(value: Json): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : jsonMembers(value).some(([, member]) => hasEntries(member));
}

/** Whether a read hides a part of a value. */
function isHidden(value: Json, path: string): boolean {
  return hideSecrets({ [path.replace(/.*\./s, '')]: value }).note !== '';
}

/** Lists the paths that were shown as they are stored, and that not every reader sees so. */
function listSeen(stored: Json | undefined, shown: Json | undefined, path = ''): readonly string[] {
  const [now, seen] = [rawOf(stored), rawOf(shown)];
  if (seen === undefined || isPlain(now, path)) return [];
  if (path !== '' && isSameData(now, seen)) return [path];
  if (Array.isArray(now) && MERGED.test(path))
    return now.flatMap((entry: Json) =>
      listSeen(entry, findEntry(jsonItems(seen), entry), joinPath(path, nameEntry(entry) ?? '')),
    );
  return jsonMembers(isJsonObject(seen) ? now : null).flatMap(([name, value]) =>
    listSeen(value, memberAt(seen, name), joinPath(path, name)),
  );
}

/** Path of a value that a write would replace although it wasn't shown as stored. @param seen paths from {@link listSeen} */
export function findUnseen(
  sent: Json,
  stored: Json | undefined,
  seen: ReadonlySet<string>,
  path = '',
): string | undefined {
  const [to, now] = [rawOf(sent) ?? null, rawOf(stored)];
  if (seen.has(path) || now === undefined || isSameData(to, now)) return undefined;
  if (isJsonObject(to) && isJsonObject(now) && !REPLACED.test(path))
    return findFirst(Object.entries(to), ([name, value]) =>
      findUnseen(value, now[name], seen, joinPath(path, name)),
    );
  if (Array.isArray(to) && Array.isArray(now)) {
    if (MERGED.test(path))
      return findFirst(to, (entry: Json) => {
        const present = findEntry(now, entry);
        return findUnseen(entry, present, seen, joinPath(path, nameEntry(present ?? null) ?? ''));
      });
    // All entries that the site has are sent, too.
    if (now.every((entry: Json) => to.some((each: Json) => isSameData(each, entry)))) return undefined;
  }
  return isPlain(now, path) ? undefined : path;
}

function findFirst<T, R>(list: readonly T[], find: (each: T) => R | undefined): R | undefined {
  for (const each of list) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a text was cut or masked when it was read: written back, the rest would be lost. */
export function isDamaged(sent: Json): boolean {
  return textsOf(sent).some((text) => CUT_MARK.test(text) || text.includes(SECRET));
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
