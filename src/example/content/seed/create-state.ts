import { createSeededRandom } from '../../site/random.ts';
import type { ContentState } from '../model/state.ts';
import { seedPostsAndPages } from './content.ts';
import { SEED_AUTHORS, SEED_TERMS } from './fixtures.ts';
import { seedMedia } from './media.ts';

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
    assistant: { sessions: new Map(), consents: new Map() },
    random: createSeededRandom(seed),
    nextId: () => ++last,
  };
  seedMedia(state);
  seedPostsAndPages(state);
  return state;
}
