import type { JsonObject } from '../../json.ts';
import type { SiteRequest, SiteResponse } from '../../rest-server/declarations.ts';
import type { SeededRandom } from '../site/random.ts';

/** The records of the content site. Entries and revisions are immutable: a write replaces the record. */

export type EntryKind = 'post' | 'page' | 'attachment';

export type EntryStatus = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'inherit';

/** A post, page or media item. As in WordPress, one collection holds all three. */
export interface Entry {
  readonly id: number;
  readonly kind: EntryKind;
  readonly status: EntryStatus;
  /** Empty for a draft without a slug. */
  readonly slug: string;
  readonly title: string;
  /** The raw content, in block markup or plain paragraphs. The description of a media item. */
  readonly content: string;
  /** The raw excerpt; empty if it is generated from the content. The caption of a media item. */
  readonly excerpt: string;
  readonly password: string;
  readonly author: number;
  /** In epoch milliseconds. */
  readonly date: number;
  /** Whether the date is not fixed yet. Publishing sets it to the current time. */
  readonly isDateFloating: boolean;
  readonly modified: number;
  /** The parent page of a page, or the post to which a media item is attached; 0 if none. */
  readonly parent: number;
  readonly menuOrder: number;
  readonly commentStatus: 'open' | 'closed';
  readonly pingStatus: 'open' | 'closed';
  /** The id of a media item; 0 if none. */
  readonly featuredMedia: number;
  readonly template: string;
  readonly format: string;
  readonly sticky: boolean;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly footnotes: string;
  /** The status and slug of a trashed entry before it was trashed. */
  readonly beforeTrash?: { readonly status: EntryStatus; readonly slug: string };
  /** Only of media items. */
  readonly media?: MediaFile;
}

export interface MediaFile {
  readonly mime: string;
  /** The path below the uploads folder: `2025/01/harbour.png`. */
  readonly file: string;
  readonly alt: string;
  /** Only of images. */
  readonly image?: { readonly width: number; readonly height: number };
  readonly sizes: Readonly<Record<string, ImageSize>>;
  /** Only of an edited image: its source and the edits, in order. */
  readonly edit?: {
    readonly attachment_id: number;
    readonly file: string;
    readonly modifiers: readonly JsonObject[];
  };
}

export interface ImageSize {
  /** The name in the folder of the original: `harbour-150x150.png`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

export interface Revision
  extends Pick<Entry, 'id' | 'parent' | 'author' | 'date' | 'title' | 'content' | 'excerpt' | 'footnotes'> {
  /** Whether it is an autosave: unpublished text, at most one for each user and entry. */
  readonly isAutosave: boolean;
}

export interface Term {
  readonly id: number;
  readonly taxonomy: 'category' | 'post_tag';
  readonly name: string;
  readonly slug: string;
  readonly parent: number;
}

/** A file in the uploads folder. */
export interface StoredFile {
  readonly type: string;
  /** A generated image is drawn on the first call. */
  readonly readBytes: () => Uint8Array;
}

/** Creates an entry with the defaults of WordPress. */
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

/** A chat with the assistant. Times are as responses show them. */
export type ChatSession = {
  readonly id: string;
  readonly owner: number;
  title: string;
  model: string;
  /** Whether the session accepts no messages. */
  archived: boolean;
  readonly created: string;
  updated: string;
  readonly messages: { readonly role: ChatRole; readonly text: string; readonly time: string }[];
  /** The tool call that the model waits for. It must run or be denied before the next step. */
  pending: ToolCall | null;
};

export type ChatRole = 'user' | 'assistant' | 'tool';

export type ToolCall = {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  approval: 'unneeded' | 'waiting' | 'granted';
};

/** The data of the content site. */
export interface ContentState {
  readonly entries: Map<number, Entry>;
  readonly revisions: Map<number, Revision>;
  readonly terms: ReadonlyMap<number, Term>;
  /** The names of the authors by their ids. */
  readonly authors: ReadonlyMap<number, string>;
  /** By path below the uploads folder, such as `2025/01/harbour.png`. */
  readonly files: Map<string, StoredFile>;
  /** Uploaded files that no media item uses, by `id`; `file` is the path below the uploads folder. */
  readonly uploads: Map<string, { readonly id: string; readonly owner: number; readonly file: string }>;
  readonly accessLinks: Map<string, AccessLink>;
  readonly assistant: {
    readonly sessions: Map<string, ChatSession>;
    /** The time of consent to the use of the model, by user id. */
    readonly consents: Map<number, number>;
  };
  readonly random: SeededRandom;
  /** The next id. As in WordPress, entries and revisions share one sequence. */
  nextId(): number;
}

/** A link that grants access once, for a few minutes. */
interface AccessLink {
  readonly nonce: string;
  /** The user who created the link. Its bearer gets the access of this user. */
  readonly user: { readonly id: number; readonly name: string };
  readonly expires: number;
  readonly isUsed: boolean;
}

export type ContentRequest = SiteRequest<ContentState>;
export type ContentHandler = (request: ContentRequest) => SiteResponse;
