import type { JsonObject } from '../../../json.ts';
import type { ItemLink } from '../../site/declarations.ts';
import { toItemLinks } from '../../site/responses.ts';
import type { Entry, EntryKind } from '../model/entries.ts';
import type { ContentRequest } from '../model/state.ts';
import { canEdit } from '../rules/capabilities.ts';

/** The collection route of each kind. */
export const COLLECTION_ROUTES: Readonly<Record<EntryKind, string>> = {
  post: '/core/v2/posts',
  page: '/core/v2/pages',
  attachment: '/core/v2/media',
};

const TAXONOMY_ROUTES = [
  ['category', '/core/v2/categories'],
  ['post_tag', '/core/v2/tags'],
] as const;

/** The CURIE that expands relations such as `wp:term`. */
const CURIES: ItemLink = { name: 'wp', href: 'https://api.w.org/{rel}', templated: true };

/** Creates the `_links` of an entry. In the context `edit` they include the actions of the user. */
export function createEntryLinks(entry: Entry, request: ContentRequest, context: string): JsonObject {
  const { link } = request;
  const self = link(`${COLLECTION_ROUTES[entry.kind]}/${entry.id}`);
  const links: Record<string, string | ItemLink | ItemLink[]> = {
    self,
    collection: link(COLLECTION_ROUTES[entry.kind]),
    about: link(`/core/v2/types/${entry.kind}`),
    author: { embeddable: true, href: link(`/core/v2/users/${entry.author}`) },
    replies: { embeddable: true, href: link('/core/v2/comments', { post: entry.id }) },
    ...(entry.kind === 'attachment' ? {} : createRevisionLinks(entry, request)),
    ...createRelatedLinks(entry, request),
    ...(context === 'edit' && canEdit(request.user) ? createActionLinks(entry.kind, self) : {}),
  };
  const needsCuries = Object.keys(links).some((relation) => relation.startsWith('wp:'));
  return toItemLinks(needsCuries ? { ...links, curies: CURIES } : links);
}

function createRevisionLinks({ id, kind }: Entry, { state, link }: ContentRequest): Record<string, ItemLink> {
  const route = `${COLLECTION_ROUTES[kind]}/${id}/revisions`;
  const revisions = [...state.revisions.values()].filter((revision) => revision.parent === id);
  const latest = revisions.at(-1);
  return {
    'version-history': { count: revisions.length, href: link(route) },
    ...(latest === undefined
      ? {}
      : { 'predecessor-version': { id: latest.id, href: link(`${route}/${latest.id}`) } }),
  };
}

function createRelatedLinks(
  entry: Entry,
  { state, link }: ContentRequest,
): Record<string, ItemLink | ItemLink[]> {
  const { id, kind, parent, featuredMedia } = entry;
  const links: Record<string, ItemLink | ItemLink[]> = {};
  if (kind === 'page' && state.entries.has(parent)) {
    links['up'] = { embeddable: true, href: link(`${COLLECTION_ROUTES.page}/${parent}`) };
  }
  if (featuredMedia !== 0) {
    links['wp:featuredmedia'] = {
      embeddable: true,
      href: link(`${COLLECTION_ROUTES.attachment}/${featuredMedia}`),
    };
  }
  if (kind !== 'attachment') {
    links['wp:attachment'] = { href: link(COLLECTION_ROUTES.attachment, { parent: id }) };
  }
  if (kind === 'post') {
    links['wp:term'] = TAXONOMY_ROUTES.map(([taxonomy, route]) => ({
      taxonomy,
      embeddable: true,
      href: link(route, { post: id }),
    }));
  }
  return links;
}

const EDITOR_ACTIONS: Readonly<Record<EntryKind, readonly string[]>> = {
  post: [
    ...['publish', 'unfiltered-html', 'sticky', 'assign-author'],
    ...['create-categories', 'assign-categories', 'create-tags', 'assign-tags'],
  ],
  page: ['publish', 'unfiltered-html', 'assign-author'],
  attachment: ['unfiltered-html', 'assign-author'],
};

function createActionLinks(kind: EntryKind, href: string): Record<string, string> {
  return Object.fromEntries(EDITOR_ACTIONS[kind].map((action) => [`wp:action-${action}`, href]));
}
