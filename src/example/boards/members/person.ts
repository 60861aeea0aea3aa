import type { JsonObject } from '../../../json.ts';
import type { BoardState } from '../model/types.ts';

/** How a person is shown beside what they did. */
export const PERSON: JsonObject = {
  description: 'A person; null for somebody without an account.',
  type: ['object', 'null'],
  readonly: true,
  properties: {
    id: { description: 'Number of the user.', type: 'integer' },
    name: { description: 'Name as shown.', type: 'string' },
  },
};

export function showPerson(state: BoardState, userId: number | null): JsonObject | null {
  if (userId === null) return null;
  const user = state.users.find(({ id }) => id === userId);
  return { id: userId, name: user?.name ?? 'A former member' };
}
