import { groupBy } from '../../../base/group-by.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import data from './namespaces.json' with { type: 'json' };
import { singularizeLastWord, splitWords } from './words.ts';

interface KnownNamespace {
  readonly namespace: string;
  readonly source: string;
  readonly words?: string;
  readonly isPlain?: boolean;
  readonly renames?: string;
  /** Words before names that another plain namespace has, by schema title or first literal. */
  readonly qualified?: Readonly<Record<string, string>>;
  readonly titles?: Readonly<Record<string, string>>;
}

const KNOWN: readonly KnownNamespace[] = data.namespaces;
const CORE_TITLES: ReadonlySet<string> = new Set(data.coreTitles.titles.split(' '));

const RENAMED = KNOWN.flatMap(({ namespace, renames }) =>
  renames === undefined ? [] : [{ prefix: `/${namespace}/`, original: `/${renames}/` }],
);

/** `/wp/v2/posts` for `/core/v2/posts`. */
export function toOriginalRoute(route: string): string {
  const renamed = RENAMED.find(({ prefix }) => route.startsWith(prefix));
  return renamed === undefined ? route : renamed.original + route.slice(renamed.prefix.length);
}

export interface NameOwner {
  readonly id: string;
  /** The smaller rank keeps a name that two owners share. */
  readonly rank: number;
  readonly qualifiers: readonly (readonly string[])[];
}

export class NameRegistry {
  /** By name in lower case; empty for reserved names. */
  readonly #owners: Map<string, string>;
  readonly #nextNumbers = new Map<string, number>();

  constructor(reserved: Iterable<string>) {
    this.#owners = new Map(Array.from(reserved, (name) => [name.toLowerCase(), '']));
  }

  take(name: string, { id }: NameOwner): void {
    this.#owners.set(name.toLowerCase(), id);
  }

  /** The first free name, with ever more of the owner's words, or a number. @param derive all names that a candidate needs */
  find(
    { id, qualifiers }: NameOwner,
    candidatesOf: (qualifier: readonly string[]) => Iterable<string>,
    derive: (candidate: string) => readonly string[] = (candidate) => [candidate],
  ): string {
    const takenBy = (candidate: string): string | undefined =>
      derive(candidate)
        .map((name) => this.#owners.get(name.toLowerCase()))
        .find((owner) => owner !== undefined);
    let best = '';
    for (const [index, qualifier] of qualifiers.entries()) {
      best = '';
      for (const name of candidatesOf(qualifier)) {
        if (best === '') best = name;
        const other = takenBy(name);
        if (other === undefined) return name;
        // Words of the namespace can't tell names of one owner apart.
        if (other !== id && index < qualifiers.length - 1) break;
      }
    }
    for (;;) {
      const number = this.#nextNumbers.get(best.toLowerCase()) ?? 2;
      this.#nextNumbers.set(best.toLowerCase(), number + 1);
      if (takenBy(`${best}${number}`) === undefined) return `${best}${number}`;
    }
  }
}

/**
 * Plain namespaces have no words before names: `Product` is the shop's, `StoreProduct` not.
 * @param subject title of a schema, or first literal of a path
 */
export function ownerOf(namespace: string, subject = ''): NameOwner {
  const at = KNOWN.findIndex((known) => known.namespace === namespace);
  const { isPlain = false, qualified = {}, words: declared } = KNOWN[at] ?? {};
  const base = baseOf(namespace);
  const type = subject.replace(/-(?:revision|autosave)$/, '');
  const special = Object.hasOwn(qualified, type) ? qualified[type] : undefined;
  const words = wordsOf(special ?? declared ?? (isPlain ? base : withoutFirstVersion(namespace)));
  const candidates = [...(isPlain && special === undefined ? [[]] : []), words, wordsOf(namespace)];
  const distinct = [...new Map(candidates.map((each) => [each.join(), each])).values()];
  return {
    id: special === undefined ? namespace : `${namespace} ${special}`,
    rank: at < 0 ? KNOWN.length : at,
    qualifiers: isPlain ? distinct : distinct.filter(({ length }) => length > 0 || distinct.length === 1),
  };
}

function wordsOf(text: string): readonly string[] {
  return splitWords(text.replaceAll('/', '-'));
}

function withoutFirstVersion(namespace: string): string {
  const { base, version } = parseNamespace(namespace);
  return version === 1 ? base : namespace;
}

export function compareOwners(a: NameOwner, b: NameOwner): number {
  return a.rank - b.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Adds the owner's words, unless the name begins with them: `bp`, `bp activity` → `bp activity`. */
export function qualifyWords(qualifier: readonly string[], words: readonly string[]): readonly string[] {
  return qualifier.every((word, at) => words[at] === word) ? words : [...qualifier, ...words];
}

/** In a plugin's title, a sentence isn't a name, `schema` is dropped, and an item with an id is singular. */
export function titleWords(namespace: string, title: string, schema: JsonObject): readonly string[] {
  const base = baseOf(namespace);
  const titles = KNOWN.find((known) => baseOf(known.namespace) === base)?.titles ?? {};
  const known = Object.hasOwn(titles, title) ? titles[title] : undefined;
  if (known !== undefined || CORE_TITLES.has(title)) return splitWords(known ?? title);
  if (title.endsWith('.')) return [];
  const words = splitWords(title);
  const named = words.length > 1 && words.at(-1) === 'schema' ? words.slice(0, -1) : words;
  const { properties } = schema;
  const hasId = isJsonObject(properties) && Object.hasOwn(properties, 'id');
  return hasId ? singularizeLastWord(named) : named;
}

export function baseOf(namespace: string): string {
  return parseNamespace(namespace).base;
}

/** The version can stand before the end: `wc/pos/v1/catalog`. Without one it is the earliest. */
function parseNamespace(namespace: string): {
  readonly namespace: string;
  readonly base: string;
  readonly version: number;
} {
  const segments = namespace.split('/');
  const others = segments.filter((segment) => !VERSION.test(segment));
  const [version = ''] = segments.filter((segment) => VERSION.test(segment));
  if (others.length === 0) return { namespace, base: namespace, version: -1 };
  return { namespace, base: others.join('/'), version: Number(VERSION.exec(version)?.[1] ?? -1) };
}

const VERSION = /^v?(\d{1,6})(?:\.\d{1,6})?$/;

/** The last version by replaced namespace: `wc/v3` by `wc/v1`. A later version with fewer routes is an addition: `wpcom/v3`. */
export function findSuccessors(
  routes: Iterable<{ readonly namespace: string }>,
): ReadonlyMap<string, string> {
  const namespaces = Array.from(
    groupBy([...routes], ({ namespace }) => namespace),
    ([name, ofName]) => ({ name, size: ofName.length, ...parseNamespace(name) }),
  );
  const successors = new Map<string, string>();
  for (const versions of groupBy(namespaces, ({ base }) => base).values()) {
    const sorted = [...versions].sort((one, other) => other.version - one.version);
    for (const [at, { name, size }] of sorted.entries()) {
      const later = sorted.slice(0, Math.min(at, MAX_VERSIONS)).find((other) => other.size >= size);
      if (later !== undefined) successors.set(name, later.name);
    }
  }
  return successors;
}

const MAX_VERSIONS = 20;
