import type { Entry } from '../model/entries.ts';
import type { ContentRequest, ContentState } from '../model/state.ts';
import { sanitizeTitle } from '../rules/slug.ts';

type PermalinkContext = Pick<ContentRequest, 'address' | 'state'>;

/** Where an entry is read: by date and slug, by the slugs of its ancestors, or by its number while it has no name. */
export function getPermalink(entry: Entry, site: PermalinkContext): string {
  if (hasIdPermalink(entry)) return getIdPermalink(entry, site);
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', entry.slug));
}

/** The address that never changes. */
export function getIdPermalink(
  entry: Pick<Entry, 'id' | 'kind'>,
  { address }: Pick<PermalinkContext, 'address'>,
): string {
  return address(entry.kind === 'page' ? `/?page_id=${entry.id}` : `/?p=${entry.id}`);
}

/** The address with a gap for the slug, as an editor shows it. */
export function getPermalinkTemplate(entry: Entry, site: PermalinkContext): string {
  const placeholder = entry.kind === 'page' ? '%pagename%' : '%postname%';
  return site.address(getPathTemplate(entry, site.state).replace('%slug%', placeholder));
}

/** The slug that the title would give. */
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
    // A writer may have made two pages each other's parents.
    if (seen.has(ancestor.id)) break;
    seen.add(ancestor.id);
    ancestors.unshift(ancestor.slug || String(ancestor.id));
  }
  return `/${[...ancestors, '%slug%'].join('/')}/`;
}
