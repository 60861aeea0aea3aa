import type { SiteAddress } from '../../discovery/site.ts';
import { splitNames } from '../../glob.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';
import { memoizeByString } from '../../memoize.ts';
import { rawUrlDecode } from '../../php/encoding.ts';
import { parseQueryParameters } from '../../php/query.ts';
import CONVENTIONS from '../wordpress/conventions.json' with { type: 'json' };
import { ITEM_TAG_BY_KIND, type ResourceLocation, type ResourceMap } from './resource-map.ts';
import { searchTags } from './searches.ts';
import { pathHierarchy, tagNames, toScalarList } from './tags.ts';

/** The tags of a response, by its address, its header and its body. */

/** A filter with more values than this is treated as no filter. */
const MAX_FILTER_VALUES = 20;

/** Parameters of lists of posts and media on which no field of an item that is only shown has an influence (`get_items()`). */
const LIST_PARAMETERS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.listParameters));
/** The same for values of `orderby`. */
const LIST_ORDERS: ReadonlySet<Json> = new Set(splitNames(CONVENTIONS.listOrders));

/**
 * Returns the tags of a response that depend on its route and query, and not on its body.
 *
 * @param defaultOrder default of `orderby` in the document
 */
export function routeTags(
  { collectionPath, itemPath, kind, path }: ResourceLocation,
  values: ReadonlyMap<string, Json>,
  defaultOrder: Json = 'date',
): readonly string[] {
  const tags = [...pathHierarchy(path), tagNames.exactRoute(path)];
  if (kind === 'search' || values.has('search') || values.has('s'))
    tags.push(...searchTags(values.get('search')));
  if (itemPath !== null) return tags;
  if (kind === 'comments') {
    const posts = toScalarList(values.get('post'));
    if (posts === null || posts.length > MAX_FILTER_VALUES)
      return [...tags, tagNames.commentsOfAnyPost(collectionPath)];
    return [...tags, ...posts.map((id) => tagNames.commentsOf(collectionPath, id))];
  }
  // Lists of terms and users are in the order of their names.
  const isOfPosts = kind === 'posts' || kind === 'media' || kind === 'blocks';
  const isSteady =
    isOfPosts &&
    LIST_ORDERS.has(values.get('orderby') ?? defaultOrder) &&
    Array.from(values.keys()).every((name) => LIST_PARAMETERS.has(name));
  return isSteady ? tags : [...tags, tagNames.listByAnyField(collectionPath)];
}

/**
 * Returns the tags of the items in the body of a response of the REST API.
 *
 * @param text byte string; `null` if the content cannot be read
 */
export function bodyTags(
  { collectionPath, isBelowItem, kind, path }: ResourceLocation,
  values: ReadonlyMap<string, Json>,
  text: string | null,
  links: SiteLinks,
): readonly string[] {
  const shown = readItemTags(text, { address: null, embeds: values.has('_embed') }, links);
  if (text === null) return shown;
  const mentions = kind === 'other' ? mentionTags(path, values, text) : [];
  // A site may remove the links from its responses, as `_fields` does.
  const hasItems = kind !== 'other' && ITEM_TAG_BY_KIND[kind] !== undefined && !isBelowItem && text !== '[]';
  const hidesItems =
    values.has('_fields') || (hasItems && !shown.some((tag) => tag.startsWith(`${collectionPath}/`)));
  return [...shown, ...mentions, ...(hidesItems ? [tagNames.anyItem] : [])];
}

/** The link of a page to the resource that it shows (`rest_output_link_header()`, since WordPress 5.5). */
const ALTERNATE_LINK = /<([^<>]+)>(?=[^,<]*;\s*rel="alternate")(?=[^,<]*;\s*type="application\/json")/i;

/** Returns the path of the item that a page says it shows; `null` if it says none. */
export function findShownItem({ headers }: ResponseHead, links: SiteLinks): string | null {
  const url = ALTERNATE_LINK.exec(fieldValue(headers, 'link') ?? '')?.[1];
  return url === undefined ? null : links.findItem(url);
}

/** Fields that name the tags of a response, with the separator of their names. */
export const TAG_FIELDS: ReadonlyMap<string, RegExp | string> = new Map<string, RegExp | string>([
  // Fastly, Varnish and Pantheon; Cloudflare; Varnish's xkey module; Akamai; LiteSpeed Cache (src/tag.cls.php); waygate.php.
  ['surrogate-key', /\s+/],
  ['cache-tag', ','],
  ['xkey', /[\s,]+/],
  ['edge-cache-tag', ','],
  ['x-litespeed-tag', ','],
  ['x-waygate-tags', /\s+/],
]);

const MAX_TAG_FIELD_LENGTH = 'x-litespeed-tag'.length;

/** Further names of one response are dropped: its header is faulty. */
const MAX_RESPONSE_NAMES = 1_000;

/** Lists the fields of a response that name its tags. */
export function* listTagFields({
  headers,
  siteFields = headers,
}: ResponseHead): Generator<{ readonly field: string; readonly names: readonly string[] }> {
  for (let at = 0; at + 1 < siteFields.length; at += 2) {
    const name = siteFields[at] ?? '';
    // Most names are not looked at: they have other lengths.
    const field = name.length > MAX_TAG_FIELD_LENGTH ? '' : name.toLowerCase();
    const separator = TAG_FIELDS.get(field);
    if (separator !== undefined) yield { field, names: splitTagNames(siteFields[at + 1] ?? '', separator) };
  }
}

/** Lists the tags of the names that a site states in a response. */
export function headerTags(head: ResponseHead): readonly string[] {
  return Array.from(listTagFields(head), ({ names }) => names)
    .flat()
    .slice(0, MAX_RESPONSE_NAMES)
    .map(tagNames.customName);
}

/** LiteSpeed Cache writes `public:` before the tags of a private page that are not private. */
export function splitTagNames(value: string, separator: RegExp | string): readonly string[] {
  return value
    .split(separator)
    .map((name) => name.trim().replace(/^public:/, ''))
    .filter((name) => name !== '');
}

/**
 * Tags of responses that mention an item by its id. What was learned about a route class says little about the few of its
 * responses that show the written item, so these are purged all the same.
 */

/** An id. Shorter numbers are too common, as counts and positions, to identify an item. */
const ID = /^\d{3,19}$/;
/** An id that an argument names, or the part of a path above the last. */
const NAMED_ID = /^\d{1,19}$/;
/** Arguments whose numbers identify nothing. */
const COUNTING_ARGUMENTS: ReadonlySet<string> = new Set(['page', 'per_page', 'offset']);
const IDS = /\d{3,19}/g;
/** Members such as `"id":123`, `"product_id":"123"` and `"ids":[123,456]`. */
const ID_MEMBER = /[iI][dD]s?"\s*:\s*(?:\[[\d\s,"]*\]|"?\d{3,19})/g;
/** Maximum ids per response, and characters of members with ids that are read. One with more has the tag of any id. */
const MAX_IDS = 300;
const MAX_ID_TEXT = 32 * 1024;

/** Tag of responses that mention more ids than are counted. Each write purges them. */
const ANY_MENTION_TAG: string = tagNames.mention('*');

/** Returns the tags of the ids in the route, the query and the body of a response. */
export function mentionTags(
  route: string,
  values: ReadonlyMap<string, Json>,
  text: string,
): ReadonlySet<string> {
  const segments = route.split('/');
  const ids = new Set(
    segments.filter((segment, at) => (at < segments.length - 1 ? NAMED_ID : ID).test(segment)),
  );
  for (const [name, value] of values) {
    if (COUNTING_ARGUMENTS.has(name)) continue;
    for (const id of toScalarList(value) ?? []) if (NAMED_ID.test(id)) ids.add(id);
  }
  let length = 0;
  for (const [member] of text.length > MAX_TEXT ? [] : text.matchAll(ID_MEMBER)) {
    length += member.length;
    if (length > MAX_ID_TEXT || ids.size > MAX_IDS) break;
    for (const id of member.match(IDS) ?? []) ids.add(id);
  }
  const hasUnread = text.length > MAX_TEXT || length > MAX_ID_TEXT || ids.size > MAX_IDS;
  return new Set(hasUnread ? [ANY_MENTION_TAG] : Array.from(ids, tagNames.mention));
}

/** Returns the tags that a write invalidates: those of the ids in its route, and of other ids that it may concern. */
export function mentionedBy(route: string, otherIds: Iterable<string>): readonly string[] {
  const ofRoute = route.split('/').filter((segment) => NAMED_ID.test(segment));
  const ids = [...ofRoute, ...[...otherIds].filter((id) => ID.test(id))];
  return [ANY_MENTION_TAG, ...ids.map(tagNames.mention)];
}

/** The items that a text shows and links to. */

/** Maximum tags of a response. One with more may show any item. */
const MAX_TAGS = 400;
/** Maximum characters of a text that is read. A longer one may show any item. */
export const MAX_TEXT: number = 1024 * 1024;
/** Maximum characters of a path and of a name. Longer ones are no address of an item, and no name of WordPress. */
const MAX_PATH = 1_000;
const MAX_NAME = 24;
const MAX_DIGITS = 19;

type TagsByName = ReadonlyMap<string, (id: string) => string>;

function readItemNames({
  comment,
  post,
  term,
  user,
}: Record<'post' | 'term' | 'user' | 'comment', string>): TagsByName {
  const rows = [
    [post, tagNames.post],
    [term, tagNames.term],
    [user, tagNames.user],
    [comment, tagNames.comment],
  ] as const;
  return new Map(rows.flatMap(([names, toTag]) => splitNames(names).map((name) => [name, toTag] as const)));
}

/** What an item is, by the names before its id in classes and ids of HTML: `post-12`. */
const TAGS_BY_CLASS = readItemNames({
  post: 'post postid page-id page-item parent-pageid product attachment attachmentid caption-attachment wp-image',
  term: 'category tag cat-item tag-link term',
  user: 'author',
  comment: 'comment div-comment li-comment',
});
/** The same by the names of query parameters and attributes: `?p=12`, `data-product_id="12"`. */
const TAGS_BY_ASSIGNMENT = readItemNames({
  post: `p page_id attachment_id product_id add-to-cart data-id data-post-id data-postid data-product_id data-product-id
    data-attachment-id`,
  term: 'cat',
  user: 'author',
  comment: 'replytocom data-commentid',
});
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
  /** Path below a base URL of the root of the REST API. */
  readonly #routes: string;
  /** Locates a route of the REST API, as it is written in `rest_route`. */
  readonly locate: (route: string) => ResourceLocation | null;

  /** @param publicBases further base URLs of the site: those of the gateway, if it rewrites links in bodies */
  constructor(
    { aliases = [], base, prefix, root }: SiteAddress,
    publicBases: readonly string[],
    resources: Pick<ResourceMap, 'locateKnown'>,
  ) {
    // The REST interface can be at another host than the pages.
    const ofRoutes = root.endsWith(`/${prefix}/`) ? [root.slice(0, -prefix.length - 1)] : [];
    const texts = [base, ...aliases, ...publicBases, ...ofRoutes].map((url) =>
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
    const locate = memoizeByString((route) => ({
      found: resources.locateKnown(rawUrlDecode(route.replaceAll('\\/', '/'))),
    }));
    this.locate = (route) => locate(route).found;
    this.#routes = `/${prefix}/`;
    this.#tagsOfPath = memoizeByString((path) => {
      const route = this.#routeBelowBase(path);
      if (route !== null) return this.tagsOfRoute(route);
      if (OWN_FILE.test(path)) return [];
      return sitePaths.flatMap((sitePath) => {
        const link = tagNames.link(sitePath + path);
        return FEED.test(path) ? [link, tagNames.comments(sitePath + path)] : [link];
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

  #routeBelowBase(path: string): string | null {
    const below = path.startsWith('/index.php/') ? path.slice('/index.php'.length) : path;
    return below.startsWith(this.#routes) ? below.slice(this.#routes.length - 1) : null;
  }

  /** Returns the tags of the item at a route. */
  tagsOfRoute(route: string): readonly string[] {
    const found = this.locate(route);
    if (found?.itemPath == null) return NONE;
    const { collectionPath, itemPath, kind } = found;
    const id = itemPath.slice(collectionPath.length + 1);
    const tag = /^\d{1,19}$/.test(id) ? ITEM_TAG_BY_KIND[kind]?.(id) : undefined;
    const tags = tag === undefined ? [] : [tag];
    return kind === 'other' ? [tagNames.reference(itemPath), ...tags] : tags;
  }

  /** Returns the route that a path below a base, or a path at the host, is the address of; `null` if it is none. */
  findRoute(path: string, isBelowBase: boolean): string | null {
    const plain = path.replaceAll('\\/', '/');
    const base = isBelowBase ? '' : this.#paths.find((each) => plain.startsWith(`${each}${this.#routes}`));
    return base === undefined ? null : this.#routeBelowBase(plain.slice(base.length));
  }

  /** Returns the path of the item of the REST API at a URL; `null` if there is none. */
  findItem(url: string): string | null {
    const host = url.indexOf('//') + 2;
    const start = host < 2 ? -1 : this.findBaseEnd(url, host);
    if (start < 0) return null;
    const [path = '', query = ''] = url.slice(start).split('?');
    const route = this.findRoute(path, true) ?? /(?:^|&)rest_route=([^&]*)/.exec(query)?.[1];
    return (route === undefined ? null : this.locate(route))?.itemPath ?? null;
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

interface ReadResponse {
  /** Path and query at the site; `null` for a route. */
  readonly address: string | null;
  /** Whether it contains linked resources (`_embed`). @default false */
  readonly embeds?: boolean;
}

/**
 * Reads the tags of the items that a text shows and links to, in one pass: of HTML, feeds, sitemaps and JSON. It does not tell a link
 * from a text that looks like one, so a response may have more tags than links.
 *
 * @param text byte string; `null` if the content cannot be read
 */
export function readItemTags(
  text: string | null,
  response: ReadResponse,
  links: SiteLinks,
): readonly string[] {
  const tags = new Set<string>();
  const { address } = response;
  let ownLink: string | undefined;
  if (address !== null) {
    readInto(tags, `"${address}`, response, links);
    const query = address.indexOf('?');
    const path = query < 0 ? address : address.slice(0, query);
    ownLink = tagNames.link(path);
    tags.add(ownLink).add(tagNames.comments(path));
    // In the order of titles any edit may enter a list.
    if (/[?&](?:s|orderby)=/.test(address) || path.includes('/search/')) {
      const parameters = parseQueryParameters(address.slice(path.length + 1));
      // A value that contains a term is not found by `exact`: it must equal the term.
      const terms = parameters?.has('exact') === true ? undefined : parameters?.get('s');
      for (const tag of searchTags(terms)) tags.add(tag);
    }
    if (FEED.test(path) || /[?&]feed=/.test(address)) tags.add(tagNames.feed);
  }
  const own = [...tags];
  if (text === null || text.length > MAX_TEXT || !readInto(tags, text, response, links, ownLink))
    return [...own, tagNames.anyItem];
  return [...tags];
}

/** Members of JSON before a URL: the item itself, in the form of WordPress, and the address of an item or a comment. */
const SELF_MEMBER = '"self":[{"href":';
const LINK_MEMBER = '"link":';
/** Characters from the quote before a URL to the last slash before its host: `"https:\\/\\/`. */
const MAX_SCHEME = 11;

/**
 * @param ownLink tag of the address of the page, whose own comments say nothing of others
 * @returns whether the tags are complete
 */
function readInto(
  tags: Set<string>,
  text: string,
  { address, embeds = false }: ReadResponse,
  links: SiteLinks,
  ownLink?: string,
): boolean {
  /** Tags of the path of the last URL, the offset up to which that URL goes on, and the member of JSON that it is the value of. */
  let linked = NONE;
  let linkedEnd = 0;
  let member: string | null = null;
  const addRoute = (route: string, end: number): void => {
    const found = links.locate(route);
    if (member === SELF_MEMBER && found?.itemPath != null) tags.add(found.path);
    if (!embeds || found?.kind !== 'comments' || !text.startsWith('post=', end + 1)) return;
    const post = /^\d{1,19}/.exec(text.slice(end + 6, end + 26))?.[0];
    if (post !== undefined) tags.add(tagNames.commentsOf(found.collectionPath, post));
  };
  MARK.lastIndex = 0;
  while (MARK.test(text)) {
    const end = MARK.lastIndex;
    switch (text[end - 1]) {
      case '/': {
        const start = findPathStart(text, end - 1, links);
        if (start < 0) break;
        linkedEnd = findPathEnd(text, start);
        MARK.lastIndex = linkedEnd;
        const path = linkedEnd - start > MAX_PATH ? '' : text.slice(start, linkedEnd);
        linked = path === '' && linkedEnd > start ? NONE : links.tagsOf(path, start >= end);
        for (const tag of linked) tags.add(tag);
        member = address === null ? findMember(text, end) : null;
        if (member !== SELF_MEMBER && !embeds) break;
        const route = links.findRoute(path, start >= end);
        if (route !== null) addRoute(route, linkedEnd);
        break;
      }
      case '=': {
        const routeEnd = findPathEnd(text, end);
        MARK.lastIndex = routeEnd;
        const route = routeEnd - end > MAX_PATH ? '' : text.slice(end, routeEnd);
        for (const tag of links.tagsOfRoute(route)) tags.add(tag);
        // The query of the last URL.
        if (end - linkedEnd === '?rest_route='.length) addRoute(route, routeEnd);
        break;
      }
      case 'c':
      case 'r':
        if (!text.startsWith('comment', end - 1) && !text.startsWith('respond', end - 1)) break;
        while (linkedEnd < end && URL_END[text.charCodeAt(linkedEnd)] === 0) linkedEnd += 1;
        if (linkedEnd < end) linked = NONE;
        if (text.startsWith('comment-', end - 1) && isDigit(text, end - 1 + 'comment-'.length)) {
          // A fragment without a path is one of the page itself. The address of a comment in JSON is that of a comment in the response.
          const isOwn = ownLink !== undefined && (linked.length === 0 || linked.includes(ownLink));
          if (!isOwn && (member !== LINK_MEMBER || linked.length === 0)) tags.add(tagNames.anyComments);
        }
        for (const tag of linked) if (tag.startsWith('L')) tags.add(tagNames.comments(tag.slice(1)));
        break;
      default:
        if (text[end - 2] === '-') addId(tags, text, end - 2, end - 1, TAGS_BY_CLASS);
        else addId(tags, text, findSign(text, end - 2), end - 1, TAGS_BY_ASSIGNMENT);
    }
    if (tags.size > MAX_TAGS) return false;
  }
  return true;
}

/** Returns the member of JSON whose value is the URL with the slash before `end`; `null` if it is none of those that are looked for. */
function findMember(text: string, end: number): string | null {
  const start = Math.max(0, end - MAX_SCHEME);
  const quote = start + text.slice(start, end).lastIndexOf('"');
  if (quote < start) return null;
  return [SELF_MEMBER, LINK_MEMBER].find((name) => text.startsWith(name, quote - name.length)) ?? null;
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
  tagsByName: TagsByName,
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
