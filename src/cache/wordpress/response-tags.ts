import type { SiteAddress } from '../../discovery/site.ts';
import { splitNames } from '../../glob.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Json } from '../../json.ts';
import { memoizeByString } from '../../memoize.ts';
import { rawUrlDecode } from '../../php/encoding.ts';
import { parsePhpQuery } from '../../php/query.ts';
import { itemTags } from '../dependencies/item-tags.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };
import {
  DYNAMIC_CONTENT_TAG,
  hasOwnRoutes,
  isCoreResource,
  LIST_DEPENDENCIES,
  listTags,
  OPAQUE_REFERENCES_TAG,
  OPAQUE_TAG,
  pathHierarchy,
  type ResourceLocation,
  type ResourceMap,
  tagNames,
  toScalarList,
  toTagPath,
} from './resource-map.ts';

/** Properties of a request on which the tags of the response's body depend. */
export interface BodyTagContext {
  readonly location: ResourceLocation;
  /** Whether the request asks for linked resources in the response (`_embed`). */
  readonly embeds: boolean;
  /** Whether the request selects fields (`_fields`), so that links and ids may be missing. */
  readonly hasFieldFilter: boolean;
}

/**
 * Limit of tags per response. Beyond it, an item gets a tag of its whole collection, and a reference gets the tag of all
 * references.
 */
const MAX_ITEM_TAGS = 400;

/**
 * Creates a function that derives the tags of a response from its body: the items that it contains, by their `self`
 * links, and the items that it references, by its embeddable links and term ids.
 */
export function createBodyTagger(
  resources: ResourceMap,
  links: LinkParser,
): (text: string, scope: BodyTagContext) => ReadonlySet<string> {
  const termCollections = new Map(
    resources.collectionsOfKind('terms').map((path) => [path.slice(path.lastIndexOf('/') + 1), path]),
  );
  const forEachTerm = createTermFinder(termCollections);
  const mediaCollections = resources.collectionsOfKind('media');

  return (text, { location, embeds, hasFieldFilter }) => {
    const tags = new Set<string>();
    // URLs repeat: each post of a list links to its author.
    const seen = new Set<string>();

    const addItem = (item: string, { collectionPath, kind }: ResourceLocation): void => {
      tags.add(tags.size > MAX_ITEM_TAGS ? tagNames.anyFieldDependency(collectionPath) : item);
      hasOwnItem ||= collectionPath === location.collectionPath;
      if (kind === location.kind && hasOwnRoutes(location)) tags.add(tagNames.ownRoutes(item));
    };
    const addReference = (item: string): void => {
      tags.add(tags.size > MAX_ITEM_TAGS ? OPAQUE_REFERENCES_TAG : tagNames.reference(item));
      // A change of an item can change the links of all items below it.
      tags.add(tagNames.reference(item.slice(0, item.lastIndexOf('/'))));
    };
    let hasOwnItem = false;
    const addLinks = (first: number): void => {
      forEachSelfLink(text, first, (start, end) => {
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateKnown(link.route);
        if (found?.itemPath != null) addItem(found.path, found);
      });
      forEachEmbeddableLink(text, first, (start, end) => {
        const raw = text.slice(start, end);
        // Most URLs with a query are lists, which only matter when they are embedded.
        if ((!embeds && hasQuery(raw)) || seen.has(raw)) return;
        seen.add(raw);
        const link = links.parse(text, start, end);
        const found = link === null ? null : resources.locateKnown(link.route);
        if (link === null || found === null) return;
        if (found.itemPath !== null) {
          addReference(found.path);
          if (embeds) addItem(found.path, found);
        } else if (embeds) {
          for (const tag of embeddedListTags(found, link.query, resources)) tags.add(tag);
        }
      });
    };

    const first = text.indexOf(LINKS);
    if (first >= 0) addLinks(first);
    if (location.kind === 'posts') {
      forEachTerm(text, (term) => {
        addReference(term);
        tags.add(itemTags.term(term.slice(term.lastIndexOf('/') + 1)));
      });
    }
    if (location.kind === 'media') {
      forEachNumberAfter(text, '"post":', (id) => {
        tags.add(tagNames.reference(`#${id}`)).add(itemTags.post(id));
      });
    }
    // The markup of an oEmbed response contains the title of its post only.
    if (!location.path.startsWith(OEMBED_TAG) && hasRenderedContent(text)) tags.add(DYNAMIC_CONTENT_TAG);
    for (const media of mediaCollections) {
      forEachNumberAfter(text, 'wp-image-', (id) => addReference(`${media}/${id}`));
    }
    // A site may remove the links from its responses, as `_fields` does.
    const hasItems = !location.isBelowItem && LIST_DEPENDENCIES[location.kind] !== undefined;
    if (hasFieldFilter || (hasItems && !hasOwnItem && text !== '[]')) {
      tags.add(OPAQUE_REFERENCES_TAG).add(itemTags.anyItem);
      if (hasOwnRoutes(location)) tags.add(tagNames.ownRoutes(location.collectionPath));
      if (embeds) tags.add(OPAQUE_TAG);
      else if (location.itemPath === null) tags.add(tagNames.anyFieldDependency(location.collectionPath));
    }
    return tags;
  };
}

/** Whether the last segment of a URL has a query: `comments?post=12`. Plain permalinks use `&` for it. */
function hasQuery(url: string): boolean {
  const segment = url.lastIndexOf('/');
  return url.indexOf('?', segment) >= 0 || url.indexOf('&', segment) >= 0;
}

/** Returns the tags of an embedded list, such as the `replies` of a post: comments, filtered by the post. */
function embeddedListTags(
  location: ResourceLocation,
  query: string,
  resources: ResourceMap,
): readonly string[] {
  const values = new Map<string, Json>();
  for (const [name, value] of parsePhpQuery(query)) if (typeof value === 'string') values.set(name, value);
  return listTags(location, { values }, resources);
}

/**
 * Searches in the JSON text of a REST response, which is not parsed because that would cost more than everything else that
 * the gateway does with a response. The text of a JSON string cannot be mistaken for a link, because its quotes are escaped.
 */

/** Letters from the rarest in English text to the most common: a search is faster the rarer its first letter is. */
const LETTERS_BY_RARITY = 'zqxjkvbpygwfmucldrhsnioate';
/** Minimum length of the part of a search text that is looked for first. */
const MIN_TAIL_LENGTH = 6;

/** Receives the start and end offsets of a URL in the text. */
type LinkVisitor = (start: number, end: number) => void;

const LINKS = '_links":{';
const SELF = '"self":[{';
const HREF = 'href":"';
const EMBEDDABLE = 'embeddable":true';
const findEmbeddable = createTextFinder(EMBEDDABLE);

/** Visits the `self` link of each item, beginning with the `_links` object at `first`. */
function forEachSelfLink(text: string, first: number, visit: LinkVisitor): void {
  for (let at = first; at >= 0; ) {
    const start = at + LINKS.length;
    const next = text.indexOf(LINKS, start);
    const self = text.startsWith(SELF, start) ? start : text.indexOf(SELF, start);
    if (self >= 0 && (next < 0 || self < next)) visitHref(text, self + SELF.length, visit);
    at = next;
  }
}

/** Visits each link that WordPress can embed (`_embed`). */
function forEachEmbeddableLink(text: string, from: number, visit: LinkVisitor): void {
  for (let at = findEmbeddable(text, from); at >= 0; at = findEmbeddable(text, at + 1)) {
    visitHref(text, at + EMBEDDABLE.length, visit);
  }
}

function visitHref(text: string, from: number, visit: LinkVisitor): void {
  const href = text.indexOf(HREF, from);
  if (href < 0) return;
  const start = href + HREF.length;
  const end = text.indexOf('"', start);
  if (end >= 0) visit(start, end);
}

/**
 * Creates a function that finds the term ids of posts in a text, and calls `visit` with the path of each term.
 *
 * @param collections paths of the term collections by the post field that holds their ids
 */
function createTermFinder(
  collections: ReadonlyMap<string, string>,
): (text: string, visit: (path: string) => void) => void {
  const finders = [...collections.keys()].map((field) => createTextFinder(`${field}":[`));
  return (text, visit) => {
    const list = /"([^"\\]+)":\[([\d,]*)\],?/y;
    for (const find of finders) {
      let isFound = false;
      for (let at = find(text, 0); at >= 0; at = find(text, Math.max(at + 1, list.lastIndex))) {
        // The finder searches for the name without its first quote.
        list.lastIndex = at - 1;
        for (let match = list.exec(text); match !== null; match = list.exec(text)) {
          isFound = true;
          const path = collections.get(match[1] ?? '');
          if (path === undefined) continue;
          for (const id of (match[2] ?? '').split(',')) if (id !== '') visit(`${path}/${id}`);
        }
      }
      // The fields of all taxonomies are adjacent, so the first that is found leads to the others.
      if (isFound) return;
    }
  };
}

/** Visits the digits that follow each occurrence of `prefix`. */
function forEachNumberAfter(text: string, prefix: string, visit: (digits: string) => void): void {
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + prefix.length)) {
    const digits = /^\d+/.exec(text.slice(at + prefix.length, at + prefix.length + 20))?.[0];
    if (digits !== undefined) visit(digits);
  }
}

/** Classes in the content of posts that WordPress does not render from other resources: those of static blocks and styles. */
const STATIC_CLASS = new RegExp(
  `^(?:${[
    'wp-block-(?:audio|buttons?|button__link|code|columns?|details|group|group__inner-container|heading|image|list|preformatted|pullquote|quote|separator|spacer|table|verse|video)',
    '(?:align|are|attachment|has|is|size|wp-element|wp-elements|wp-container|wp-image)-?[\\w-]*',
    'wp-caption(?:-text)?',
    'more-link',
  ].join('|')})$`,
);
/** Elements that neither editors nor static blocks put into content. */
const RENDERED_ELEMENTS: readonly string[] = splitNames('<form <iframe <script <style <svg <input <select');
const CLASS_ATTRIBUTE = 'class=';
/** The value of the attribute in a JSON text, which escapes `"`. */
const CLASS_LIST = /^(?:\\"([^"'\\]*)\\"|'([^"'\\]*)')/;
const MAX_CLASS_LIST = 300;
const UNKNOWN_CLASS = '?';

/**
 * Whether HTML in a response may have been rendered from other resources: by a dynamic block, a shortcode or a plugin. All
 * markup that is not known to be static counts.
 */
function hasRenderedContent(text: string): boolean {
  for (let at = text.indexOf(CLASS_ATTRIBUTE); at >= 0; at = text.indexOf(CLASS_ATTRIBUTE, at + 1)) {
    const start = at + CLASS_ATTRIBUTE.length;
    const [, escaped, quoted] = CLASS_LIST.exec(text.slice(start, start + MAX_CLASS_LIST)) ?? [];
    if (classifyClassList(escaped ?? quoted ?? UNKNOWN_CLASS) === 'rendered') return true;
  }
  return RENDERED_ELEMENTS.some((element) => text.includes(element));
}

const classifyClassList = memoizeByString((value): 'static' | 'rendered' =>
  value.split(/\s+/).every((name) => name === '' || STATIC_CLASS.test(name)) ? 'static' : 'rendered',
);

/** Creates a function like `indexOf` for long texts. It looks for the part of `needle` that begins with its rarest letter. */
function createTextFinder(needle: string): (text: string, from: number) => number {
  let offset = 0;
  for (const [at, letter] of [...needle].entries()) {
    if (needle.length - at < MIN_TAIL_LENGTH) break;
    if (rarityRank(letter) < rarityRank(needle[offset] ?? '')) offset = at;
  }
  const tail = needle.slice(offset);
  return (text, from) => {
    for (let at = text.indexOf(tail, from + offset); at >= 0; at = text.indexOf(tail, at + 1)) {
      if (text.startsWith(needle, at - offset)) return at - offset;
    }
    return -1;
  };
}

function rarityRank(letter: string): number {
  const rank = LETTERS_BY_RARITY.indexOf(letter);
  return rank < 0 ? LETTERS_BY_RARITY.length : rank;
}

/** A link to a resource of the REST API, found in a response. */
interface RestLink {
  /** Path below the root of the API: `/wp/v2/posts/12`. */
  readonly route: string;
  /** The query without question mark; empty if there is none. */
  readonly query: string;
}

/** Parses the URLs of a site's REST API in the text of its responses. */
export class LinkParser {
  readonly #prefixes: readonly { readonly text: string; readonly isPlain: boolean }[];
  /** All links of a site have the same prefix, so the last match is tried first. */
  #lastMatch: { readonly text: string; readonly isPlain: boolean } | undefined;

  /** @param publicBases further base URLs of the site: those of the gateway, if it rewrites links in bodies */
  constructor(address: SiteAddress, publicBases: readonly string[] = []) {
    const bases = [address.base, ...(address.aliases ?? []), ...publicBases].map((url) =>
      url.endsWith('/') ? url : `${url}/`,
    );
    const paths = [
      `${address.prefix}/`,
      `index.php/${address.prefix}/`,
      'index.php?rest_route=/',
      '?rest_route=/',
      'index.php?rest_route=%2F',
      '?rest_route=%2F',
    ];
    const restRoots = new Set([
      address.root.replace(/\/?$/, '/'),
      ...bases.flatMap((base) => paths.map((path) => `${base}${path}`)),
    ]);
    // Links may have either scheme. WordPress escapes slashes in JSON, unless a plugin changes that.
    this.#prefixes = [...restRoots].flatMap((url) => {
      const other = url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`;
      return [url, other].flatMap((each) => [
        { text: each.replaceAll('/', '\\/'), isPlain: each.includes('?') },
        { text: each, isPlain: each.includes('?') },
      ]);
    });
  }

  /**
   * Parses the URL between `start` and `end` of a JSON text.
   *
   * @returns `null` for a URL outside of the REST API
   */
  parse(text: string, start: number, end: number): RestLink | null {
    if (this.#lastMatch === undefined || !text.startsWith(this.#lastMatch.text, start)) {
      const found = this.#prefixes.find((prefix) => text.startsWith(prefix.text, start));
      if (found === undefined) return null;
      this.#lastMatch = found;
    }
    const { isPlain, text: prefix } = this.#lastMatch;
    const rest = text.slice(start + prefix.length, end).replaceAll('\\/', '/');
    const queryStart = rest.indexOf(isPlain ? '&' : '?');
    const path = queryStart < 0 ? rest : rest.slice(0, queryStart);
    return {
      route: `/${isPlain ? rawUrlDecode(path) : path}`,
      query: queryStart < 0 ? '' : rest.slice(queryStart + 1),
    };
  }
}

/** The link of a page to the resource that it shows (`rest_output_link_header()`, since WordPress 5.5). */
const ALTERNATE_LINK = /<([^<>]+)>(?=[^,<]*;\s*rel="alternate")(?=[^,<]*;\s*type="application\/json")/i;

/** Returns the tags of the resource that a page shows, and of the comments below a post. */
export function alternateTags(
  { headers }: ResponseHead,
  links: LinkParser,
  resources: ResourceMap,
): readonly string[] {
  const field = fieldValue(headers, 'link');
  const url = field === undefined ? undefined : ALTERNATE_LINK.exec(field)?.[1];
  const link = url === undefined ? null : links.parse(url, 0, url.length);
  const found = link === null ? null : resources.locateKnown(link.route);
  if (found?.itemPath == null) return [];
  const id = found.itemPath.slice(found.collectionPath.length + 1);
  return [
    found.itemPath,
    tagNames.reference(`#${id}`),
    ...resources
      .collectionsOfKind('comments')
      .flatMap((comments) => [
        tagNames.listFilteredBy(comments, 'post'),
        tagNames.listFilteredTo(comments, 'post', id),
      ]),
  ];
}

/** Header fields in which a site names the surrogate keys of a response, with the separator of their values. */
const SURROGATE_KEY_FIELDS: ReadonlyMap<string, RegExp> = new Map([
  // Fastly, Varnish and Pantheon; Cloudflare and Akamai; Varnish's xkey module.
  ['surrogate-key', /\s+/],
  ['cache-tag', /\s*,\s*/],
  ['xkey', /[\s,]+/],
]);
const MAX_FIELD_NAME_LENGTH = 'surrogate-key'.length;

/** Further names are dropped: a response with so many has a faulty header. */
const MAX_NAMES = 1_000;

/** The tags of a response that the site states in its header. */
export function headerTags({ headers }: ResponseHead): readonly string[] {
  const tags: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const separator =
      name.length <= MAX_FIELD_NAME_LENGTH ? SURROGATE_KEY_FIELDS.get(name.toLowerCase()) : undefined;
    if (separator === undefined) continue;
    for (const tag of (headers[at + 1] ?? '').split(separator)) {
      if (tag !== '' && tags.length < MAX_NAMES) tags.push(tagNames.customName(tag));
    }
  }
  return tags;
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
const ID_MEMBER = /[iI][dD]s?"\s*:\s*(\[[\d\s,"]*\]|"?\d{3,19})/g;
/** Maximum ids per response. One with more has the tag of any id. */
const MAX_IDS = 300;

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
  let isComplete = ids.size <= MAX_IDS;
  if (isComplete)
    forEachMatch(ID_MEMBER, text, ([, found = '']) => {
      forEachMatch(IDS, found, ([id]) => ids.add(id));
      isComplete = ids.size <= MAX_IDS;
      return isComplete;
    });
  return isComplete ? new Set(Array.from(ids, tagNames.mention)) : new Set([ANY_MENTION_TAG]);
}

/** `matchAll` would compile the expression anew for each text. @param visit ends the search with `false` */
function forEachMatch(expression: RegExp, text: string, visit: (match: RegExpExecArray) => unknown): void {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    if (visit(match) === false) return;
  }
}

/** Returns the tags that a write invalidates: those of the ids in its route, and of other ids that it may concern. */
export function mentionedBy(route: string, otherIds: Iterable<string>): readonly string[] {
  const ofRoute = route.split('/').filter((segment) => NAMED_ID.test(segment));
  const ids = [...ofRoute, ...[...otherIds].filter((id) => ID.test(id))];
  return [ANY_MENTION_TAG, ...ids.map(tagNames.mention)];
}

/** Tag of all oEmbed responses. `/oembed/1.0/embed?url=…` names its post by URL, not by id. */
export const OEMBED_TAG = '/oembed/1.0';
export const EMBED_ROUTE: string = `${OEMBED_TAG}/embed`;

/** Returns the tags of an oEmbed response. They include all parent paths, because `/post-2/2/` is a page of `/post-2/`. */
export function oembedResponseTags(path: string, values: ReadonlyMap<string, Json>): readonly string[] {
  if (path !== EMBED_ROUTE) return [];
  const post = postPath(values.get('url'));
  if (post === null) return [tagNames.unfilteredList(EMBED_ROUTE)];
  return pathHierarchy(post).map((each) => tagNames.listFilteredTo(EMBED_ROUTE, 'url', each));
}

/** Returns the path of a post's URL; `null` if a query identifies the post. */
export function postPath(url: Json | undefined): string | null {
  if (typeof url !== 'string') return null;
  const [, path] = /^(?:https?:)?\/\/[^/?#]*([^?#]*)(?:#.*)?$/i.exec(url) ?? [];
  if (path === undefined) return null;
  return toTagPath(path).replace(/\/+$/, '') || '/';
}

/**
 * Decides whether a response of WordPress's own routes contains only what WordPress itself puts there. A plugin adds
 * fields (`register_rest_field`, registered meta) whose dependencies are unknown.
 */

/**
 * Names of the members of an item in WordPress 6 and 7 (`get_item_schema` of the controllers), by kind; and of responses that are
 * no collections, by route. The dependencies of these are known all the same: registered types change with plugins and themes,
 * whose writes purge everything; embeds have tags of their own (`oembedResponseTags`). The index routes list defaults of plugins'
 * parameters, which may depend on anything.
 */
const FIELDS = CONVENTIONS.fields;
/** Kinds whose items have the members of posts. */
const LIKE_POSTS: ReadonlySet<string> = new Set(splitNames(FIELDS.likePosts));
const COMMON_FIELDS = splitNames(`${FIELDS.common} ${FIELDS.error}`);
const POST_FIELDS = splitNames(FIELDS.post);

/** Names of the meta fields that WordPress itself registers. */
const META_FIELDS: ReadonlySet<string> = new Set(
  splitNames('footnotes persisted_preferences wp_pattern_sync_status'),
);

/** Tells whether the body of a response of WordPress's own routes contains only fields whose dependencies are known. */
type CoreFieldCheck = (
  text: string,
  location: Pick<ResourceLocation, 'collectionPath' | 'kind' | 'namespace' | 'path'>,
) => boolean;

/** Creates the check for one site. A post has a member for each taxonomy of the site. */
export function createCoreFieldCheck({
  hasPlugins,
  taxonomies,
}: Pick<ResourceMap, 'hasPlugins' | 'taxonomies'>): CoreFieldCheck {
  const fieldsByKind = new Map(
    Object.entries(FIELDS.byKind).map(([kind, fields]) => {
      // A post has a member for each taxonomy of the site.
      const ofPost = LIKE_POSTS.has(kind) ? [...POST_FIELDS, ...taxonomies] : [];
      return [kind, new Set([...COMMON_FIELDS, ...splitNames(fields), ...ofPost])];
    }),
  );
  const routes = { ...FIELDS.otherRoutes, ...(hasPlugins ? {} : FIELDS.indexRoutes) };
  const otherRoutes = Object.entries(routes).map(
    ([route, fields]) => [new RegExp(route), new Set(splitNames(`${fields} ${FIELDS.error}`))] as const,
  );
  const allFields = new Set([...fieldsByKind.values()].flatMap((fields) => [...fields]));

  /** Whether the item that begins at `start` has no other members. */
  const isCoreItem = (text: string, start: number, fields: ReadonlySet<string>): boolean =>
    forEachMember(text, start, (name, value) => {
      if (!fields.has(name)) return false;
      if (name === 'meta') return isCoreMeta(text, value);
      return name !== '_embedded' || areCoreEmbeds(text, value);
    }) >= 0;

  const areCoreEmbeds = (text: string, start: number): boolean =>
    forEachMember(text, start, (_, list) =>
      forEachElement(text, list, (element) =>
        text[element] === '['
          ? forEachElement(text, element, (item) => isCoreItem(text, item, allFields))
          : isCoreItem(text, element, allFields),
      ),
    ) >= 0;

  /** Whether a registered type, or each member of an object of them, has no other members. */
  const isOtherRoute = (text: string, start: number, fields: ReadonlySet<string>): boolean =>
    isCoreItem(text, start, fields) ||
    forEachMember(text, start, (_, value) => isCoreItem(text, value, fields)) >= 0;

  return (text, location) => {
    const { kind, path } = location;
    const start = skipWhitespace(text, 0);
    if (kind === 'other') {
      const fields = otherRoutes.find(([route]) => route.test(path))?.[1];
      return fields !== undefined && isOtherRoute(text, start, fields);
    }
    const fields = isCoreResource(location) ? fieldsByKind.get(kind) : undefined;
    if (fields === undefined) return false;
    if (text[start] !== '[') return isCoreItem(text, start, fields);
    const first = skipWhitespace(text, start + 1);
    // All items of a list have the same fields.
    return text[first] === ']' || isCoreItem(text, first, fields);
  };
}

/**
 * Whether a response of WordPress's own contains text that plugins filter, so that it may depend on anything: rendered titles,
 * content and excerpts (`the_title`, `the_content`, `comment_text`), the titles of search results, oEmbed responses
 * (`oembed_response_data`), and avatars (`get_avatar_url`).
 */
export function hasFilteredText(
  text: string,
  { kind, path }: Pick<ResourceLocation, 'kind' | 'path'>,
): boolean {
  const isFilteredRoute = kind === 'search' || path === EMBED_ROUTE;
  return isFilteredRoute || text.includes('"rendered"') || text.includes('"avatar_urls"');
}

/** Whether a response has the random secret of an embed (`get_post_embed_html()`), so that no two are the same. */
export function hasRandomText(text: string): boolean {
  return text.includes('#?secret=');
}

/** Without registered meta, `meta` is an empty array. */
function isCoreMeta(text: string, start: number): boolean {
  return text[start] === '[' || forEachMember(text, start, (name) => META_FIELDS.has(name)) >= 0;
}

/**
 * Visits members of objects in a JSON text without parsing it, because that would cost more than everything else that the
 * gateway does with a response. A text that is no JSON is reported as such or visited in part; nothing throws.
 */

/** Returns the offset of the first character at or after `at` that is no whitespace. */
function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (WHITESPACE.has(text.charCodeAt(next))) next += 1;
  return next;
}

/**
 * Visits the members of the object that begins at `start`, not those of objects within it.
 *
 * @param visit receives the name, as it is written, and the offset of the value. Returns false to stop
 * @returns the offset after the object; -1 if the visitor stopped, or there is no object
 */
function forEachMember(
  text: string,
  start: number,
  visit: (name: string, valueStart: number) => boolean,
): number {
  if (text[start] !== '{') return -1;
  return forEachPart(text, start, '}', (at) => {
    const nameEnd = text[at] === '"' ? skipString(text, at) : -1;
    const colon = nameEnd < 0 ? -1 : skipWhitespace(text, nameEnd);
    if (text[colon] !== ':') return -1;
    const value = skipWhitespace(text, colon + 1);
    return visit(text.slice(at + 1, nameEnd - 1), value) ? skipValue(text, value) : -1;
  });
}

/**
 * Visits the elements of the array that begins at `start` by their offsets.
 *
 * @returns whether there is an array, and the visitor did not stop
 */
function forEachElement(text: string, start: number, visit: (elementStart: number) => boolean): boolean {
  if (text[start] !== '[') return false;
  return forEachPart(text, start, ']', (at) => (visit(at) ? skipValue(text, at) : -1)) >= 0;
}

/** @param visit receives the offset of a part, and returns the offset after it; -1 to stop */
function forEachPart(text: string, start: number, close: string, visit: (at: number) => number): number {
  let at = skipWhitespace(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    const end = visit(at);
    if (end < 0) return -1;
    at = skipWhitespace(text, end);
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') return -1;
    at = skipWhitespace(text, at + 1);
  }
}

const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BACKSLASH = 0x5c;

/** Returns the offset after the string that begins at `start`; -1 if it has no end. */
function skipString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Returns the offset after the value that begins at `start`; -1 if it has no end. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== '{' && first !== '[') return findNext(text, start, /[,}\]]/g);
  let depth = 0;
  for (let at = start; ; ) {
    at = findNext(text, at, /["{}[\]]/g);
    const character = text[at];
    if (at < 0) return -1;
    if (character === '"') {
      at = skipString(text, at);
      if (at < 0) return -1;
      continue;
    }
    depth += character === '{' || character === '[' ? 1 : -1;
    at += 1;
    if (depth === 0) return at;
  }
}

function findNext(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
