import { createSeededRandom, type SeededRandom } from '../../site/random.ts';
import { type AssistantState, createAssistantState } from '../chat/session.ts';
import type { Author, Entry, Revision, StoredFile, Term } from './entries.ts';
import type { AccessLink } from '../extension/admin-access.ts';
import type { PendingUpload } from '../extension/uploads.ts';
import { SEED_AUTHORS } from '../seed/authors.ts';
import { seedPostsAndPages } from '../seed/content.ts';
import { seedMedia } from '../seed/media.ts';
import { SEED_TERMS } from '../seed/fixtures.ts';

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

export function createContentState(seed = 1): ContentState {
  let last = 0;
  const state: ContentState = {
    entries: new Map(),
    revisions: new Map(),
    terms: new Map(SEED_TERMS.map((term) => [term.id, term])),
    authors: new Map(SEED_AUTHORS.map((author) => [author.id, author])),
    files: new Map(),
    uploads: new Map(),
    accessLinks: new Map(),
    assistant: createAssistantState(),
    random: createSeededRandom(seed),
    nextId: () => ++last,
  };
  seedMedia(state);
  seedPostsAndPages(state);
  return state;
}
