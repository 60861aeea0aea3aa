import type { SiteRequest } from '../../rest-server/declarations.ts';

/** Entries are immutable: a write replaces the record. */

export type EntryKind = 'post' | 'page' | 'attachment';

export type EntryStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'inherit';

/** A post, page or media item: one collection, as in WordPress. */
export interface Entry {
  readonly id: number;
  readonly kind: EntryKind;
  readonly status: EntryStatus;
  /** Empty for a draft without a slug. */
  readonly slug: string;
  readonly title: string;
  /** Raw: block markup or plain paragraphs; the description of a media item. */
  readonly content: string;
  /** Raw; empty if generated from the content; the caption of a media item. */
  readonly excerpt: string;
  readonly password: string;
  readonly author: number;
  readonly date: number;
  /** Whether publishing sets the date to the current time. */
  readonly isDateFloating: boolean;
  readonly modified: number;
  /** Parent page, or the post of a media item; 0 if none. */
  readonly parent: number;
  readonly menuOrder: number;
  readonly commentStatus: 'open' | 'closed';
  readonly pingStatus: 'open' | 'closed';
  /** Media item; 0 if none. */
  readonly featuredMedia: number;
  readonly template: string;
  readonly format: string;
  readonly sticky: boolean;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly footnotes: string;
  readonly beforeTrash?: { readonly status: EntryStatus; readonly slug: string };
  readonly media?: MediaFile;
}

export interface MediaFile {
  readonly mime: string;
  /** Path in the uploads folder, e.g. `2025/01/harbour.png`. */
  readonly file: string;
  readonly alt: string;
  readonly image?: { readonly width: number; readonly height: number };
}

export function isImage({ mime }: MediaFile): boolean {
  return mime.startsWith('image/');
}

export interface Term {
  readonly id: number;
  readonly taxonomy: 'category' | 'post_tag';
  readonly name: string;
  readonly slug: string;
  readonly parent: number;
}

interface StoredFile {
  readonly type: string;
  readonly readBytes: () => Uint8Array;
}

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

export interface ContentState {
  readonly entries: Map<number, Entry>;
  readonly terms: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, string>;
  /** By path in the uploads folder. */
  readonly files: Map<string, StoredFile>;
  nextId(): number;
}

export type ContentRequest = SiteRequest<ContentState>;
