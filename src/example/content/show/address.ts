import type { SiteRequest } from '../../site/declare.ts';
import type { Entry } from '../entries.ts';
import { slugOf } from '../rules/slug.ts';
import type { ContentState } from '../state.ts';

type Addressing = Pick<SiteRequest<ContentState>, 'address' | 'state'>;

/** Where an entry is read: by date and slug, by the slugs of its ancestors, or by its number while it has no name. */
export function addressOf(entry: Entry, site: Addressing): string {
  if (isUnnamed(entry)) return byNumber(entry, site);
  return site.address(pathOf(entry, site.state).replace('%slug%', entry.slug));
}

/** The address that never changes. */
export function byNumber(
  entry: Pick<Entry, 'id' | 'kind'>,
  { address }: Pick<Addressing, 'address'>,
): string {
  return address(entry.kind === 'page' ? `/?page_id=${entry.id}` : `/?p=${entry.id}`);
}

/** The address with a gap for the slug, as an editor shows it. */
export function addressTemplate(entry: Entry, site: Addressing): string {
  const gap = entry.kind === 'page' ? '%pagename%' : '%postname%';
  return site.address(pathOf(entry, site.state).replace('%slug%', gap));
}

/** The slug that the title would give. */
export function generatedSlug(entry: Entry): string {
  return entry.slug === '' ? slugOf(entry.title) || String(entry.id) : entry.slug;
}

function isUnnamed({ status, slug }: Entry): boolean {
  return slug === '' || ['draft', 'pending', 'future', 'trash'].includes(status);
}

function pathOf(entry: Entry, state: ContentState): string {
  if (entry.kind === 'post')
    return `/${new Date(entry.date).toISOString().slice(0, 10).replaceAll('-', '/')}/%slug%/`;
  const ancestors: string[] = [];
  const seen = new Set([entry.id]);
  for (
    let above = state.entries.get(entry.parent);
    above !== undefined;
    above = state.entries.get(above.parent)
  ) {
    // A writer may have made two pages each other's parents.
    if (seen.has(above.id)) break;
    seen.add(above.id);
    ancestors.unshift(above.slug || String(above.id));
  }
  return `/${[...ancestors, '%slug%'].join('/')}/`;
}
