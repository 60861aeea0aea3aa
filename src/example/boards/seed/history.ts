import type { Random } from '../../site/random.ts';
import type { User } from '../../site/users.ts';
import type { Activity, BoardState, Timestamp } from '../model/index.ts';

/** What happened while the state was made, in no order. */
export type History = Happening[];

export interface Happening
  extends Pick<Activity, 'boardId' | 'action' | 'subject' | 'text'>,
    Partial<Pick<Activity, 'taskId' | 'oldValue' | 'newValue'>> {
  readonly at: Timestamp;
  readonly user: User | null;
}

/** What every part of the generator works with. */
export interface Making {
  readonly state: BoardState;
  readonly random: Random;
  readonly history: History;
}

export function userOf(state: BoardState, id: number): User | null {
  return state.users.find((user) => user.id === id) ?? null;
}
