import { splitNames } from '../../glob.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };
import {
  DYNAMIC_CONTENT_TAG,
  isCoreResource,
  LIST_DEPENDENCIES,
  listFilterParameters,
  OPAQUE_REFERENCES_TAG,
  OPAQUE_TAG,
  pathHierarchy,
  type ResourceKind,
  type ResourceLocation,
  type ResourceMap,
  tagNames,
  toScalarList,
} from './resource-map.ts';
import { EMBED_ROUTE, mentionedBy, OEMBED_TAG, postPath } from './response-tags.ts';

/**
 * A group of stored responses. `core`: responses of WordPress's own routes whose dependencies are known. `text`: such responses
 * with text that plugins filter, which may depend on anything else. `other`: responses of plugins' routes, and those of WordPress
 * with fields of plugins. `pages`: everything outside of the REST API except `files`, which the web server sends without running a
 * script.
 */
export type ResponseGroupName = 'core' | 'text' | 'other' | 'pages' | 'files';

export interface WriteInvalidation {
  /** Tags of responses that are known to depend on the write. */
  readonly tags: readonly string[];
  /** Groups of responses that may depend on it. */
  readonly groups: readonly ResponseGroupName[];
  /**
   * Whether an item may enter lists or leave them. Which ones depends on the values that were written, so that what earlier writes have left
   * unchanged says nothing of the next.
   */
  readonly changesLists: boolean;
}

/** What a write of WordPress may change that the tables do not know: through its hooks, a plugin may do anything. */
const HOOKED_GROUPS: readonly ResponseGroupName[] = ['text', 'other', 'pages'];
const FILE_GROUP: readonly ResponseGroupName[] = ['files'];
/** All that a script sends. */
export const SCRIPT_GROUPS: readonly ResponseGroupName[] = ['core', 'text', 'other', 'pages'];
export const ALL_GROUPS: readonly ResponseGroupName[] = [...SCRIPT_GROUPS, 'files'];

/** Computes what a write invalidates that the site may have run. */
export function computeWriteInvalidation(write: SiteWrite, resources: ResourceMap): WriteInvalidation {
  const { location, responseBody, sentParameters, status } = write;
  const isCore = isCoreResource(location);
  // A post type that a plugin adds changes at least what one of WordPress would.
  const tags = [
    ...(location.kind === 'other' ? [] : coreTags(write, resources)),
    ...(isCore ? [] : pluginTags(write)),
  ];
  const ids = possibleIds(sentParameters, responseBody);
  return {
    changesLists: changesLists(toResourceChange(write)),
    tags: [...new Set([...tags, ...mentionedBy(location.path, ids)])],
    // A write that failed may have done more than one that succeeds: a part, or the same to other items.
    groups: [
      ...(isCore && isSuccess(status) ? HOOKED_GROUPS : SCRIPT_GROUPS),
      // An upload creates files, and its deletion removes them.
      ...(location.kind === 'media' ? FILE_GROUP : []),
    ],
  };
}

/**
 * Fields of an item by its kind that are shown, and that select it for no list: WordPress's own, and those of the products of
 * WooCommerce.
 */
const SHOWN_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(CONVENTIONS.shownFields).map(([kind, names]) => [kind, new Set(splitNames(names))]),
);

function changesLists({ event, isHidden, location, writtenFields }: ResourceChange): boolean {
  const isProduct = /^\/wc\/v\d\/products$/.test(location.collectionPath);
  const shown = SHOWN_FIELDS.get(isProduct ? 'products' : location.kind);
  if (shown === undefined || isHidden || location.isBelowItem) return false;
  return event !== 'update' || writtenFields === null || writtenFields.some((name) => !shown.has(name));
}

/** Whether the response shows that the write was done. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

function coreTags(write: SiteWrite, resources: ResourceMap): readonly string[] {
  const { location } = write;
  // Resources below a user, such as application passwords, appear only in responses for that user.
  if (location.kind === 'users' && location.isBelowItem) return [location.path];
  const change = toResourceChange(write);
  const dependencies = change.isHidden ? HIDDEN_POST_DEPENDENCIES : DEPENDENCIES[location.kind];
  return [
    OPAQUE_TAG,
    // A new item changes nothing below its collection.
    ...(change.itemPath === null ? [location.path] : [change.itemPath]),
    ...(change.isHidden ? [] : changedListTags(change, resources)),
    ...Object.values(dependencies).flatMap((getTags) => getTags(change, resources)),
  ];
}

/**
 * Returns the tags that a write to a plugin's resource invalidates for certain: its own route and all below, its item, the
 * lists of its collection, and items whose ids were sent. Everything else that it may change is in the groups.
 */
function pluginTags({ location, responseBody, sentParameters }: SiteWrite): readonly string[] {
  const { collectionPath, itemPath, namespace, path } = location;
  const tags = [OPAQUE_TAG, OPAQUE_REFERENCES_TAG, path, tagNames.exactRoute(collectionPath)];
  if (namespace === '') tags.push('/');
  if (itemPath !== null) tags.push(itemPath, tagNames.reference(itemPath));
  // A write that moves a task to another board sends the id of that board.
  for (const id of possibleIds(sentParameters, responseBody)) tags.push(`${collectionPath}/${id}`);
  return tags;
}

/** Maximum number of values that are treated as possible ids. */
const MAX_IDS = 100;

/** Collects possible ids of items: the numbers and single words that were sent, and the `id` of the response. */
function possibleIds(
  sentParameters: ReadonlyMap<string, Json> | null,
  responseBody: Json | undefined,
): ReadonlySet<string> {
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

/**
 * Dependencies of responses on resources of another kind: by a sentence that states it, a function that returns the tags of the
 * responses that a change invalidates.
 */
type Dependencies = Readonly<
  Record<string, (change: ResourceChange, resources: ResourceMap) => readonly string[]>
>;

const NO_TAGS: readonly string[] = [];

/** Fields of posts and terms that `/wp/v2/search` reads or contains, and those that permalinks may contain. */
const SEARCH_FIELDS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.searchFields));

const SEARCH_RESULTS: Dependencies = {
  'searches read the texts and contain the titles of posts and terms': (change, resources) =>
    change.changesMembership || change.changesAnyField(SEARCH_FIELDS)
      ? resources
          .collectionsOfKind('search')
          .map((search) =>
            tagNames.listFilteredTo(search, 'type', change.location.kind === 'terms' ? 'term' : 'post'),
          )
      : NO_TAGS,
};

const DELETED_REFERENCES: Dependencies = {
  'a response that references a deleted item no longer does so': ({ event, itemPath }) =>
    event === 'delete' ? referenceTags(itemPath) : NO_TAGS,
};

const RENDERED_CONTENT: Dependencies = {
  'blocks and shortcodes show posts, media, comments, terms, users, menus and the name of the site': () => [
    DYNAMIC_CONTENT_TAG,
  ],
};

/** Returns the tags of all content on a site whose plugins may render names into it, as text that nothing marks. */
function pluginContentTags(resources: ResourceMap): readonly string[] {
  return resources.hasPlugins
    ? (['posts', 'blocks', 'layout'] as const).flatMap((kind) => resources.collectionsOfKind(kind))
    : NO_TAGS;
}

/** Returns the tags of responses whose links contain the path of an item or of an item below it, at any depth. */
function linkTags(item: string | null, collection: string): readonly string[] {
  return [collection, tagNames.reference(collection), ...referenceTags(item)];
}

/** Returns the tags of responses that reference an item; those of all references if the item is `null`. */
function referenceTags(item: string | null): readonly string[] {
  return item === null ? [OPAQUE_REFERENCES_TAG] : [tagNames.reference(item), OPAQUE_REFERENCES_TAG];
}

/** Fields on which neither the URL of a post depends nor the visibility of its comments and attachments. */
const OWN_FIELDS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.ownPostFields));

/**
 * Fields on which the URL of a post depends, the URLs of all pages below it, or its visibility. A draft gets its slug when its
 * status changes.
 */
const URL_FIELDS: ReadonlySet<string> = new Set(['slug', 'status', 'parent', 'date', 'date_gmt']);

/** Returns the tags of the oEmbed responses that a change of a post invalidates: all of them if its URL has changed. */
function oembedInvalidationTags(change: ResourceChange): readonly string[] {
  const post = postPath(change.fields?.['link']);
  const hasMoved = change.event === 'update' && change.changesAnyField(URL_FIELDS);
  if (post === null || post === '/' || hasMoved) return [OEMBED_TAG];
  return [tagNames.unfilteredList(EMBED_ROUTE), tagNames.listFilteredTo(EMBED_ROUTE, 'url', post)];
}

/** Fields of a post that its oEmbed response contains or depends on (`/oembed/1.0/embed`). */
const OEMBED_POST_FIELDS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.oembedPostFields));

/** Dependencies on posts, media and reusable blocks that anonymous clients do not see. */
const HIDDEN_POST_DEPENDENCIES: Dependencies = {
  'comments and attachments are as visible as their post, contain its URL, and are trashed with it': (
    change,
    resources,
  ) => {
    if (!changesOtherThan(change, OWN_FIELDS)) return NO_TAGS;
    const { itemId } = change;
    return [
      ...referenceTags(change.itemPath),
      ...(itemId === null ? [] : [tagNames.reference(`#${itemId}`)]),
      ...listsOfItem('comments', 'post', itemId, resources),
      ...listsOfItem('media', 'parent', itemId, resources),
    ];
  },
  'the URL of a page contains those of the pages above it, and the children of a deleted page move up': (
    change,
    resources,
  ) => {
    const { event, itemPath, location } = change;
    const isHierarchical = resources.hasListParameter(location.collectionPath, 'parent');
    const isAffected = event === 'delete' || (event === 'update' && change.changesAnyField(URL_FIELDS));
    return location.kind === 'posts' && isHierarchical && isAffected
      ? [
          ...linkTags(itemPath, location.collectionPath),
          ...resources.collectionsOfKind('media'),
          ...resources.collectionsOfKind('search'),
          OEMBED_TAG,
        ]
      : NO_TAGS;
  },
};

/** Dependencies on posts, media and reusable blocks. */
const POST_DEPENDENCIES: Dependencies = {
  ...SEARCH_RESULTS,
  ...RENDERED_CONTENT,
  'an oEmbed response contains the title, the author and the image of a post': (change) =>
    change.changesAnyField(OEMBED_POST_FIELDS) ? oembedInvalidationTags(change) : NO_TAGS,
  'a term counts its published posts': (change, resources) =>
    resources.taxonomies.flatMap((taxonomy) => termCounts(change, taxonomy, resources)),
  'the root index names the front page, which a site without that page does not have': ({
    changesField,
    event,
    location,
  }) =>
    location.kind === 'posts' && event !== 'create' && changesField('status')
      ? [tagNames.exactRoute('/')]
      : NO_TAGS,
  ...HIDDEN_POST_DEPENDENCIES,
};

/** Whether a change of an existing item may have changed a field that is not among those given. */
function changesOtherThan(change: ResourceChange, fields: ReadonlySet<string>): boolean {
  if (change.event !== 'update') return change.event === 'delete';
  return change.writtenFields?.some((name) => !fields.has(name)) ?? true;
}

/** Returns the tags of the authors of a post whose number of published posts may have changed. */
function authorTags(change: ResourceChange, resources: ResourceMap): readonly string[] {
  if (!change.changesMembership && !change.changesField('author')) return NO_TAGS;
  const authors = toScalarList(change.fields?.['author']);
  return resources
    .collectionsOfKind('users')
    .flatMap((users) =>
      authors === null || updatesField(change, 'author')
        ? [users]
        : [tagNames.anyList(users), ...authors.map((id) => tagNames.ownRoutes(`${users}/${id}`))],
    );
}

/** Whether a change of an existing item may have changed the field. */
function updatesField({ changesField, event }: ResourceChange, field: string): boolean {
  return event === 'update' && changesField(field);
}

/** Returns the tags of the terms whose post count a change alters. */
function termCounts(change: ResourceChange, taxonomy: string, resources: ResourceMap): readonly string[] {
  if (!change.changesMembership && !change.changesField(taxonomy)) return NO_TAGS;
  const collection = resources.collectionsOfKind('terms').find((path) => path.endsWith(`/${taxonomy}`));
  if (collection === undefined) return NO_TAGS;
  const value = change.fields?.[taxonomy];
  // A post type without this taxonomy does not count for it.
  if (value === undefined && !resources.hasListParameter(change.location.collectionPath, taxonomy)) {
    return NO_TAGS;
  }
  const terms = toScalarList(value);
  if (updatesField(change, taxonomy)) return [collection];
  if (terms === null && !Array.isArray(value)) return [collection];
  return [
    tagNames.fieldDependency(collection, 'count'),
    tagNames.ownRoutes(collection),
    ...(terms ?? []).map((id) => tagNames.ownRoutes(`${collection}/${id}`)),
  ];
}

/** Returns the tags of the lists of a kind that may contain what belongs to one item, by the parameter that selects it. */
function listsOfItem(
  kind: ResourceKind,
  parameter: string,
  id: string | null,
  resources: ResourceMap,
): readonly string[] {
  const filters = LIST_DEPENDENCIES[kind]?.filters.map(([name]) => name) ?? [];
  return resources
    .collectionsOfKind(kind)
    .flatMap((path) => [
      tagNames.unfilteredList(path),
      ...filters.map((name) =>
        name === parameter && id !== null
          ? tagNames.listFilteredTo(path, name, id)
          : tagNames.listFilteredBy(path, name),
      ),
    ]);
}

/** Settings that only the root index and oEmbed responses contain. Any other setting may influence any response. */
const INDEX_SETTINGS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.indexSettings));

/** Fields of a user that determine the displayed name. */
const USER_NAME_FIELDS: ReadonlySet<string> = new Set(splitNames('name first_name last_name nickname slug'));

/**
 * Dependencies by the kind of resource that was written, in addition to those on the item itself and in the lists of its own
 * collection.
 */
const DEPENDENCIES: Readonly<Record<ResourceKind, Dependencies>> = {
  posts: { ...POST_DEPENDENCIES, 'authors are public while they have published posts': authorTags },
  media: {
    ...POST_DEPENDENCIES,
    ...DELETED_REFERENCES,
    'the root index names the logo and the icon of the site': ({ event, location }) =>
      event === 'delete' ? indexTags(location.collectionPath) : NO_TAGS,
  },
  blocks: {
    ...POST_DEPENDENCIES,
    'a reusable block is part of the content of posts that do not reference it': (_, resources) => [
      ...resources.collectionsOfKind('posts'),
      ...resources.collectionsOfKind('layout'),
    ],
  },
  terms: {
    ...SEARCH_RESULTS,
    ...DELETED_REFERENCES,
    ...RENDERED_CONTENT,
    'the slug of a term is part of the URLs of its posts and of all terms below it, which a deletion moves up':
      (change, resources) =>
        change.event === 'delete' || updatesField(change, 'slug') || updatesField(change, 'parent')
          ? termLinkTags(change, resources)
          : NO_TAGS,
    'the posts of a deleted category move to the default category': ({ event, location }, resources) => {
      if (event !== 'delete') return NO_TAGS;
      const taxonomy = location.collectionPath.slice(location.collectionPath.lastIndexOf('/') + 1);
      return resources
        .collectionsOfKind('posts')
        .flatMap((path) => [
          tagNames.listFilteredBy(path, taxonomy),
          tagNames.fieldDependency(path, taxonomy),
        ]);
    },
  },
  users: {
    ...DELETED_REFERENCES,
    ...RENDERED_CONTENT,
    'shortcodes of plugins show the names of users': (change, resources) =>
      change.event !== 'create' && change.changesAnyField(USER_NAME_FIELDS)
        ? pluginContentTags(resources)
        : NO_TAGS,
    'comments contain the avatars of their authors, which depend on the e-mail address': (change) =>
      updatesField(change, 'email') ? referenceTags(change.itemPath) : NO_TAGS,
    'an oEmbed response contains the name of the author': (change) =>
      change.event === 'update' && change.changesAnyField(USER_NAME_FIELDS) ? [OEMBED_TAG] : NO_TAGS,
    "the slug of an author is part of the URL of the author's posts": (change) =>
      updatesField(change, 'slug') ? referenceTags(change.itemPath) : NO_TAGS,
    'the posts of a deleted user are deleted too, or reassigned to another': (change, resources) =>
      change.event === 'delete' ? deletedUserTags(change, resources) : NO_TAGS,
  },
  comments: {
    ...DELETED_REFERENCES,
    ...RENDERED_CONTENT,
    'the page of a post shows its comments': ({ fields, location: { collectionPath } }) => {
      const posts = toScalarList(fields?.['post']);
      return posts === null
        ? [tagNames.listFilteredBy(collectionPath, 'post')]
        : posts.map((id) => tagNames.listFilteredTo(collectionPath, 'post', id));
    },
    'a comment links to its replies once it has any': ({ location, fields, changesMembership }) => {
      if (!changesMembership) return NO_TAGS;
      const parents = toScalarList(fields?.['parent']);
      return parents === null
        ? [location.collectionPath]
        : parents.map((id) => `${location.collectionPath}/${id}`);
    },
    'a moved comment is in the list of another post': (change) =>
      updatesField(change, 'parent') || updatesField(change, 'post')
        ? [change.location.collectionPath]
        : NO_TAGS,
  },
  search: {},
  layout: {
    ...RENDERED_CONTENT,
    'menus, their items, templates and widgets are parts of one another': (_, resources) =>
      resources.collectionsOfKind('layout'),
  },
  settings: {
    'the root index and oEmbed responses contain the name of the site; other settings may influence any response':
      (change, resources) =>
        change.writtenFields?.every((name) => INDEX_SETTINGS.has(name)) === true
          ? [
              tagNames.exactRoute('/'),
              ...indexTags(change.location.collectionPath),
              OEMBED_TAG,
              DYNAMIC_CONTENT_TAG,
              ...pluginContentTags(resources),
              ...pathHierarchy(change.location.collectionPath).slice(-1),
            ]
          : ['/'],
  },
  plugins: { 'a plugin or a theme may change anything': () => ['/'] },
  other: {},
};

/** Returns the tags of responses with the link of a term, or with a link that contains its slug. */
function termLinkTags({ itemPath, location }: ResourceChange, resources: ResourceMap): readonly string[] {
  const { collectionPath } = location;
  // Without terms below it, only responses that reference it contain its slug.
  if (!resources.hasListParameter(collectionPath, 'parent')) {
    return [collectionPath, ...referenceTags(itemPath), OEMBED_TAG];
  }
  return [...linkTags(itemPath, collectionPath), ...resources.collectionsOfKind('search'), OEMBED_TAG];
}

/** Returns the tags of responses that depend on a deleted user, except those that reference the user. */
function deletedUserTags(
  { location, sentParameters }: ResourceChange,
  resources: ResourceMap,
): readonly string[] {
  const posts = [...resources.collectionsOfKind('posts'), ...resources.collectionsOfKind('media')];
  const isReassigned = /^[1-9]\d*$/.test(String(sentParameters?.get('reassign') ?? ''));
  const tags = isReassigned
    ? posts.flatMap((path) => [
        tagNames.listFilteredBy(path, 'author'),
        tagNames.fieldDependency(path, 'author'),
        tagNames.anyFieldDependency(path),
      ])
    : [
        ...posts.map(tagNames.anyList),
        ...resources.collectionsOfKind('terms'),
        ...resources.collectionsOfKind('search'),
      ];
  return [location.collectionPath, ...tags, OEMBED_TAG];
}

/** The index routes above a collection, `/` and `/wp/v2`, which describe the site. */
function indexTags(collection: string): readonly string[] {
  return pathHierarchy(collection).slice(0, -1).map(tagNames.exactRoute);
}

/** A request that may have changed the site, with its outcome. */
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
}

type ChangeEvent = 'create' | 'update' | 'delete';

/** A change of an item, derived from a write. */
export interface ResourceChange {
  readonly event: ChangeEvent;
  readonly location: ResourceLocation;
  /** Id of the item; `null` if it is unknown. */
  readonly itemId: string | null;
  /** Path of the item, such as `/wp/v2/posts/12`; `null` if its id is unknown. */
  readonly itemPath: string | null;
  /** Whether the item may have been added to lists or removed from them. */
  readonly changesMembership: boolean;
  /** The fields that were written; `null` if they are unknown. */
  readonly writtenFields: readonly string[] | null;
  /** Whether the field may have changed. Always true for a created or deleted item. */
  changesField(field: string): boolean;
  /** Whether one of the fields may have changed. */
  changesAnyField(fields: ReadonlySet<string>): boolean;
  /** Whether anonymous clients see the item neither before nor after the change: a draft that is created or edited. */
  readonly isHidden: boolean;
  /** The parameters of the request by name; `null` if they are unknown. */
  readonly sentParameters: SiteWrite['sentParameters'];
  /** The item after the change, or before its deletion; undefined if it is unknown, or only some of its fields are. */
  readonly fields: JsonObject | undefined;
}

/** Parameters of writes that are no fields of the item. */
const CONTROL_PARAMETERS = new Set(
  splitNames('context force id _fields _embed _envelope _locale _method _wpnonce'),
);

/** Revisions and autosaves of a post. Writing them changes the post but no field that lists read. */
const HISTORY_ROUTE = /\/(?:revisions|autosaves)(?:\/|$)/;

/** Interprets a write: which item it created, updated or deleted, and which fields it changed. */
function toResourceChange({ method, location, sentParameters, responseBody }: SiteWrite): ResourceChange {
  const shown = itemOf(responseBody);
  // The response then lacks fields, which says nothing about the item.
  const fields = sentParameters === null || sentParameters.has('_fields') ? undefined : shown;
  // Editing an image creates a new item.
  const creates =
    location.itemPath === null || (location.kind === 'media' && location.path.endsWith('/edit'));
  const event: ChangeEvent = creates
    ? 'create'
    : method === 'DELETE' && !location.isBelowItem
      ? 'delete'
      : 'update';
  const itemId =
    location.isBelowItem && !creates
      ? lastSegment(location.itemPath)
      : (idOf(shown) ?? (creates ? null : lastSegment(location.itemPath)));
  const writtenFields = getWrittenFields(location, sentParameters);
  const changesField = (field: string): boolean =>
    event !== 'update' || writtenFields === null || writtenFields.includes(field);
  return {
    event,
    location,
    itemId,
    itemPath: itemId === null ? null : `${location.collectionPath}/${itemId.toLowerCase()}`,
    changesMembership:
      event !== 'update' || (LIST_DEPENDENCIES[location.kind]?.membershipFields.some(changesField) ?? true),
    writtenFields,
    changesField,
    changesAnyField: (names) =>
      event !== 'update' || writtenFields === null || writtenFields.some((name) => names.has(name)),
    isHidden: isHidden(location, event, writtenFields, fields, responseBody),
    sentParameters,
    fields,
  };
}

/** Statuses of posts in which only clients with permission see them. */
const HIDDEN_STATUSES: ReadonlySet<Json | undefined> = new Set(
  splitNames('auto-draft draft future pending private trash'),
);
/** Fields that may have changed the status of a post to the one in the response. */
const STATUS_FIELDS: readonly string[] = ['status', 'date', 'date_gmt'];

function isHidden(
  { kind }: ResourceLocation,
  event: ChangeEvent,
  writtenFields: readonly string[] | null,
  fields: JsonObject | undefined,
  responseBody: Json | undefined,
): boolean {
  if ((kind !== 'posts' && kind !== 'blocks') || !HIDDEN_STATUSES.has(fields?.['status'])) return false;
  if (event === 'create') return true;
  // Without `deleted` the response shows the post in the bin, not before.
  if (event === 'delete') return isJsonObject(responseBody) && responseBody['deleted'] === true;
  return writtenFields !== null && !STATUS_FIELDS.some((name) => writtenFields.includes(name));
}

/** The fields of the item that a write changes; `null` if they are unknown. */
function getWrittenFields(
  location: ResourceLocation,
  sentParameters: ReadonlyMap<string, Json> | null,
): readonly string[] | null {
  if (location.isBelowItem) return HISTORY_ROUTE.test(location.path) ? [] : null;
  if (sentParameters === null) return null;
  return [...sentParameters.keys()].filter((name) => !CONTROL_PARAMETERS.has(name));
}

/** Returns the item in a response. The response to a deletion is `{"deleted":true,"previous":{…}}`. */
function itemOf(body: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const { previous } = body;
  return body['deleted'] === true && isJsonObject(previous) ? previous : body;
}

function idOf(fields: JsonObject | undefined): string | null {
  const id = fields?.['id'];
  return typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : null;
}

function lastSegment(item: string | null): string | null {
  return item === null ? null : item.slice(item.lastIndexOf('/') + 1);
}

/** Returns the tags of the lists of the item's collection that a change may have altered. */
function changedListTags(change: ResourceChange, resources: ResourceMap): readonly string[] {
  const { location, event, fields, changesMembership, writtenFields } = change;
  const { collectionPath, kind } = location;
  const lists = LIST_DEPENDENCIES[kind];
  if (lists === undefined || (event === 'update' && writtenFields === null)) {
    return [tagNames.anyFieldDependency(collectionPath), tagNames.anyList(collectionPath)];
  }
  const tags = [tagNames.anyFieldDependency(collectionPath)];
  if (changesMembership) tags.push(tagNames.unfilteredList(collectionPath));
  if (event === 'update') {
    // `date` stands for `date_gmt` too.
    for (const field of writtenFields ?? [])
      tags.push(tagNames.fieldDependency(collectionPath, field.replace(/_gmt$/, '')));
  }
  for (const parameter of listFilterParameters(kind, resources)) {
    const field = lists.filters.find(([name]) => name === parameter)?.[1] ?? parameter;
    // The parameter selects terms by a post, and a write of a term does not change the post.
    if (field === '') continue;
    if (updatesField(change, field)) tags.push(tagNames.listFilteredBy(collectionPath, parameter));
    else if (changesMembership) tags.push(...filteredListTags(collectionPath, parameter, fields?.[field]));
  }
  return tags;
}

/** Returns the tags of lists that are filtered by `value`, or by any value if `value` is unknown. */
function filteredListTags(collection: string, parameter: string, value: Json | undefined): readonly string[] {
  if (Array.isArray(value) && value.length === 0) return [];
  const values = toScalarList(value);
  return values === null
    ? [tagNames.listFilteredBy(collection, parameter)]
    : values.map((each) => tagNames.listFilteredTo(collection, parameter, each));
}
