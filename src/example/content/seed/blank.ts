import type { Entry, EntryKind } from '../model/entries.ts';

/** An entry before anything is known of it, with what WordPress assumes. */
export function createBlankEntry(kind: EntryKind, id: number, time: number): Entry {
  return {
    id,
    kind,
    status: kind === 'attachment' ? 'inherit' : 'draft',
    slug: '',
    title: '',
    content: '',
    excerpt: '',
    password: '',
    author: 0,
    date: time,
    isDateFloating: kind !== 'attachment',
    modified: time,
    parent: 0,
    menuOrder: 0,
    commentStatus: kind === 'page' ? 'closed' : 'open',
    pingStatus: kind === 'post' ? 'open' : 'closed',
    featuredMedia: 0,
    template: '',
    format: 'standard',
    sticky: false,
    categories: [],
    tags: [],
    footnotes: '',
  };
}
