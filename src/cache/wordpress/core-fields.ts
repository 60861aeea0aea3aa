import { splitNames } from '../../glob.ts';
import {
  isCoreResource,
  type ResourceKind,
  type ResourceLocation,
  type ResourceMap,
} from './resource-map.ts';

/**
 * Decides whether a response of WordPress's own routes contains only what WordPress itself puts there. A plugin adds
 * fields (`register_rest_field`, registered meta) whose dependencies are unknown.
 */

const COMMON = 'id _links _embedded meta link slug parent type';

const POST = `${COMMON} author class_list comment_status content date date_gmt excerpt featured_media format
  generated_slug guid menu_order modified modified_gmt password permalink_template ping_status status sticky template
  title categories tags wp_pattern_category wp_pattern_sync_status`;

/** Names of the members of an item in WordPress 6 and 7 (`get_item_schema` of the controllers), by kind. */
const ITEM_FIELDS: Readonly<Partial<Record<ResourceKind, string>>> = {
  posts: POST,
  blocks: POST,
  layout: POST,
  media: `${POST} alt_text caption description filename filesize media_details media_type mime_type missing_image_sizes
    post source_url`,
  terms: `${COMMON} auto_add count description locations name taxonomy`,
  users: `${COMMON} avatar_urls capabilities description email extra_capabilities first_name is_super_admin last_name
    locale name nickname registered_date roles url username`,
  comments: `${COMMON} author author_avatar_urls author_email author_ip author_name author_url author_user_agent content
    date date_gmt post status`,
  search: `${COMMON} label subtype title url`,
};

/**
 * Routes that are no collections, and whose dependencies are known all the same: registered types change with plugins and
 * themes, whose writes purge everything; embeds have tags of their own (`oembedResponseTags`).
 */
const OTHER_ROUTES: readonly (readonly [route: RegExp, fields: string])[] = [
  [
    /^\/wp\/v2\/types(?:\/|$)/,
    `_links capabilities description has_archive hierarchical icon labels name rest_base rest_namespace slug supports
      taxonomies template template_lock viewable visibility`,
  ],
  [
    /^\/wp\/v2\/taxonomies(?:\/|$)/,
    `_links capabilities description hierarchical labels name rest_base rest_namespace show_cloud slug types visibility`,
  ],
  [
    /^\/wp\/v2\/statuses(?:\/|$)/,
    '_links date_floating name private protected public queryable show_in_list slug',
  ],
  [
    /^\/oembed\/1\.0\/embed$/,
    `author_name author_url height html provider_name provider_url thumbnail_height thumbnail_url thumbnail_width title
      type version width`,
  ],
];

/** The index routes. The defaults of plugins' parameters, which they list, may depend on anything. */
const INDEX_ROUTES: readonly (readonly [route: RegExp, fields: string])[] = [
  [
    /^\/$/,
    `_links authentication description gmt_offset home image_sizes name namespaces page_for_posts page_on_front routes
      show_on_front site_icon site_icon_url site_logo timezone_string url`,
  ],
  [/^\/wp\/v2$/, '_links namespace routes'],
];

const ERROR_FIELDS = splitNames('code message data additional_errors additional_data');

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
    Object.entries(ITEM_FIELDS).map(([kind, fields]) => [
      kind,
      new Set([...splitNames(fields), ...ERROR_FIELDS, ...(fields.startsWith(POST) ? taxonomies : [])]),
    ]),
  );
  const otherRoutes = [...OTHER_ROUTES, ...(hasPlugins ? [] : INDEX_ROUTES)].map(
    ([route, fields]) => [route, new Set([...splitNames(fields), ...ERROR_FIELDS])] as const,
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

/** Without registered meta, `meta` is an empty array. */
function isCoreMeta(text: string, start: number): boolean {
  return text[start] === '[' || forEachMember(text, start, (name) => META_FIELDS.has(name)) >= 0;
}

/**
 * Visits members of objects in a JSON text without parsing it, because that would cost more than everything else that the
 * gateway does with a response. A text that is no JSON is reported as such or visited in part; nothing throws.
 */

/** Receives the name of a member, as it is written, and the offset of its value. Returns false to stop. */
type MemberVisitor = (name: string, valueStart: number) => boolean;

/** Returns the offset of the first character at or after `at` that is no whitespace. */
function skipWhitespace(text: string, at: number): number {
  let next = at;
  while (WHITESPACE.has(text.charCodeAt(next))) next += 1;
  return next;
}

/**
 * Visits the members of the object that begins at `start`, not those of objects within it.
 *
 * @returns the offset after the object; -1 if the visitor stopped, or there is no object
 */
function forEachMember(text: string, start: number, visit: MemberVisitor): number {
  if (text[start] !== '{') return -1;
  let at = skipWhitespace(text, start + 1);
  if (text[at] === '}') return at + 1;
  for (;;) {
    const nameEnd = text[at] === '"' ? skipString(text, at) : -1;
    if (nameEnd < 0) return -1;
    const colon = skipWhitespace(text, nameEnd);
    if (text[colon] !== ':') return -1;
    const value = skipWhitespace(text, colon + 1);
    if (!visit(text.slice(at + 1, nameEnd - 1), value)) return -1;
    const end = skipValue(text, value);
    if (end < 0) return -1;
    at = skipWhitespace(text, end);
    if (text[at] === '}') return at + 1;
    if (text[at] !== ',') return -1;
    at = skipWhitespace(text, at + 1);
  }
}

/**
 * Visits the elements of the array that begins at `start` by their offsets.
 *
 * @returns whether there is an array, and the visitor did not stop
 */
function forEachElement(text: string, start: number, visit: (elementStart: number) => boolean): boolean {
  if (text[start] !== '[') return false;
  let at = skipWhitespace(text, start + 1);
  if (text[at] === ']') return true;
  for (;;) {
    if (!visit(at)) return false;
    const end = skipValue(text, at);
    if (end < 0) return false;
    at = skipWhitespace(text, end);
    if (text[at] === ']') return true;
    if (text[at] !== ',') return false;
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
