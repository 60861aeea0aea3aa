import { isJsonObject, type Json } from '../json.ts';

/** What answers of collections tell of the items below them. */
export interface PathExpander {
  /** Notes what a path answered. */
  addResponse(path: string, body: Json): void;
  /** The paths of a template that can be asked for with what is known, at most `most`; empty where nothing is known. */
  expand(template: string, most: number): readonly string[];
}

/** Of one collection. The rest would be asked for no more than these. */
const MAX_COLLECTION_ITEMS = 200;

interface CollectionItem {
  /** Its name, where the collection is an object keyed by name. */
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
    expand(template, most) {
      return template.split('/').reduce<readonly string[]>(
        (paths, segment) => {
          const placeholder = /^\{([^{}]+)\}$/.exec(segment)?.[1];
          if (placeholder === undefined) {
            // Parameters that are a part of a segment are nobody's id.
            return segment.includes('{') ? [] : paths.map((path) => joinPath(path, segment));
          }
          const filled = paths.flatMap((path) =>
            sampleEvenly(placeholderValues(collections.get(path) ?? [], placeholder), most).map((value) =>
              joinPath(path, value),
            ),
          );
          return sampleEvenly(filled, most);
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

/** What may stand for an item, first what its route calls it. `parent` is the item itself, not the item's own parent. */
function placeholderValues(items: readonly CollectionItem[], placeholder: string): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder]), 'id', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafePathSegment) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafePathSegment))];
}

/** What needs no escaping in any spelling of an address, and changes no path. */
function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

/** The first, the last and what lies evenly between: new and old items differ more than neighbours do. */
function sampleEvenly(values: readonly string[], most: number): readonly string[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / Math.max(1, most - 1);
  return Array.from({ length: most }, (_, at) => values[Math.round(at * step)] ?? '');
}
