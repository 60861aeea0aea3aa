import { groupBy } from '../../group-by.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import data from './namespaces.json' with { type: 'json' };
import { singularizeLastWord, splitWords } from './words.ts';

/** Row of the table for a namespace. */
interface KnownNamespace {
  readonly namespace: string;
  /** The code that registers the namespace. */
  readonly source: string;
  /** The words before each name. Absent: those of the namespace. */
  readonly words?: string;
  /** Whether its names need no words: those of WordPress itself and WooCommerce. */
  readonly isPlain?: boolean;
  /** The namespace of which it is another name, e.g. `wp/v2`: the same code registers its routes. */
  readonly renames?: string;
  /** The words before names that another plain namespace has, by the title of a schema or the first literal of a path. */
  readonly qualified?: Readonly<Record<string, string>>;
  /** The names that the plugin's documentation gives to resources, by the titles of their schemas. */
  readonly titles?: Readonly<Record<string, string>>;
}

const KNOWN: readonly KnownNamespace[] = data.namespaces;
const CORE_TITLES: ReadonlySet<string> = new Set(data.coreTitles.titles.split(' '));

const RENAMED = KNOWN.flatMap(({ namespace, renames }) =>
  renames === undefined ? [] : [{ prefix: `/${namespace}/`, original: `/${renames}/` }],
);

/** Returns the route of the code that registers it: `/wp/v2/posts` for `/core/v2/posts`. */
export function toOriginalRoute(route: string): string {
  const renamed = RENAMED.find(({ prefix }) => route.startsWith(prefix));
  return renamed === undefined ? route : renamed.original + route.slice(renamed.prefix.length);
}

/** Owner of a name, e.g. a plugin's namespace. It depends on the namespace alone, so that no other one changes a name. */
export interface NameOwner {
  /** Two owners of one id share their names: each of them tells its own apart without words of a namespace. */
  readonly id: string;
  /** If two owners have one name nevertheless, the smaller rank keeps it. */
  readonly rank: number;
  /** The words before a name, the preferred first: none or those of the namespace, then others. */
  readonly qualifiers: readonly (readonly string[])[];
}

/** Names by owner. They differ in more than case: tools write a file for each, and some file systems ignore case. */
export class NameRegistry {
  /** The owner of each name in lower case; empty for reserved names. */
  readonly #owners: Map<string, string>;
  /** The next number to try as a suffix, by name in lower case. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(reserved: Iterable<string>) {
    this.#owners = new Map(Array.from(reserved, (name) => [name.toLowerCase(), '']));
  }

  take(name: string, { id }: NameOwner): void {
    this.#owners.set(name.toLowerCase(), id);
  }

  /**
   * Finds the first free name of those that ever more words of the owner qualify, or adds a number to the last of them.
   *
   * @param derive all names that a candidate makes necessary
   */
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
        // The words of the namespace tell the things of two namespaces apart, and not those of one.
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
 * The owner of names in a namespace. Names of the namespaces that the table calls plain have no words before them, so `Product`
 * is the product of the shop; all others have those of their namespace, also if they are alone: `StoreProduct`, `JetpackV4Site`.
 *
 * @param subject the title of a schema, or the first literal of a path
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

/** The first version says nothing: `yoast/v1` → `yoast`. */
function withoutFirstVersion(namespace: string): string {
  const { base, version } = parseNamespace(namespace);
  return version === 1 ? base : namespace;
}

/** Compares owners by rank, then by their ids, for `sort`, which keeps the order of equal ones. */
export function compareOwners(a: NameOwner, b: NameOwner): number {
  return a.rank - b.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Puts the words of an owner before those of a name, unless it begins with them: `bp`, `bp activity` → `bp activity`. */
export function qualifyWords(qualifier: readonly string[], words: readonly string[]): readonly string[] {
  return qualifier.every((word, at) => words[at] === word) ? words : [...qualifier, ...words];
}

/**
 * The words of a resource's name: the title that its plugin gives it, or the name that its documentation uses. Of a plugin's titles, a
 * sentence is no name, a last word `schema` says nothing, and what has an id is one item (`bp_members`).
 */
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

/** A namespace without its version. */
export function baseOf(namespace: string): string {
  return parseNamespace(namespace).base;
}

/** Reads the version of a namespace, which can stand before its end: `wc/pos/v1/catalog`. Without one it is before all others. */
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

/** `v3`, `1.0` */
const VERSION = /^v?(\d{1,6})(?:\.\d{1,6})?$/;

/**
 * Finds the namespaces that another one of the same plugin has replaced: `wc/v1` and `wc/v2` where there is `wc/v3`, and
 * `wc/store` where there is `wc/store/v1`. A later version with fewer routes is an addition (`wpcom/v3` beside `wpcom/v2`)
 * and replaces nothing.
 *
 * @param routes the namespace of each route
 * @returns the last version, by the name of each older one
 */
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

/** Versions of one plugin that are compared. No known plugin has as many. */
const MAX_VERSIONS = 20;
