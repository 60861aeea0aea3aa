import type { Entry } from '../model/entries.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { sanitizeTitle } from '../rules/slug.ts';

type PermalinkContext = Pick<ContentRequest, 'address' | 'state'>;

/** The URL of an entry: by date and slug, by the slugs of its ancestors, or by id while it is unpublished. */
export function getPermalink(entry: Entry, site: PermalinkContext): string {
  if (hasIdPermalink(entry)) return getIdPermalink(entry, site);
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', entry.slug));
}

/** The URL by id, which never changes. */
export function getIdPermalink(
  entry: Pick<Entry, 'id' | 'kind'>,
  { address }: Pick<PermalinkContext, 'address'>,
): string {
  return address(entry.kind === 'page' ? `/?page_id=${entry.id}` : `/?p=${entry.id}`);
}

/** The URL with a placeholder for the slug, for editors. */
export function getPermalinkTemplate(entry: Entry, site: PermalinkContext): string {
  const placeholder = entry.kind === 'page' ? '%pagename%' : '%postname%';
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', placeholder));
}

/** The slug, or the one that the title gives. */
export function getGeneratedSlug(entry: Entry): string {
  return entry.slug === '' ? sanitizeTitle(entry.title) || String(entry.id) : entry.slug;
}

function hasIdPermalink({ status, slug }: Entry): boolean {
  return slug === '' || ['draft', 'pending', 'future', 'trash'].includes(status);
}

function getPathTemplate(entry: Entry, state: ContentState): string {
  if (entry.kind === 'post')
    return `/${new Date(entry.date).toISOString().slice(0, 10).replaceAll('-', '/')}/%slug%/`;
  const ancestors: string[] = [];
  const seen = new Set([entry.id]);
  for (
    let ancestor = state.entries.get(entry.parent);
    ancestor !== undefined;
    ancestor = state.entries.get(ancestor.parent)
  ) {
    // Pages can be each other's parents.
    if (seen.has(ancestor.id)) break;
    seen.add(ancestor.id);
    ancestors.unshift(ancestor.slug || String(ancestor.id));
  }
  return `/${[...ancestors, '%slug%'].join('/')}/`;
}
