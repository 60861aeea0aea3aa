/** What the site holds. Records are never changed in place: a write puts a new one, so a revision can keep the old. */

export type EntryKind = 'post' | 'page' | 'attachment';

export type EntryStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'inherit';

/** A post, a page or a media item: WordPress keeps them in one table, and so do we. */
export interface Entry {
  readonly id: number;
  readonly kind: EntryKind;
  readonly status: EntryStatus;
  /** Empty for a draft that nobody named. */
  readonly slug: string;
  readonly title: string;
  /** As written: block markup or plain paragraphs. A media item's description. */
  readonly content: string;
  /** As written; empty where it is made from the content. A media item's caption. */
  readonly excerpt: string;
  readonly password: string;
  readonly author: number;
  /** Milliseconds of the epoch. */
  readonly date: number;
  /** Whether the date is only that of the draft: it moves when the post is published. */
  readonly isDateFloating: boolean;
  readonly modified: number;
  /** Of a page its parent page, of a media item the post that it hangs on; 0 for none. */
  readonly parent: number;
  readonly menuOrder: number;
  readonly commentStatus: 'open' | 'closed';
  readonly pingStatus: 'open' | 'closed';
  /** The id of a media item; 0 for none. */
  readonly featuredMedia: number;
  readonly template: string;
  readonly format: string;
  readonly sticky: boolean;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly footnotes: string;
  /** What a trashed entry was. */
  readonly beforeTrash?: { readonly status: EntryStatus; readonly slug: string };
  /** Of media items only. */
  readonly media?: MediaFile;
}

export interface MediaFile {
  readonly mime: string;
  /** Below the uploads folder: `2025/01/harbour.png`. */
  readonly file: string;
  readonly alt: string;
  /** Of images. */
  readonly image?: { readonly width: number; readonly height: number };
  readonly sizes: Readonly<Record<string, ImageSize>>;
  /** Of an edited image: where it comes from and what was done, in order. */
  readonly edit?: { readonly sourceId: number; readonly file: string; readonly edits: readonly ImageEdit[] };
}

export interface ImageSize {
  /** In the folder of the original: `harbour-150x150.png`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

/** One step of an edit. Lengths are percentages of the image, angles degrees clockwise. */
export type ImageEdit =
  | { readonly type: 'flip'; readonly horizontal: boolean; readonly vertical: boolean }
  | { readonly type: 'rotate'; readonly angle: number }
  | {
      readonly type: 'crop';
      readonly left: number;
      readonly top: number;
      readonly width: number;
      readonly height: number;
    };

export interface Revision {
  readonly id: number;
  readonly parent: number;
  readonly author: number;
  readonly date: number;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
  /** What a user's editor keeps aside: one for each user and entry, which publishes nothing. */
  readonly isAutosave: boolean;
}

export interface Term {
  readonly id: number;
  readonly taxonomy: 'category' | 'post_tag';
  readonly name: string;
  readonly slug: string;
  readonly parent: number;
}

export interface Author {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

/** A file of the uploads folder. */
export interface StoredFile {
  readonly type: string;
  /** Made when first asked for, where that is dear. */
  readonly readBytes: () => Uint8Array;
}

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
