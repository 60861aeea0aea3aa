import { isJsonObject, type Json } from '../json.ts';

/** Fills path templates with values of items from collections. */
export interface PathExpander {
  /** Adds the response of a path, which may be a collection. */
  addResponse(path: string, body: Json): void;
  /** Returns up to `limit` paths that fit a template; none if no item of the collection above it is known. */
  expand(template: string, limit: number): readonly string[];
}

/** Maximum number of items of a collection that are kept. */
const MAX_COLLECTION_ITEMS = 200;

interface CollectionItem {
  /** The item's key, if the collection is an object keyed by name. */
  readonly key: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

export function createPathExpander(): PathExpander {
  const collections = new Map<string, readonly CollectionItem[]>();
  return {
    addResponse(path, body) {
      const items = readItems(body);
      if (items.length > 0) collections.set(path, items);
    },
    expand(template, limit) {
      return template.split('/').reduce<readonly string[]>(
        (paths, segment) => {
          const placeholder = /^\{([^{}]+)\}$/.exec(segment)?.[1];
          if (placeholder === undefined) {
            // A parameter that is only a part of a segment is not filled.
            return segment.includes('{') ? [] : paths.map((path) => joinPath(path, segment));
          }
          const filled = paths.flatMap((path) =>
            sampleEvenly(placeholderValues(collections.get(path) ?? [], placeholder), limit).map((value) =>
              joinPath(path, value),
            ),
          );
          return sampleEvenly(filled, limit);
        },
        [''],
      );
    },
  };
}

function joinPath(path: string, segment: string): string {
  return segment === '' ? path : `${path}/${segment}`;
}

function readItems(body: Json): readonly CollectionItem[] {
  const entries: readonly (readonly [string | null, Json])[] = Array.isArray(body)
    ? body.map((item: Json) => [null, item])
    : Object.entries(isJsonObject(body) ? body : {});
  return entries.slice(0, MAX_COLLECTION_ITEMS).flatMap(([key, item]): CollectionItem[] => {
    if (!isJsonObject(item)) return [];
    const fields = Object.entries(item).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    );
    return fields.length === 0 ? [] : [{ key, fields: new Map(fields) }];
  });
}

/**
 * Returns a value for each item: the field with the placeholder's name, else its id, slug, name or key. The placeholder
 * `parent` stands for the item itself, not for its field `parent`.
 */
function placeholderValues(items: readonly CollectionItem[], placeholder: string): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder]), 'id', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafePathSegment) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafePathSegment))];
}

/** Whether a value needs no escaping in any form of a URL, and does not change the path (`..`). */
function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

/** Returns the first, the last and evenly spaced values between, because distant items differ more than neighbours. */
function sampleEvenly(values: readonly string[], limit: number): readonly string[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / Math.max(1, limit - 1);
  return Array.from({ length: limit }, (_, index) => values[Math.round(index * step)] ?? '');
}
