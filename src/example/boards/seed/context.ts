import type { SeededRandom } from '../../site/random.ts';
import type { SiteUser } from '../../site/users.ts';
import type {
  ActivityEntry,
  ActivitySubject,
  Board,
  BoardState,
  Label,
  Stage,
  Timestamp,
} from '../model/index.ts';
import type { BoardPlan } from './board-plans.ts';

/** An entry of the history of a board, before the entries of all boards are sorted and numbered. */
export interface SeedActivity extends ActivityEntry {
  readonly boardId: number;
  readonly subject: ActivitySubject;
  readonly user: SiteUser | null;
  readonly at: Timestamp;
}

/** The state that the seed fills, with the sources of its content. */
export interface SeedContext {
  readonly state: BoardState;
  readonly random: SeededRandom;
  /** In no particular order. */
  readonly history: SeedActivity[];
}

/** A board whose tasks are created next. */
export interface SeededBoard {
  readonly board: Board;
  readonly plan: BoardPlan;
  readonly stages: readonly Stage[];
  readonly labels: readonly Label[];
}

export function findSeedUser(state: BoardState, id: number): SiteUser | null {
  return state.users.find((user) => user.id === id) ?? null;
}
