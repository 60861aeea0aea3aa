import type { SiteAddress } from '../../discovery/site.ts';
import { memoizeByString } from '../../memoize.ts';
import { rawUrlDecode } from '../../php/encoding.ts';
import type { ResourceKind, ResourceMap } from '../wordpress/resource-map.ts';
import { itemTags } from './item-tags.ts';

/** Maximum tags of a response. One with more may show any item. */
const MAX_TAGS = 400;
/** Maximum characters of a text that is read. A longer one may show any item. */
const MAX_TEXT = 1024 * 1024;
/** Maximum characters of a path and of a name. Longer ones are no address of an item, and no name of WordPress. */
const MAX_PATH = 1_000;
const MAX_NAME = 24;
/** Maximum digits of an id. */
const MAX_DIGITS = 19;

/** What an item is, by the names before its id in classes and ids of HTML: `post-12`. */
const TAGS_BY_CLASS: ReadonlyMap<string, (id: string) => string> = new Map([
  ...[
    ...['post', 'postid', 'page-id', 'page-item', 'parent-pageid', 'product', 'attachment', 'attachmentid'],
    ...['caption-attachment', 'wp-image'],
  ].map((name) => [name, itemTags.post] as const),
  ...['category', 'tag', 'cat-item', 'tag-link', 'term'].map((name) => [name, itemTags.term] as const),
  ['author', itemTags.user],
  ...['comment', 'div-comment', 'li-comment'].map((name) => [name, itemTags.comment] as const),
]);
/** The same by the names of query parameters and attributes: `?p=12`, `data-product_id="12"`. */
const TAGS_BY_ASSIGNMENT: ReadonlyMap<string, (id: string) => string> = new Map([
  ...[
    ...[
      'p',
      'page_id',
      'attachment_id',
      'product_id',
      'add-to-cart',
      'data-id',
      'data-post-id',
      'data-postid',
    ],
    ...['data-product_id', 'data-product-id', 'data-attachment-id'],
  ].map((name) => [name, itemTags.post] as const),
  ['cat', itemTags.term],
  ['author', itemTags.user],
  ...['replytocom', 'data-commentid'].map((name) => [name, itemTags.comment] as const),
]);
/** The same by the kind of a collection of the REST API. */
const TAGS_BY_KIND: Partial<Record<ResourceKind, (id: string) => string>> = {
  posts: itemTags.post,
  media: itemTags.post,
  terms: itemTags.term,
  blocks: itemTags.post,
  other: itemTags.post,
  users: itemTags.user,
  comments: itemTags.comment,
};

/** Folders and scripts of WordPress itself, to which every page links. */
const OWN_FILE = /\/wp-(?:includes|admin|content(?!\/uploads\/))\//;
/** What follows the path of an item's comments, and of its feed. */
const FEED = /\/feed\/?(?:(?:rss2?|atom|rdf)\/?)?$/;

/** What continues a host or the name of a folder. */
const HOST_OR_NAME = /[\w.:%-]/;

/** How one base URL of a site is found in texts. */
interface SiteBase {
  /** Host, port and path without trailing slash, in lower case: `example.com/blog`; and with the slashes of JSON, `\/`. */
  readonly spellings: readonly string[];
  /** Path without trailing slash, as links to it have it. */
  readonly path: string;
}

/** Finds the tags of the addresses of a site. They are memoized: most pages of a site have the same links. */
export class SiteLinks {
  readonly #bases: readonly SiteBase[];
  /** Paths of the bases, for links that state no host. */
  readonly #paths: readonly string[];
  readonly #tagsOfPath: (path: string) => readonly string[];
  /** Returns the tags of a route of the REST API, as it is written in `rest_route`. */
  readonly tagsOfRoute: (route: string) => readonly string[];

  /** @param publicBases further base URLs of the site: those of the gateway, if it rewrites links in bodies */
  constructor(
    { aliases = [], base, prefix }: SiteAddress,
    publicBases: readonly string[],
    resources: Pick<ResourceMap, 'locateKnown'>,
  ) {
    const texts = [base, ...aliases, ...publicBases].map((url) =>
      url
        .replace(/^https?:\/\//, '')
        .replace(/\/$/, '')
        .toLowerCase(),
    );
    const pathOf = (text: string): string => (text.includes('/') ? text.slice(text.indexOf('/')) : '');
    // A link member of the site states the path of the front page or of an alias.
    const sitePaths = [...new Set(texts.slice(0, 1 + aliases.length).map(pathOf))];
    this.#bases = [...new Set(texts)].map((text) => ({
      spellings: [...new Set([text, text.replaceAll('/', '\\/')])],
      path: pathOf(text),
    }));
    this.#paths = [...new Set(this.#bases.map(({ path }) => path))];
    this.tagsOfRoute = memoizeByString((route) => {
      const found = resources.locateKnown(rawUrlDecode(route.replaceAll('\\/', '/')));
      if (found?.itemPath == null) return [];
      const id = found.itemPath.slice(found.collectionPath.length + 1);
      const tag = /^\d{1,19}$/.test(id) ? TAGS_BY_KIND[found.kind]?.(id) : undefined;
      return tag === undefined ? [] : [tag];
    });
    const routes = `/${prefix}/`;
    this.#tagsOfPath = memoizeByString((path) => {
      const below = path.startsWith('/index.php/') ? path.slice('/index.php'.length) : path;
      if (below.startsWith(routes)) return this.tagsOfRoute(below.slice(routes.length - 1));
      if (OWN_FILE.test(path)) return [];
      return sitePaths.flatMap((sitePath) => {
        const link = itemTags.link(sitePath + path);
        return FEED.test(path) ? [link, itemTags.comments(sitePath + path)] : [link];
      });
    });
  }

  /** Returns the offset after the base URL of the site whose host begins at `start`; -1 if there is none. */
  findBaseEnd(text: string, start: number): number {
    const first = text[start]?.toLowerCase();
    for (const { spellings } of this.#bases) {
      if (spellings[0]?.[0] !== first) continue;
      for (const spelling of spellings) {
        const end = start + spelling.length;
        if (text.slice(start, end).toLowerCase() === spelling && !HOST_OR_NAME.test(text[end] ?? ''))
          return end;
      }
    }
    return -1;
  }

  /** Returns the tags of a path below a base, or of a path at the host: `/2024/05/hello/`. */
  tagsOf(path: string, isBelowBase: boolean): readonly string[] {
    const plain = path.includes('\\') ? path.replaceAll('\\/', '/') : path;
    if (isBelowBase) return this.#tagsOfPath(plain || '/');
    const tags: string[] = [];
    for (const base of this.#paths) {
      if (plain.startsWith(base) && (plain[base.length] ?? '/') === '/') {
        tags.push(...this.#tagsOfPath(plain.slice(base.length) || '/'));
      }
    }
    return tags;
  }
}

const NONE: readonly string[] = [];

/** Characters at which the reader stops. It passes over all others. */
const MARKS = new Uint8Array(256);
const DELIMITER = 1;
const SLASH = 2;
const DASH = 3;
const EQUALS = 4;
const HASH = 5;
for (const character of ' \t\n\r"\'<>`') MARKS[character.charCodeAt(0)] = DELIMITER;
for (const [mark, character] of [
  [SLASH, '/'],
  [DASH, '-'],
  [EQUALS, '='],
  [HASH, '#'],
] as const) {
  MARKS[character.charCodeAt(0)] = mark;
}

/** Ends a path in a text of any kind. A backslash does, unless it escapes a slash. */
const PATH_END = new Uint8Array(256);
for (const character of ' \t\n\r"\'<>`?#&,;()[]{}|\\') PATH_END[character.charCodeAt(0)] = 1;

/**
 * Reads the tags of the items that a text shows and links to, in one pass: of HTML, feeds, sitemaps and JSON. It does not tell a link
 * from a text that looks like one, so a response may have more tags than links.
 *
 * @param text byte string; `null` if the content cannot be read
 * @param address path and query of the response at the site; `null` for one of a route
 */
export function readItemTags(
  text: string | null,
  address: string | null,
  links: SiteLinks,
): readonly string[] {
  const tags = new Set<string>();
  if (address !== null) {
    readInto(tags, `"${address}`, links);
    const query = address.indexOf('?');
    const path = query < 0 ? address : address.slice(0, query);
    tags.add(itemTags.link(path)).add(itemTags.comments(path));
    if (/[?&]s=/.test(address) || path.includes('/search/')) tags.add(itemTags.search);
  }
  const own = [...tags];
  if (text === null || text.length > MAX_TEXT || !readInto(tags, text, links))
    return [...own, itemTags.anyItem];
  return [...tags];
}

/** @returns whether the tags are complete */
function readInto(tags: Set<string>, text: string, links: SiteLinks): boolean {
  /** Tags of the path of the URL that the reader is in. */
  let linked = NONE;
  for (let at = 0; at < text.length; at++) {
    const mark = MARKS[text.charCodeAt(at)];
    if (mark === 0) continue;
    switch (mark) {
      case DELIMITER:
        linked = NONE;
        break;
      case SLASH: {
        const start = findPathStart(text, at, links);
        if (start < 0) break;
        const isBelowBase = start > at;
        const end = findPathEnd(text, start);
        at = end - 1;
        if (end - start > MAX_PATH) break;
        linked = links.tagsOf(text.slice(start, end), isBelowBase);
        for (const tag of linked) tags.add(tag);
        break;
      }
      case DASH:
        addId(tags, text, at, at + 1, TAGS_BY_CLASS);
        break;
      case EQUALS: {
        const value = text[at + 1] === '\\' ? at + 2 : at + 1;
        const isQuoted = text[value] === '"' || text[value] === "'";
        if (isQuoted || value === at + 1) {
          addId(tags, text, at, isQuoted ? value + 1 : value, TAGS_BY_ASSIGNMENT);
        }
        if (text.startsWith('rest_route', at - 'rest_route'.length)) {
          const end = findPathEnd(text, at + 1);
          const route = end - at <= MAX_PATH ? text.slice(at + 1, end) : '';
          for (const tag of links.tagsOfRoute(route)) tags.add(tag);
          at = end - 1;
        }
        break;
      }
      case HASH:
        if (!text.startsWith('comment', at + 1) && !text.startsWith('respond', at + 1)) break;
        if (text.startsWith('comment-', at + 1) && isDigit(text, at + '#comment-'.length)) {
          tags.add(itemTags.anyComments);
        }
        for (const tag of linked) if (tag.startsWith('L')) tags.add(itemTags.comments(tag.slice(1)));
        break;
    }
    if (tags.size > MAX_TAGS) return false;
  }
  return true;
}

/** Returns the offset of the path of an address of the site, of which `at` may be the first slash; -1 if there is none. */
function findPathStart(text: string, at: number, links: SiteLinks): number {
  const next = text[at + 1] === '\\' ? at + 2 : at + 1;
  if (text[next] === '/') return links.findBaseEnd(text, next + 1);
  const before = text[at - 1] === '\\' ? at - 2 : at - 1;
  const isValue = text[before] === '"' || text[before] === "'" || text[before] === '=';
  // The second slash of another host's URL has a slash before it.
  return isValue && text[at + 1] !== '>' ? at : -1;
}

function findPathEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && (PATH_END[text.charCodeAt(end)] !== 1 || text.startsWith('\\/', end))) end += 1;
  return end;
}

/** Adds the tag of the id at `start`, if the name before `nameEnd` says what it is the id of. */
function addId(
  tags: Set<string>,
  text: string,
  nameEnd: number,
  start: number,
  tagsByName: ReadonlyMap<string, (id: string) => string>,
): void {
  if (!isDigit(text, start)) return;
  let end = start + 1;
  while (end - start <= MAX_DIGITS && isDigit(text, end)) end += 1;
  let nameStart = nameEnd;
  while (nameEnd - nameStart <= MAX_NAME && isNameCharacter(text.charCodeAt(nameStart - 1))) nameStart -= 1;
  const toTag = end - start > MAX_DIGITS ? undefined : tagsByName.get(text.slice(nameStart, nameEnd));
  if (toTag !== undefined) tags.add(toTag(text.slice(start, end)));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Whether a code unit is one of a-z, `-` and `_`. */
function isNameCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x5f;
}
