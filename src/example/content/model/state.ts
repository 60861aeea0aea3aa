import type { EndpointDeclaration, RouteDeclaration, SiteRequest } from '../../site/declarations.ts';
import type { SeededRandom } from '../../site/random.ts';
import type { AssistantState } from './chat.ts';
import type { Author, Entry, Revision, StoredFile, Term } from './entries.ts';

/** All that Site A holds: in memory, and the same for the same seed. */
export interface ContentState {
  readonly entries: Map<number, Entry>;
  readonly revisions: Map<number, Revision>;
  readonly terms: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, Author>;
  /** By path below the uploads folder: `2025/01/harbour.png`. */
  readonly files: Map<string, StoredFile>;
  /** Files that were sent ahead, by token, until they are used or cancelled. */
  readonly uploads: Map<string, PendingUpload>;
  readonly accessLinks: Map<string, AccessLink>;
  readonly assistant: AssistantState;
  readonly random: SeededRandom;
  /** Entries and revisions number themselves from one row, as in WordPress's table. */
  nextId(): number;
}

/** A file that was sent ahead: it waits to be used, an hour long. */
export interface PendingUpload {
  readonly id: string;
  readonly owner: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Below the uploads folder. */
  readonly file: string;
  readonly expires: number;
}

/** A link that lets its bearer in once, for a few minutes. */
export interface AccessLink {
  readonly nonce: string;
  /** Who made it, and as whom its bearer comes in. */
  readonly user: { readonly id: number; readonly name: string };
  readonly expires: number;
  readonly isUsed: boolean;
}

export type ContentRequest = SiteRequest<ContentState>;
export type ContentRoute = RouteDeclaration<ContentState>;
export type ContentEndpoint = EndpointDeclaration<ContentState>;
