import type { SchemaCheckFunction } from '../example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';

/** Properties of a new item that keep their example: what the site computes, and what refers to another item. */
const COMPUTED =
  /^(?:id|author|post|guid|link|links|_links|type|slug|class_list|permalink_template|taxonomy)$|(?:^|_)(?:id|uuid|key|url|urls|date|date_gmt|modified|modified_gmt)$|_at$/i;

/** The first value that a property may have is what WordPress gives to a new item. */
const INITIAL: Readonly<Record<string, readonly Json[]>> = {
  status: ['draft', 'approved', 'open', 'active'],
  format: ['standard'],
  comment_status: ['open'],
  ping_status: ['open'],
  categories: [[1]],
};

/**
 * Replaces the examples of an item that a request created: what the request leaves out is the default that the schema
 * states, or empty, as far as the schema allows it.
 */
export function clearNewItem(
  item: JsonObject,
  { isValid, properties }: { readonly properties: JsonObject; readonly isValid: SchemaCheckFunction },
): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const schema = properties[name];
      if (COMPUTED.test(name) || !isJsonObject(schema)) return [name, value];
      const { default: preset, enum: values } = schema;
      const candidates = [
        ...(preset === undefined ? [] : [preset]),
        ...(Object.hasOwn(INITIAL, name) ? (INITIAL[name] ?? []) : []),
        ...jsonItems(values).slice(0, 1),
        emptyOf(value),
      ];
      return [name, candidates.find((candidate) => isValid(schema, candidate)) ?? value];
    }),
  );
}

/** A value of the same form without content. */
function emptyOf(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, emptyOf(member)]));
  }
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? false : value;
}

/** Derives the slug of a new item from its title or name, as WordPress does for those that are published. */
export function toSlug({ name, title }: JsonObject): string | undefined {
  const stated = isJsonObject(title) ? title['raw'] : (title ?? name);
  if (typeof stated !== 'string') return undefined;
  const slug = stated
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : slug;
}

/** The date of an item, which grows with its number: the newest item has the latest. In the form of WordPress, at UTC. */
export function dateOf(number: number): string {
  const START = Date.UTC(2026, 0, 1, 9);
  const STEP = 17 * 3_600_000;
  return new Date(START + (number % 100_000) * STEP).toISOString().slice(0, 19);
}
