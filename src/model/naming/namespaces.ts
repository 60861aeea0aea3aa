import { groupBy } from '../../group-by.ts';
import { isJsonObject, type JsonObject } from '../../json.ts';
import data from './namespaces.json' with { type: 'json' };
import { singularizeLastWord, splitWords } from './words.ts';

/** What the table states about the namespaces of one plugin, or of WordPress. The order of the table is the order of ranks. */
interface NamespaceFamily {
  /** The namespace without its version: `wc/store` for `wc/store/v1`. */
  readonly base: string;
  /** The code that registers the namespace. */
  readonly source: string;
  /** The words that qualify a name. Absent: those of the base. */
  readonly words?: string;
  /** The names that the plugin's documentation gives to resources, by the titles of their schemas. */
  readonly titles?: Readonly<Record<string, string>>;
}

const FAMILIES: readonly NamespaceFamily[] = data.families;
const CORE_BASES: ReadonlySet<string> = new Set(['wp', 'core']);
const CORE_TITLES: ReadonlySet<string> = new Set(data.coreTitles.titles.split(' '));

/** Who names something: what ranks first keeps the plain name, and the others get qualifying words. */
export interface NameOwner {
  /** Two owners of one id share their names: each of them tells its own apart without words of a namespace. */
  readonly id: string;
  /** Numbers that are compared in their order; the smaller is first. */
  readonly rank: readonly number[];
  /** The words before a name, the preferred first: none, those of the namespace, those with its version. */
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
 * Ranks the namespaces of a site. Of two that give one name to different things, the first keeps the plain name:
 * WordPress itself, then the plugins of the table in its order, then the types that plugins add to `wp/v2`, then other
 * namespaces by the alphabet, then older versions of all of them. So `Product` is the product of the shop. A plugin that a
 * site gains renames what has one of its names and a lower rank, and nothing else.
 */
export class NamespaceRanks {
  readonly #owners: ReadonlyMap<string, NameOwner>;

  constructor(namespaces: Iterable<string>) {
    const all = [...new Set(namespaces)]
      .map(parseNamespace)
      .sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
    const newest = new Map<string, number>();
    for (const { base, version } of all) newest.set(base, Math.max(version, newest.get(base) ?? -1));
    this.#owners = new Map(
      all.map(({ base, namespace, version }, index) => {
        const isNewest = version === newest.get(base);
        return [
          namespace,
          {
            id: namespace,
            rank: rankOf(base, index, isNewest),
            qualifiers: qualifiersOf(namespace, base, isNewest),
          },
        ];
      }),
    );
  }

  ownerOf(namespace: string): NameOwner {
    return (
      this.#owners.get(namespace) ?? { id: namespace, rank: [Number.MAX_SAFE_INTEGER], qualifiers: [[]] }
    );
  }

  /**
   * The owner of the resource with a title. A type that is not of WordPress but is in its namespace is a post type or a taxonomy of
   * a plugin, which may have other routes for it in a namespace of its own.
   *
   * @param kind the kind of the resource's convention
   */
  ownerOfTitle(namespace: string, title: string, kind: string | undefined): NameOwner {
    const owner = this.ownerOf(namespace);
    if (!CORE_BASES.has(parseNamespace(namespace).base)) return owner;
    if (title === '' || CORE_TITLES.has(title.replace(/-(?:revision|autosave)$/, ''))) return owner;
    return ownerOfType(owner, kind);
  }
}

/** Rank of the types that plugins add to the namespace of WordPress. */
const TYPE_RANK = FAMILIES.length;

function ownerOfType(owner: NameOwner, kind: string | undefined): NameOwner {
  const words = kind === 'term' ? ['taxonomy'] : kind === undefined ? owner.qualifiers[1] : ['post', 'type'];
  return {
    id: `${owner.id} ${words?.join(' ')}`,
    rank: [TYPE_RANK],
    qualifiers: [[], words ?? []],
  };
}

/** Compares owners by rank, for `sort`, which keeps the order of equal ones. */
export function compareOwners(a: NameOwner, b: NameOwner): number {
  const at = a.rank.findIndex((number, index) => number !== b.rank[index]);
  return at < 0 ? a.rank.length - b.rank.length : (a.rank[at] ?? 0) - (b.rank[at] ?? -1);
}

/**
 * The words of a resource's name: the title that its plugin gives it, or the name that its documentation uses. Of a plugin's titles, a
 * sentence is no name, a last word `schema` says nothing, and what has an id is one item (`bp_members`).
 */
export function titleWords(namespace: string, title: string, schema: JsonObject): readonly string[] {
  const titles = familyOf(parseNamespace(namespace).base)?.titles ?? {};
  const known = Object.hasOwn(titles, title) ? titles[title] : undefined;
  if (known !== undefined || CORE_TITLES.has(title)) return splitWords(known ?? title);
  if (title.endsWith('.')) return [];
  const words = splitWords(title);
  const named = words.length > 1 && words.at(-1) === 'schema' ? words.slice(0, -1) : words;
  const { properties } = schema;
  const hasId = isJsonObject(properties) && Object.hasOwn(properties, 'id');
  return hasId ? singularizeLastWord(named) : named;
}

/** A namespace without its version. Versions of a plugin share the schemas that are equal in them. */
export function baseOf(namespace: string): string {
  return parseNamespace(namespace).base;
}

/** Reads the version of a namespace, which may stand before its end: `wc/pos/v1/catalog`. Without one it is before all others. */
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

function familyOf(base: string): NamespaceFamily | undefined {
  return FAMILIES.find((family) => family.base === base);
}

function rankOf(base: string, index: number, isNewest: boolean): readonly number[] {
  const position = FAMILIES.findIndex((family) => family.base === base);
  const ofBase = position < 0 ? TYPE_RANK + 1 : position;
  return isNewest ? [ofBase, index] : [TYPE_RANK + 2, ofBase, index];
}

function qualifiersOf(namespace: string, base: string, isNewest: boolean): readonly (readonly string[])[] {
  if (namespace === '') return [[]];
  const full = splitWords(namespace.replaceAll('/', '-'));
  const words = splitWords((familyOf(base)?.words ?? base).replaceAll('/', '-'));
  const short = isNewest && words.length > 0 && words.join() !== full.join() ? [words] : [];
  return [[], ...short, ...(full.length > 0 ? [full] : [])];
}

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
