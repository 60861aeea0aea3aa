import { getDeclaredDefault } from '../base/document-extensions.ts';
import { type Json, type JsonObject, jsonMembers, memberAt, toJsonObject, toText } from '../base/json.ts';
import type { SchemaObject } from '../generator/openapi/objects.ts';
import { type Level, UNPUBLISHED } from '../generator/openapi/operation-levels.ts';
import { choicesOf, contentSchemaOf, flattenSchema } from '../generator/openapi/schema-view.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import { type Call, toPhpName } from './call.ts';
import { propertiesOf } from './present-item.ts';

/** Schemas that a value is compared with. */
const MAX_CHOICES = 100;

/**
 * Reads the level of a call. One that is `draft` must create or change an item that is and stays unpublished, and must neither move
 * public items nor make the site ask another server. @param item what the site has; `null` if it cannot be read
 */
export function readLevel(call: Call, item: JsonObject | null | undefined): Level {
  const { level, operation } = call.listed;
  if (!isWritingMethod(operation.method) || level === 'manage') return level;
  const statuses = listSent(call, 'status');
  // WordPress reads `tr.ash` as `trash`: sanitize_key().
  if (statuses.some((status) => /^trash$/i.test(toText(status).replace(/[^\w-]/g, '')))) return 'delete';
  if (level !== 'draft') return level;
  const isCreating = call.path.length === 0;
  const { document } = operation.source;
  const schema = contentSchemaOf(operation.requestBody);
  const properties = propertiesOf(schema, document);
  // Without a default, WordPress creates a draft: wp_insert_post().
  const before = isCreating
    ? (getDeclaredDefault(toJsonObject(properties['status'])) ?? 'draft')
    : (item?.['status'] ?? null);
  const kept = isCreating && statuses.length > 0 ? statuses : [before, ...statuses];
  if (!kept.every((status) => UNPUBLISHED.includes(status))) return 'publish';
  const changes = (name: string): boolean =>
    listSent(call, name).some((value) => toText(value) !== toText(item?.[name] ?? null));
  // An item of the same slug hides a public one. WP_REST_Posts_Controller makes slugs unique, but not those of pages and posts.
  const isPage = properties['parent'] !== undefined;
  const isMoving =
    ((isPage || properties['date_gmt'] === undefined) && changes('slug')) ||
    (isPage && changes('status') && statuses.includes('private')) ||
    // Addresses of public pages begin with that of their parent.
    (isPage && !isCreating && changes('parent'));
  const reachesOut = [call.query, call.body].some(
    (sent) => changesOtherItem(sent, isCreating) || hasAddress(sent, [schema], document),
  );
  return isMoving || reachesOut ? 'publish' : 'draft';
}

/** Lists the values of an argument in query and body. */
export function listSent({ body, query }: Call, name: string): readonly Json[] {
  return [query, body].flatMap((sent) =>
    jsonMembers(sent).flatMap(([each, value]) => (toPhpName(each) === name ? [value] : [])),
  );
}

/** WooCommerce writes to what a nested object names: `{ images: [{ id: 7, alt: '…' }] }` changes the picture 7. */
function changesOtherItem(value: Json, isNamed: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { id } = toJsonObject(value);
  if (isNamed && id !== undefined && Object.keys(value).length > 1) return true;
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
