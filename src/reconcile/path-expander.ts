import { isJsonObject, type Json, type JsonObject, memberAt } from '../json.ts';
import { toSingular } from '../model/naming/words.ts';

const MAX_COLLECTION_ITEMS = 200;
const LIMITS = { objects: 300, values: 60, parameters: 3_000, rows: 3_000, depth: 6 };

/** Names that mean something else in each resource. */
const GENERIC_NAMES: ReadonlySet<string> = new Set('id slug name key parent type title status'.split(' '));

interface CollectionItem {
  /** The item's key, if the collection is an object keyed by name. */
  readonly key: string | null;
  readonly fields: ReadonlyMap<string, string>;
}

type IsSafe = (value: string | undefined) => value is string;

/** Fills path templates with values from responses. */
export class PathExpander {
  readonly #collections: Map<string, readonly CollectionItem[]> = new Map();
  /** Values by parameter name: `board_id` from the boards of any list. */
  readonly #values: Map<string, Set<string>> = new Map();
  /** Values of single objects, by parameter name. */
  readonly #rows: { readonly vendor: string; readonly row: ReadonlyMap<string, string> }[] = [];
  #link: string | undefined;

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
    const { link } = object;
    if (typeof link === 'string' && link.length <= 500 && URL.canParse(link)) this.#link ??= link;
    const row = readParameters(object, container);
    if (row.size > 0 && this.#rows.length < LIMITS.rows) this.#rows.push({ vendor, row });
    for (const [parameter, value] of row) {
      const name = `${vendor} ${parameter}`;
      const known = this.#values.get(name) ?? new Set();
      const isFull = known.size === 0 && this.#values.size >= LIMITS.parameters;
      if (!isFull && known.size < LIMITS.values) this.#values.set(name, known.add(value));
    }
  }

  /**
   * @param isOfRoute whether the route's pattern matches a path. Values with slashes are used only if it
   * does: the id `theme//index` of a template, the name `core/paragraph` for two parameters.
   */
  expand(template: string, limit: number, isOfRoute?: (path: string) => boolean): readonly string[] {
    const slashed = isOfRoute === undefined ? [] : this.#fill(template, limit, isSafePath).filter(isOfRoute);
    const paths = slashed.length > 0 ? slashed : this.#fill(template, limit, isSafePathSegment);
    return (isOfRoute === undefined ? paths : [...new Set(paths)].filter(isOfRoute)).slice(0, limit);
  }

  /** If values can have slashes, successive parameters share one. */
  #fill(template: string, limit: number, isSafe: IsSafe): readonly string[] {
    const isJoined = isSafe === isSafePath;
    let rows: readonly string[] = [];
    let paths: readonly string[] = [''];
    for (const { literal, placeholders } of splitRuns(template, isJoined)) {
      // A parameter that is only a part of a segment isn't filled.
      if (literal.includes('{')) return [];
      const fill = (values: (path: string) => readonly string[]): readonly string[] =>
        paths.flatMap((path) => sampleEvenly(values(path), limit).map((value) => joinPath(path, value)));
      const [first, ...others] = placeholders;
      if (first === undefined) {
        paths = fill(() => [literal]);
        continue;
      }
      const own = fill((path) =>
        placeholderValues(this.#collections.get(path) ?? [], placeholders.at(-1), isSafe).filter(
          (value) => others.length === 0 || value.split('/').length === placeholders.length,
        ),
      );
      if (own.length === 0 && !isJoined) {
        // Without a known collection, values have the parameter's name. Those of one object belong together.
        rows = this.#fillByRows(template, limit);
        paths = fill((path) => this.valuesOf(parameterName(path, first), path));
      } else paths = own;
      paths = sampleEvenly(paths, limit);
    }
    return [...rows, ...paths];
  }

  #fillByRows(template: string, limit: number): readonly string[] {
    const names = Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name);
    if (names.some((name) => GENERIC_NAMES.has(name))) return [];
    const paths = this.#rows
      .filter(({ row, vendor }) => vendor === vendorOf(template) && names.every((name) => row.has(name)))
      .map(({ row }) => template.replace(/\{([^{}]+)\}/g, (_, name: string) => row.get(name) ?? ''));
    return sampleEvenly(paths, limit);
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

  /** Address of one of the site's pages, from a response. */
  link(): string | undefined {
    return this.#link;
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

/** Whether a value is safe segments, of which one can be empty: `theme//index`. */
function isSafePath(value: string | undefined): value is string {
  if (value === undefined || value.length > 200 || value.includes('///')) return false;
  const segments = value.split('/');
  const isFramed = segments[0] === '' || segments.at(-1) === '';
  return !isFramed && segments.every((segment) => segment === '' || isSafePathSegment(segment));
}

function splitRuns(
  template: string,
  joins: boolean,
): readonly { readonly literal: string; readonly placeholders: readonly string[] }[] {
  const runs: { literal: string; placeholders: string[] }[] = [];
  for (const segment of template.split('/')) {
    const placeholder = readPlaceholder(segment);
    const last = runs.at(-1);
    if (placeholder === undefined) runs.push({ literal: segment, placeholders: [] });
    else if (joins && last !== undefined && last.placeholders.length > 0) last.placeholders.push(placeholder);
    else runs.push({ literal: '', placeholders: [placeholder] });
  }
  return runs;
}

function readPlaceholder(segment: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(segment)?.[1];
}

/** Name of a parameter in responses: `id` below `/stages` is `stage_id`. */
function parameterName(path: string, placeholder: string): string {
  if (placeholder !== 'id' && placeholder !== 'slug') return placeholder;
  return `${toSingular(lastSegment(path))}_${placeholder}`;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function joinPath(path: string, segment: string): string {
  return segment === '' ? path : `${path}/${segment}`;
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

/** The field with the placeholder's name, else id, slug, name or key. `parent` stands for the item. */
function placeholderValues(
  items: readonly CollectionItem[],
  placeholder: string | undefined,
  isSafe: IsSafe,
): readonly string[] {
  const names = [...(placeholder === 'parent' ? [] : [placeholder ?? '']), 'id', 'ID', 'slug', 'name'];
  const values = items.map(
    ({ fields, key }) => names.map((name) => fields.get(name)).find(isSafe) ?? key ?? undefined,
  );
  return [...new Set(values.filter(isSafe))];
}

/** Selects evenly spaced values, because distant items differ more than neighbours. */
function sampleEvenly(values: readonly string[], limit: number): readonly string[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / Math.max(1, limit - 1);
  return Array.from({ length: limit }, (_, index) => values[Math.round(index * step)] ?? '');
}
