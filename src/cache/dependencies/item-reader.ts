import type { SiteAddress } from '../../discovery/site.ts';
import { memoizeByString } from '../../memoize.ts';
import { rawUrlDecode } from '../../php/encoding.ts';
import type { ResourceMap } from '../wordpress/resource-map.ts';
import { ITEM_TAG_BY_KIND, itemTags } from './item-tags.ts';

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
      const tag = /^\d{1,19}$/.test(id) ? ITEM_TAG_BY_KIND[found.kind]?.(id) : undefined;
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

/**
 * Where an id, an address or a fragment may begin: `-1`, `="1`, `"/`, `//`, `#comment`. It looks at three characters at most, so it is
 * linear, and takes half the time of a loop over the characters.
 */
const MARK = /[-=](?:\\?["'])?\d|["'=/\\]\/|#[cr]|rest_route=/g;

/** Ends a URL in a text of any kind. */
const URL_END = new Uint8Array(256);
for (const character of ' \t\n\r"\'<>`') URL_END[character.charCodeAt(0)] = 1;

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
  const ownLink = address === null ? undefined : own.find((tag) => tag.startsWith('L'));
  if (text === null || text.length > MAX_TEXT || !readInto(tags, text, links, ownLink))
    return [...own, itemTags.anyItem];
  return [...tags];
}

/**
 * @param ownLink tag of the address of the page, whose own comments say nothing of others
 * @returns whether the tags are complete
 */
function readInto(tags: Set<string>, text: string, links: SiteLinks, ownLink?: string): boolean {
  /** Tags of the path of the last URL, and the offset up to which that URL goes on. */
  let linked = NONE;
  let linkedEnd = 0;
  MARK.lastIndex = 0;
  while (MARK.test(text)) {
    const end = MARK.lastIndex;
    switch (text[end - 1]) {
      case '/': {
        const start = findPathStart(text, end - 1, links);
        if (start < 0) break;
        linkedEnd = findPathEnd(text, start);
        MARK.lastIndex = linkedEnd;
        linked =
          linkedEnd - start > MAX_PATH ? NONE : links.tagsOf(text.slice(start, linkedEnd), start >= end);
        for (const tag of linked) tags.add(tag);
        break;
      }
      case '=': {
        const routeEnd = findPathEnd(text, end);
        MARK.lastIndex = routeEnd;
        const route = routeEnd - end > MAX_PATH ? '' : text.slice(end, routeEnd);
        for (const tag of links.tagsOfRoute(route)) tags.add(tag);
        break;
      }
      case 'c':
      case 'r':
        if (!text.startsWith('comment', end - 1) && !text.startsWith('respond', end - 1)) break;
        while (linkedEnd < end && URL_END[text.charCodeAt(linkedEnd)] === 0) linkedEnd += 1;
        if (linkedEnd < end) linked = NONE;
        if (text.startsWith('comment-', end - 1) && isDigit(text, end - 1 + 'comment-'.length)) {
          // A fragment without a path is one of the page itself.
          const isOwn = ownLink !== undefined && (linked.length === 0 || linked.includes(ownLink));
          if (!isOwn) tags.add(itemTags.anyComments);
        }
        for (const tag of linked) if (tag.startsWith('L')) tags.add(itemTags.comments(tag.slice(1)));
        break;
      default:
        if (text[end - 2] === '-') addId(tags, text, end - 2, end - 1, TAGS_BY_CLASS);
        else addId(tags, text, findSign(text, end - 2), end - 1, TAGS_BY_ASSIGNMENT);
    }
    if (tags.size > MAX_TAGS) return false;
  }
  return true;
}

/** Returns the offset of the path of an address of the site that `slash` may belong to; -1 if there is none. */
function findPathStart(text: string, slash: number, links: SiteLinks): number {
  if (text[slash - 1] === '/') return links.findBaseEnd(text, slash + 1);
  const next = text[slash + 1] === '\\' ? slash + 2 : slash + 1;
  if (text[next] === '/') return links.findBaseEnd(text, next + 1);
  const before = text[slash - 1] === '\\' ? slash - 2 : slash - 1;
  const isValue = text[before] === '"' || text[before] === "'" || text[before] === '=';
  return isValue && text[slash + 1] !== '>' ? slash : -1;
}

function findPathEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && (PATH_END[text.charCodeAt(end)] !== 1 || text.startsWith('\\/', end))) end += 1;
  return end;
}

/** Returns the offset of the `=` before a value: it may be followed by a quote, which JSON escapes. */
function findSign(text: string, before: number): number {
  const quote = text[before] === '=' ? before : before - 1;
  return text[quote] === '\\' ? quote - 1 : quote;
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
