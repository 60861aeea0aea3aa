import type { JsonObject } from '../../../json.ts';
import { asLinks } from '../../site/answers.ts';
import type { Link, SiteRequest } from '../../site/declare.ts';
import type { Entry, Kind } from '../entries.ts';
import { mayWrite } from '../rules/rights.ts';
import type { ContentState } from '../state.ts';

/** Where the lists of each kind stand. */
export const COLLECTIONS: Readonly<Record<Kind, string>> = {
  post: '/core/v2/posts',
  page: '/core/v2/pages',
  attachment: '/core/v2/media',
};

const TAXONOMIES = [
  ['category', '/core/v2/categories'],
  ['post_tag', '/core/v2/tags'],
] as const;

/** Names of relations below `wp:` may be written short. */
const CURIES: Link = { name: 'wp', href: 'https://api.w.org/{rel}', templated: true };

/** The resources that an entry hangs together with; in the edit context what its reader may do with it, too. */
export function entryLinks(entry: Entry, request: SiteRequest<ContentState>, context: string): JsonObject {
  const { link } = request;
  const self = link(`${COLLECTIONS[entry.kind]}/${entry.id}`);
  const links: Record<string, string | Link | Link[]> = {
    self,
    collection: link(COLLECTIONS[entry.kind]),
    about: link(`/core/v2/types/${entry.kind}`),
    author: { embeddable: true, href: link(`/core/v2/users/${entry.author}`) },
    replies: { embeddable: true, href: link('/core/v2/comments', { post: entry.id }) },
    ...(entry.kind === 'attachment' ? {} : versions(entry, request)),
    ...relatives(entry, request),
    ...(context === 'edit' && mayWrite(request.user) ? actions(entry.kind, self) : {}),
  };
  const short = Object.keys(links).some((relation) => relation.startsWith('wp:'));
  return asLinks(short ? { ...links, curies: CURIES } : links);
}

function versions({ id, kind }: Entry, { state, link }: SiteRequest<ContentState>): Record<string, Link> {
  const route = `${COLLECTIONS[kind]}/${id}/revisions`;
  const kept = [...state.revisions.values()].filter((revision) => revision.parent === id);
  const latest = kept.at(-1);
  return {
    'version-history': { count: kept.length, href: link(route) },
    ...(latest === undefined
      ? {}
      : { 'predecessor-version': { id: latest.id, href: link(`${route}/${latest.id}`) } }),
  };
}

function relatives(entry: Entry, { state, link }: SiteRequest<ContentState>): Record<string, Link | Link[]> {
  const { id, kind, parent, featuredMedia } = entry;
  const links: Record<string, Link | Link[]> = {};
  if (kind === 'page' && state.entries.has(parent)) {
    links['up'] = { embeddable: true, href: link(`${COLLECTIONS.page}/${parent}`) };
  }
  if (featuredMedia !== 0) {
    links['wp:featuredmedia'] = {
      embeddable: true,
      href: link(`${COLLECTIONS.attachment}/${featuredMedia}`),
    };
  }
  if (kind !== 'attachment') {
    links['wp:attachment'] = { href: link(COLLECTIONS.attachment, { parent: id }) };
  }
  if (kind === 'post') {
    links['wp:term'] = TAXONOMIES.map(([taxonomy, route]) => ({
      taxonomy,
      embeddable: true,
      href: link(route, { post: id }),
    }));
  }
  return links;
}

const ACTIONS: Readonly<Record<Kind, readonly string[]>> = {
  post: [
    ...['publish', 'unfiltered-html', 'sticky', 'assign-author'],
    ...['create-categories', 'assign-categories', 'create-tags', 'assign-tags'],
  ],
  page: ['publish', 'unfiltered-html', 'assign-author'],
  attachment: ['unfiltered-html', 'assign-author'],
};

function actions(kind: Kind, href: string): Record<string, string> {
  return Object.fromEntries(ACTIONS[kind].map((action) => [`wp:action-${action}`, href]));
}
