import { isJsonObject, type Json, type JsonObject, memberAt } from '../../base/json.ts';
import { toSingular } from '../model/naming/words.ts';

const MAX_COLLECTION_ITEMS = 200;
const LIMITS = { objects: 300, values: 60, parameters: 3_000, depth: 6 };

/** Names that mean something else in each resource. */
const GENERIC_NAMES: ReadonlySet<string> = new Set('id slug name key parent type title status'.split(' '));

interface CollectionItem {
  readonly key: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

export class PathExpander {
  readonly #collections: Map<string, readonly CollectionItem[]> = new Map();
  /** Values by parameter name: `board_id` from the boards of any list. */
  readonly #values: Map<string, Set<string>> = new Map();

  addResponse(path: string, body: Json, template: string): void {
    const vendor = vendorOf(path);
    const items = readItems(body);
    if (items.length > 0) this.#collections.set(path, items);
    let objects = 0;
    const visit = (value: Json, container: string, depth: number): void => {
      if (depth > LIMITS.depth || objects >= LIMITS.objects) return;
      if (Array.isArray(value)) {
        for (const item of value) visit(item, container, depth + 1);
      } else if (isJsonObject(value)) {
        objects += 1;
        this.#addObject(value, container, vendor);
        for (const [name, member] of Object.entries(value)) {
          const isContainer = name === 'data' || name === 'items';
          if (name !== '_links') visit(member, isContainer ? container : name, depth + 1);
        }
      }
    };
    visit(body, template.split('/').findLast((segment) => !segment.includes('{')) ?? '', 0);
  }

  #addObject(object: JsonObject, container: string, vendor: string): void {
    for (const [parameter, value] of readParameters(object, container)) {
      const name = `${vendor} ${parameter}`;
      const known = this.#values.get(name) ?? new Set();
      const isFull = known.size === 0 && this.#values.size >= LIMITS.parameters;
      if (!isFull && known.size < LIMITS.values) this.#values.set(name, known.add(value));
    }
  }

  expand(template: string, limit: number): readonly string[] {
    let paths: readonly string[] = [''];
    for (const segment of template.split('/').slice(1)) {
      const placeholder = /^\{([^{}]+)\}$/.exec(segment)?.[1];
      // A parameter that is only a part of a segment isn't filled.
      if (placeholder === undefined && segment.includes('{')) return [];
      const fill = (values: (path: string) => readonly string[]): readonly string[] =>
        paths.flatMap((path) => sampleEvenly(values(path), limit).map((value) => `${path}/${value}`));
      if (placeholder === undefined) {
        paths = fill(() => [segment]);
        continue;
      }
      const own = fill((path) => placeholderValues(this.#collections.get(path) ?? [], placeholder));
      if (own.length === 0) {
        paths = fill((path) => this.valuesOf(parameterName(path, placeholder), path));
      } else paths = own;
      paths = sampleEvenly(paths, limit);
    }
    return paths;
  }

  /** In the order seen, from routes of the same vendor or of WordPress. `pinned-board_id` is a `board_id`. */
  valuesOf(parameter: string, path: string): readonly string[] {
    const known = this.#values.get(`${vendorOf(path)} ${parameter}`) ?? this.#values.get(`wp ${parameter}`);
    const shorter = parameter.replace(/^.*-/, '');
    return known === undefined && shorter !== parameter ? this.valuesOf(shorter, path) : [...(known ?? [])];
  }

  fieldsOf(collection: string, name: string): readonly string[] {
    const items = this.#collections.get(collection) ?? [];
    return items.flatMap(({ fields }) => fields.get(name) ?? []).filter(isSafePathSegment);
  }
}

function vendorOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** Fields of an object by parameter name: `id` of a board is `board` and `board_id`. */
function readParameters(object: JsonObject, container: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const item = toSingular(container);
  for (const [name, value] of Object.entries(object).slice(0, 200)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const text = String(value);
    if (!isSafePathSegment(text)) continue;
    if (!GENERIC_NAMES.has(name)) values.set(name, text);
    // WordPress's PHP objects have `ID`.
    const isId = name === 'id' || name === 'ID';
    if (isId) values.set(item, text);
    if (isId || name === 'slug' || name === 'name') values.set(`${item}_${name.toLowerCase()}`, text);
  }
  return values;
}

/** Whether a value needs no escaping in a URL and doesn't change the path (`..`). */
function isSafePathSegment(value: string | undefined): value is string {
  return value !== undefined && /^[\w.~-]{1,200}$/.test(value) && !/^\.+$/.test(value);
}

/** Name of a parameter in responses: `id` below `/stages` is `stage_id`. */
function parameterName(path: string, placeholder: string): string {
  if (placeholder !== 'id' && placeholder !== 'slug') return placeholder;
  return `${toSingular(lastSegment(path))}_${placeholder}`;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function readItems(body: Json): readonly CollectionItem[] {
  const list = findItemList(body, 0);
  const entries: readonly (readonly [string | null, Json])[] =
    list === null ? Object.entries(isJsonObject(body) ? body : {}) : list.map((item) => [null, item]);
  return entries.slice(0, MAX_COLLECTION_ITEMS).flatMap(([key, item]): CollectionItem[] => {
    if (!isJsonObject(item)) return [];
    const fields = Object.entries(item).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    );
    return fields.length === 0 ? [] : [{ key, fields: new Map(fields) }];
  });
}

/** Finds the list of a response: itself, or the first list of objects inside (`{ data: [...] }`). */
function findItemList(body: Json, depth: number): readonly Json[] | null {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body) || depth > 2) return null;
  const members = Object.values(body).filter((member) => typeof member === 'object' && member !== null);
  const list = members.find((member) => Array.isArray(member) && member.some(isJsonObject));
  if (Array.isArray(list)) return list;
  const inner = members.flatMap((member) => {
    const found = isJsonObject(member) ? findItemList(member, depth + 1) : null;
    return found === null ? [] : [found];
  });
  if (depth > 0 || members.length === 1) return inner[0] ?? null;
  // `{ boards: { data: [...] }, folders: [] }`, but not a map of posts with lists of links.
  const [only, ...others] = inner.filter((items) => items.some((item) => memberAt(item, 'id') !== undefined));
  return others.length === 0 ? (only ?? null) : null;
}

function placeholderValues(items: readonly CollectionItem[], placeholder: string): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder]), 'id', 'ID', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafePathSegment) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafePathSegment))];
}

/** Selects evenly spaced values, because distant items differ more than neighbours. */
function sampleEvenly(values: readonly string[], limit: number): readonly string[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / Math.max(1, limit - 1);
  return Array.from({ length: limit }, (_, index) => values[Math.round(index * step)] ?? '');
}
