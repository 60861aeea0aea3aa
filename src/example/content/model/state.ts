import type { EndpointDeclaration, RouteDeclaration, SiteRequest } from '../../site/declarations.ts';
import type { SeededRandom } from '../../site/random.ts';
import type { AssistantState } from './chat.ts';
import type { Author, Entry, Revision, StoredFile, Term } from './entries.ts';

/** The data of the content site. */
export interface ContentState {
  readonly entries: Map<number, Entry>;
  readonly revisions: Map<number, Revision>;
  readonly terms: ReadonlyMap<number, Term>;
  readonly authors: ReadonlyMap<number, Author>;
  /** By path below the uploads folder, such as `2025/01/harbour.png`. */
  readonly files: Map<string, StoredFile>;
  /** Uploaded files that no media item uses, by `id`. They expire or are cancelled. */
  readonly uploads: Map<string, PendingUpload>;
  readonly accessLinks: Map<string, AccessLink>;
  readonly assistant: AssistantState;
  readonly random: SeededRandom;
  /** The next id. As in WordPress, entries and revisions share one sequence. */
  nextId(): number;
}

/** A file that was uploaded through the extension. It expires after an hour. */
export interface PendingUpload {
  readonly id: string;
  readonly owner: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The path below the uploads folder. */
  readonly file: string;
  readonly expires: number;
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
export type ContentRoute = RouteDeclaration<ContentState>;
export type ContentEndpoint = EndpointDeclaration<ContentState>;
