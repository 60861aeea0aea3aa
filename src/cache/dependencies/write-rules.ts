import { splitNames } from '../../glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { PurgeClause } from '../store.ts';
import CONVENTIONS from '../wordpress/conventions.json' with { type: 'json' };
import {
  compareFields,
  type ItemState,
  listTextsBefore,
  readItemState,
  readSearchedEdit,
} from './item-states.ts';
import { CORE_NAMESPACES, ITEM_TAG_BY_KIND, isCoreResource, type ResourceLocation } from './resource-map.ts';
import { mentionedBy } from './response-tags.ts';
import { EVERYTHING, tagNames, toScalarList } from './tags.ts';

/**
 * A group of stored responses. `routes`: those of the REST API. `pages`: everything outside of it except `files`, which the web server
 * sends without running a script. `items` is no group of responses: a purge of it says that any item may have changed.
 */
export type ResponseGroupName = 'routes' | 'pages' | 'files' | 'items';

/** What plugins may have changed that hear of a request by which WordPress writes nothing. */
export const PLUGIN_GROUPS: readonly ResponseGroupName[] = ['routes'];
/** All that a script sends. */
export const SCRIPT_GROUPS: readonly ResponseGroupName[] = ['routes', 'pages'];
/** What a write of unknown effect may have changed. */
export const UNKNOWN_GROUPS: readonly ResponseGroupName[] = [...SCRIPT_GROUPS, 'items'];
export const ALL_GROUPS: readonly ResponseGroupName[] = [...UNKNOWN_GROUPS, 'files'];

/** A request to a route that may have changed the site, with its outcome. */
export interface SiteWrite {
  /** The method that the site ran. */
  readonly method: string;
  readonly location: ResourceLocation;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** The parameters of the request by name; `null` if they are unknown, so that any field may have changed. */
  readonly sentParameters: ReadonlyMap<string, Json> | null;
  /** The response's body, if it was JSON. */
  readonly responseBody: Json | undefined;
  /** Whether a form wrote WordPress's own fields of the item alone, in place of parameters. The body is the item after it. */
  readonly isForm?: boolean;
}

/** What a write changes for certain: responses with one of the tags, and those that a clause selects. */
export interface SelectedByWrite {
  readonly tags: readonly string[];
  /** Select responses that show the written item and contain what it was before. What is learned adds to their exceptions. */
  readonly clauses: readonly PurgeClause[];
  /** Tag of the page that shows the item, if the clauses are known: it depends on the write unless such pages are learned not to. */
  readonly ownPage?: string;
}

/** What a write that the site may have run changes. */
export interface WriteDependents extends SelectedByWrite {
  /** Groups of responses that may depend on it. */
  readonly groups: readonly ResponseGroupName[];
  /**
   * Whether an item may enter lists or leave them. Which ones depends on the values that were written, so that what earlier writes have left
   * unchanged says nothing of the next.
   */
  readonly changesLists: boolean;
  /** Reads the item as it is after the write; `null` if it is unknown. */
  readonly readAfter: (() => ItemState) | null;
  /** What the write has changed, or may have: the parameters by which its kind is named. */
  readonly sentParameters: SiteWrite['sentParameters'];
}

/**
 * Selects the responses that a write changes.
 *
 * @param getBefore returns what the item with a path was before; `null` if it is unknown
 */
export function selectWritten(
  write: SiteWrite,
  getBefore: (itemPath: string) => ItemState | null,
): WriteDependents {
  const { isForm, location, method, responseBody, sentParameters, status } = write;
  const { itemPath, kind, path } = location;
  const isCore = isCoreResource(location);
  const isShown = isSuccess(status) && (isForm || sentParameters?.has('_fields') === false);
  const item = isShown && isJsonObject(responseBody) ? responseBody : undefined;
  const hasState = itemPath === path && method !== 'DELETE' && (kind === 'other' || LISTED_FIELDS.has(kind));
  const known = hasState ? item : undefined;
  let after: ItemState | undefined;
  const readAfter = known && (() => (after ??= readItemState(known, !HIDDEN_STATUSES.has(known['status']))));
  const before = readAfter && itemPath !== null ? getBefore(itemPath) : null;
  const states = before && readAfter ? { before, after: readAfter() } : null;
  const written = known === undefined ? write : listWritten(write, known, states);
  const rule = findRule(written, item);
  const { clauses, tags } = rule.select(written, item, states);
  const ownPage = tagNames.ownPage(path);
  const isKnownEdit = itemPath === path && clauses.length > 0;
  // What was known of the item is outdated (`ItemStates`).
  const ofItem = isKnownEdit ? [path] : [path, ownPage];
  const further = [...(itemPath === path ? ofItem : []), ...(isCore ? [] : pluginTags(write))];
  // `users/me` is another user for each client.
  const isOfItem = isCore && isSuccess(status) && kind !== 'users';
  const groups = isOfItem && !rule.changesItems ? SCRIPT_GROUPS : UNKNOWN_GROUPS;
  return {
    tags: [...new Set([...tags, ...further, ...mentionedBy(path, possibleIds(write))])],
    clauses,
    ...(isKnownEdit ? { ownPage } : {}),
    // An upload creates files, and its deletion removes them.
    groups: kind === 'media' ? [...groups, 'files'] : groups,
    changesLists: rule.changesLists === true,
    readAfter: readAfter ?? null,
    sentParameters: written.sentParameters,
  };
}

/** Whether the response shows that the write was done. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

interface KnownStates {
  readonly before: ItemState;
  readonly after: ItemState;
}

interface WriteRule {
  /** See {@link WriteDependents.changesLists}. @default false */
  readonly changesLists?: boolean;
  /** Whether what was known of any item may be outdated: what it is rendered from has changed. @default false */
  readonly changesItems?: boolean;
  readonly select: Select;
}

/** @param item in the response to the write, if it is known @param states of the item, if that of before is known */
type Select = (write: SiteWrite, item: JsonObject | undefined, states: KnownStates | null) => SelectedByWrite;

/** Tags of the routes of WordPress itself. */
const CORE_ROUTES: readonly string[] = [
  ...Array.from(CORE_NAMESPACES, (namespace) => `/${namespace}`),
  '/oembed/1.0',
];

const noClauses = (tags: readonly string[]): SelectedByWrite => ({ tags, clauses: [] });

/** Selects searches that an edit may change, and those of the responses that show an item which contain what it was before. */
const selectShowing: Select = (write, item, states) => {
  const { location } = write;
  const tags = listShowingTags(location, item);
  // A feed names terms and authors without a link.
  if (location.kind === 'terms' || location.kind === 'users') tags.push(tagNames.feed);
  const all = noClauses([...tags, tagNames.search]);
  if (states === null) return all;
  const written = listWrittenFields(write) ?? [];
  const texts = listTextsBefore(states.before, states.after, written);
  if (texts === null) return all;
  const { changed, published } = texts;
  // Comparisons tell which route classes show the date of change.
  const showing = [
    ...(changed.length === 0 ? [] : [{ tags, texts: changed }]),
    ...(published.length === 0 ? [] : [{ tags, texts: published, exceptKinds: [] }]),
  ];
  const searched = location.kind === 'posts' ? readSearchedEdit(states.before, states.after, written) : null;
  if (searched === null) return { tags: [tagNames.search], clauses: showing };
  // Each response contains the empty text.
  return { tags: [], clauses: [...showing, { tags: [tagNames.search], texts: [''], searched }] };
};

const selectMoved: Select = ({ location }, item) => {
  const lists = [...CORE_ROUTES, tagNames.exactRoute('/'), tagNames.search, tagNames.feed];
  return noClauses([...lists, ...listShowingTags(location, item)]);
};

/** The rules, with their source. The first whose condition a write fulfils applies: see {@link findRule}. */
const RULES = {
  /**
   * What nobody sees but editors: `WP_Query` shows visitors what is public. In the REST API an item counts its revisions
   * (`version-history`); application passwords appear only in responses for their user.
   */
  hidden: {
    select: ({ location: { collectionPath, itemPath, kind, path } }, item) =>
      noClauses([kind === 'users' ? path : (itemPath ?? `${collectionPath}/${item?.['id']}`)]),
  },
  /**
   * An edit of what is only shown enters no list, except one by a search, an order or a parameter of a plugin (`get_items()`). In the REST
   * API each response that contains the item has its date of change too. Lists of terms are in the order of their names.
   */
  edit: {
    select: (write, item, states) => {
      const { clauses, tags } = selectShowing(write, item, states);
      return { clauses, tags: [...tags, tagNames.listByAnyField(write.location.collectionPath)] };
    },
  },
  /** The name of an author is text in the content of any post: `core/latest-posts` with `displayAuthor`. */
  user: {
    select: (write, item, states) => {
      const { clauses, tags } = selectShowing(write, item, states);
      return { clauses, tags: [...tags, ...CORE_ROUTES] };
    },
  },
  /**
   * A comment is shown by the lists of its post, by what links to comments of any item (`get_comments()` of a widget) and by feeds; its
   * parent has a link to its replies. A deletion changes the parents of its replies (`wp_delete_comment()`).
   */
  comment: {
    select: (write, item) => {
      const { collectionPath, itemPath } = write.location;
      const posts = toScalarList(item?.['post'] ?? write.sentParameters?.get('post'));
      const written = listWrittenFields(write);
      const isMoved = itemPath !== null && (written?.some((name) => /^(?:post|parent)$/.test(name)) ?? true);
      const isWhole = isMoved || posts === null || write.method === 'DELETE';
      const ids = toScalarList([item?.['id'] ?? '', item?.['parent'] ?? '']) ?? [];
      return noClauses([
        ...(isWhole ? [collectionPath] : [tagNames.commentsOfAnyPost(collectionPath)]),
        ...(posts ?? []).map((id) => tagNames.commentsOf(collectionPath, id)),
        ...ids.map((id) => `${collectionPath}/${id}`),
        ...commentTags(item?.['link']),
      ]);
    },
  },
  /**
   * An item that enters lists or leaves them, or whose address, author, terms or visibility change: lists, counts of terms
   * (`wp_update_term_count()`), authors (`has_published_posts`), comments and attachments, which are as visible as their post, items below
   * it, searches, embeds, and the root index, which names the front page, logo and icon.
   */
  move: { changesLists: true, select: selectMoved },
  /**
   * A reusable block is a part of the content of other items (`core/block`), which the REST API renders. Menus, templates and widgets are
   * parts of one another and of pages, of all or of none.
   */
  block: { changesLists: true, changesItems: true, select: selectMoved },
  /** An option, a plugin or a theme may change anything. */
  everything: { changesItems: true, select: () => noClauses([EVERYTHING]) },
  /** A route of a plugin may show an item, that of WooCommerce a product. What else it changes is not known. */
  plugin: { select: selectShowing },
  product: { changesLists: true, select: selectShowing },
} as const satisfies Record<string, WriteRule>;

const HISTORY_ROUTE = /\/(?:revisions|autosaves)(?:\/|$)/;
/** Fields of an item by its kind that are shown, and that select it for no list. */
const SHOWN_FIELDS = readFields(CONVENTIONS.shownFields);
/** The other fields that WordPress itself writes, by kind. */
const LISTED_FIELDS = readFields(CONVENTIONS.listedFields);
/** Fields of the response to a write that its handler does not read. */
const READ_ONLY_FIELDS = readFields(CONVENTIONS.readOnlyFields);
/** Statuses of posts in which only clients with permission see them. */
const HIDDEN_STATUSES: ReadonlySet<Json | undefined> = new Set(
  splitNames('auto-draft draft future pending private trash'),
);

function readFields(table: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(Object.entries(table).map(([kind, names]) => [kind, new Set(splitNames(names))]));
}

/** Whether the fields of an item are known, so that its state tells what a write of it has changed. */
export function hasKnownFields(location: ResourceLocation): boolean {
  return location.itemPath === location.path && LISTED_FIELDS.has(nameFieldKind(location));
}

function nameFieldKind({ collectionPath, kind }: ResourceLocation): string {
  return PRODUCTS_PATH.test(collectionPath) ? 'products' : kind;
}

const PRODUCTS_PATH = /^\/wc\/v\d\/products$/;

/**
 * Leaves out the parameters that have not changed the item: clients send whole items back. One of a plugin stays, whose callback may do
 * anything. What the site has changed without being asked, such as a status, is added.
 */
function listWritten(write: SiteWrite, item: JsonObject, states: KnownStates | null): SiteWrite {
  const fieldKind = nameFieldKind(write.location);
  const listed = LISTED_FIELDS.get(fieldKind);
  if (listed === undefined) return write;
  const readOnly = READ_ONLY_FIELDS.get(fieldKind) ?? READ_ONLY_FIELDS.get('others');
  const isOwn = (name: string): boolean =>
    listed.has(name) || SHOWN_FIELDS.get(fieldKind)?.has(name) === true;
  const changes = states === null ? NO_CHANGES : compareFields(states.before, states.after);
  const written = new Map<string, Json>();
  for (const [name, value] of write.sentParameters ?? []) {
    const shown = item[name];
    const isSame = isOwn(name) && changes.get(name) === 'same' && hasMembersOf(value, shown);
    // A text may be sent within the object that shows it.
    const sent = isJsonObject(value) && typeof value['raw'] === 'string' ? value['raw'] : value;
    if (!isSame && !CONTROL_PARAMETERS.has(name) && readOnly?.has(name) !== true) written.set(name, sent);
  }
  // Each update of a draft sets its date.
  const isStillHidden = changes.get('status') === 'same' && HIDDEN_STATUSES.has(item['status']);
  for (const [name, change] of changes) {
    const isAdded = write.isForm
      ? isOwn(name) && change !== 'same'
      : listed.has(name) && change === 'changed';
    if (isAdded && !isStillHidden) written.set(name, written.get(name) ?? item[name] ?? null);
  }
  return written.size === 0 ? write : { ...write, sentParameters: written };
}

const NO_CHANGES: ReturnType<typeof compareFields> = new Map();

/** Whether the members of an object that was sent are some of those that the item has: others may be read by a plugin. */
function hasMembersOf(sent: Json, shown: Json | undefined): boolean {
  return !isJsonObject(sent) || (isJsonObject(shown) && Object.keys(sent).every((name) => name in shown));
}

function findRule(write: SiteWrite, item: JsonObject | undefined): WriteRule {
  const { location, method } = write;
  const { isBelowItem, itemPath, kind } = location;
  if (kind === 'settings' || kind === 'plugins') return RULES.everything;
  if (kind === 'layout') return RULES.block;
  if (kind === 'comments') return RULES.comment;
  const isProduct = PRODUCTS_PATH.test(location.collectionPath);
  const shown = SHOWN_FIELDS.get(isProduct ? 'products' : kind);
  if (shown === undefined) return RULES.plugin;
  if (isBelowItem && (kind === 'users' || HISTORY_ROUTE.test(location.path))) return RULES.hidden;
  const written = listWrittenFields(write);
  const isOfShown = item !== undefined && written !== null && !isBelowItem && method !== 'DELETE';
  const isEdit = isOfShown && itemPath !== null && written.every((name) => shown.has(name));
  const isPost = kind === 'posts' || kind === 'blocks';
  const isHidden = isPost && HIDDEN_STATUSES.has(item?.['status']);
  if (isHidden && (isEdit || (isOfShown && itemPath === null))) return RULES.hidden;
  if (isProduct) return isEdit ? RULES.plugin : RULES.product;
  if (kind === 'blocks') return RULES.block;
  if (!isEdit) return RULES.move;
  return kind === 'users' ? RULES.user : RULES.edit;
}

/** Parameters of writes that are no fields of the item. */
export const CONTROL_PARAMETERS: ReadonlySet<string> = new Set(
  splitNames('context force id _fields _embed _envelope _locale _method _wpnonce'),
);

/** The fields of the item that a write changes; `null` if they are unknown. */
function listWrittenFields({ sentParameters }: SiteWrite): readonly string[] | null {
  return sentParameters === null
    ? null
    : [...sentParameters.keys()].filter((name) => !CONTROL_PARAMETERS.has(name));
}

/** Members of an item with its address. `permalink`: WooCommerce. `source_url`: the file of a medium, which pages show. */
const ADDRESS_MEMBERS = ['link', 'permalink', 'source_url'] as const;

/** Returns the tags of the responses that show an item. What has no address is no post: an id of it says nothing of posts. */
function listShowingTags(
  { isBelowItem, itemPath, kind }: ResourceLocation,
  item: JsonObject | undefined,
): string[] {
  const addresses = ADDRESS_MEMBERS.flatMap((name) => pathOf(item?.[name]) ?? []);
  const toTag = kind === 'other' && addresses.length === 0 ? undefined : ITEM_TAG_BY_KIND[kind];
  const id = itemPath === null || isBelowItem ? undefined : itemPath.slice(itemPath.lastIndexOf('/') + 1);
  return [
    tagNames.anyItem,
    ...(id === undefined || toTag === undefined ? [] : [toTag(id)]),
    ...addresses.map(tagNames.link),
  ];
}

/**
 * Returns the tags of the responses that show the comments of a post.
 *
 * @param link address of the comment (`…/hello/#comment-77`); anything else stands for an unknown post
 */
function commentTags(link: Json | undefined): readonly string[] {
  const path = pathOf(link);
  const ofPost = path === null ? [] : [tagNames.comments(path)];
  return [tagNames.anyItem, tagNames.anyComments, ...ofPost];
}

function pathOf(url: Json | undefined): string | null {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).pathname : null;
}

/**
 * Returns the tags that a write to a plugin's resource invalidates for certain: its own route and all below, its item, the
 * lists of its collection, and items whose ids were sent. Everything else that it may change is in the groups.
 */
function pluginTags(write: SiteWrite): readonly string[] {
  const { collectionPath, itemPath, namespace, path } = write.location;
  const tags = [tagNames.anyItem, path, tagNames.exactRoute(collectionPath)];
  if (namespace === '') tags.push(EVERYTHING);
  if (itemPath !== null) tags.push(itemPath, tagNames.reference(itemPath));
  // A write that moves a task to another board sends the id of that board.
  for (const id of possibleIds(write)) tags.push(`${collectionPath}/${id}`);
  return tags;
}

/** Maximum number of values that are treated as possible ids. */
const MAX_IDS = 100;

/** Collects possible ids of items: the numbers and single words that were sent, and the `id` of the response. */
function possibleIds({ responseBody, sentParameters }: SiteWrite): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (value: Json): void => {
    if (ids.size >= MAX_IDS) return;
    if (typeof value === 'number' || typeof value === 'string') {
      if (/^[\w-]{1,64}$/.test(String(value))) ids.add(String(value).toLowerCase());
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  for (const value of sentParameters?.values() ?? []) visit(value);
  if (isJsonObject(responseBody)) visit(responseBody['id'] ?? null);
  return ids;
}
