import type { StateSeed } from '../../site/definition.ts';
import { DEMO_USERS } from '../../site/users.ts';
import { type BoardState, createEmptyState, nextId, recordActivity, userSettings } from '../model/index.ts';
import { BOARD_PLANS } from './board-plans.ts';
import { seedBoard } from './boards.ts';
import type { SeedActivity } from './context.ts';
import { SEED_CONTACTS, SEED_USERS } from './people.ts';
import { daysBeforeSeedEnd } from './timestamps.ts';

/** Creates the initial state: boards of both kinds with a history that ends at `EPOCH`. */
export function createBoardState({ random }: Pick<StateSeed, 'random'>): BoardState {
  const state = createEmptyState([
    ...DEMO_USERS.map(({ id, login, name, email, role }) => ({ id, login, name, email, role })),
    ...SEED_USERS,
  ]);
  for (const contact of SEED_CONTACTS) state.contacts.set(nextId(state, 'contacts'), contact);
  const history: SeedActivity[] = [];
  for (const plan of BOARD_PLANS) seedBoard({ state, random, history }, plan);
  recordHistory(state, history);
  seedFolders(state);
  seedUserSettings(state);
  return state;
}

/** Records the activities in the order of their time, which is the order of their numbers. */
function recordHistory(state: BoardState, history: SeedActivity[]): void {
  const ordered = history.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  for (const { at, user, ...done } of ordered) recordActivity(state, done, { user, now: new Date(at) });
}

function seedFolders(state: BoardState): void {
  const folders = [
    ['Customers', 'Work that somebody pays for.', '#1098ad', [1, 6]],
    ['In the house', 'Work that nobody sees.', '#e64980', [5, 8]],
    ['Ideas', 'Both roadmaps.', '#7950f2', [3, 7]],
  ] as const;
  for (const [title, description, color, boardIds] of folders) {
    const id = nextId(state, 'folders');
    state.folders.set(id, {
      id,
      title,
      description,
      color,
      boardIds: [...boardIds],
      createdBy: 1,
      createdAt: daysBeforeSeedEnd(100),
    });
  }
}

function seedUserSettings(state: BoardState): void {
  userSettings(state, 1).pinnedBoards.push(1, 3);
  userSettings(state, 1).recentBoards.push(1, 6, 3);
  userSettings(state, 2).pinnedBoards.push(6);
  userSettings(state, 2).recentBoards.push(1, 2);
  userSettings(state, 3).recentBoards.push(1);
}
