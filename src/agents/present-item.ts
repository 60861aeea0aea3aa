import { digest } from '../base/hash.ts';
import {
  isJsonObject,
  isSameData,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
} from '../base/json.ts';
import { typesOf } from '../generator/model/schema/keywords.ts';
import { contentSchemaOf, flattenSchema } from '../generator/openapi/document-objects.ts';
import type { Operation } from '../generator/openapi/operations.ts';
import type { AgentSite, Catalog, ListedOperation } from './agent-site.ts';
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

/** @param shown what the agent sees of the item. @returns a tag that stands for both */
export function rememberShown(item: JsonObject, shown: Json, { catalog }: AgentSite): string {
  const tag = digest(JSON.stringify([item, shown]))
    .toString('hex')
    .slice(0, 8);
  catalog.shown.set(tag, { item, shown });
  return tag;
}

/**
 * Objects that a write replaces as a whole, by path: `WP_REST_Meta_Fields::update_meta_value()`, `WC_Data::update_meta_data()`. Of other
 * objects, the members that are not sent stay.
 */
const REPLACED = /^(?:meta\.[^.]+|meta_data\.value)$/;

/** Lists whose entries a write changes one by one: `WC_REST_Orders_V2_Controller::prepare_object_for_database()`, `WC_Data::update_meta_data()`. */
export const MERGED: RegExp = /(?:^|\.)(?:meta_data|line_items|shipping_lines|fee_lines)$/;

/** The value of a member that is sent: what the site has at present, what it had when it was read, and what the agent has seen. */
interface Compared {
  readonly sent: Json;
  readonly present: Json | undefined;
  readonly earlier: Json | undefined;
  readonly shown: Json | undefined;
}

/** Members, or entries of a merged list, that are sent: each is compared by itself. `null` for a value that is replaced as a whole */
function listParts(
  { sent, ...known }: Compared,
  path: string,
): readonly (readonly [path: string, part: Compared])[] | null {
  const find = (select: (from: Json | undefined) => Json | undefined): Omit<Compared, 'sent'> => ({
    present: select(known.present),
    earlier: select(known.earlier),
    shown: select(known.shown),
  });
  if (isJsonObject(sent) && isJsonObject(known.present) && !REPLACED.test(path))
    return Object.entries(sent).map(([name, value]) => [
      path === '' ? name : `${path}.${name}`,
      { sent: value, ...find((from) => memberAt(from, name)) },
    ]);
  if (!Array.isArray(sent) || !MERGED.test(path)) return null;
  return sent.map((entry: Json) => [
    path,
    { sent: entry, ...find((from) => findEntry(jsonItems(from), entry)) },
  ]);
}

/** Paths of what is sent and was changed since it was read. */
export function listChanged(compared: Compared, path = ''): readonly string[] {
  const raw = toRaw(compared);
  const parts = listParts(raw, path);
  if (parts !== null) return parts.flatMap(([at, part]) => listChanged(part, at));
  return isSameData(raw.present ?? null, raw.earlier ?? null) ? [] : [path];
}

/** Paths of values that a write would replace although they weren't shown as they are stored. */
export function listUnseen(compared: Compared, path = ''): readonly string[] {
  const raw = toRaw(compared);
  const { present, sent, shown } = raw;
  if (present === undefined || isSameData(sent, present) || isSameData(shown, present)) return [];
  const parts = listParts(raw, path);
  if (parts !== null) return parts.flatMap(([at, part]) => listUnseen(part, at));
  // All entries that the site has are sent, too.
  const isWhole =
    Array.isArray(sent) &&
    Array.isArray(present) &&
    present.every((entry: Json) => sent.some((each: Json) => isSameData(each, entry)));
  return isWhole || isPlain(present, path) ? [] : [path];
}

function toRaw({ earlier, present, sent, shown }: Compared): Compared {
  return { sent: rawOf(sent) ?? null, present: rawOf(present), earlier: rawOf(earlier), shown: rawOf(shown) };
}

function findEntry(entries: readonly Json[], sent: Json): Json | undefined {
  const [id, key] = [memberAt(sent, 'id'), memberAt(sent, 'key')];
  return entries.find((each) =>
    id === undefined
      ? key !== undefined && memberAt(each, 'key') === key
      : String(memberAt(each, 'id')) === String(id),
  );
}

/** Tags, shortcodes, lines, and addresses that WordPress embeds: a reader sees them otherwise than they are stored. */
const MARKUP = /[<[\n]|:\/\//;

/** Characters of a text that each reader sees whole. */
const MAX_SEEN_LENGTH = 100;

/** Whether each reader sees all texts of a value as they are stored. A list can have entries of which the writer knows nothing. */
function isPlain(value: Json, path: string): boolean {
  const isHidden = hideSecrets({ [path.replace(/.*\./s, '')]: value }).note !== '';
  return (
    !isHidden &&
    !hasEntries(value) &&
    textsOf(value).every(
      (text) => text.length <= MAX_SEEN_LENGTH && !MARKUP.test(text) && removeInvisible(text) === text,
    )
  );
}

function hasEntries(value: Json): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : jsonMembers(value).some(([, member]) => hasEntries(member));
}

/** Whether a text was cut or masked when it was read: written back, the rest would be lost. */
export function isDamaged(sent: Json): boolean {
  return textsOf(sent).some((text) => CUT_MARK.test(text) || text.includes(SECRET));
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
