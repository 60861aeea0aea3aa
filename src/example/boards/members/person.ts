import type { JsonObject } from '../../../json.ts';
import type { BoardState } from '../model/index.ts';
import { schema } from '../rest/index.ts';

/** Schema of the author or assignee of an item. */
export const PERSON_SCHEMA: JsonObject = {
  description: 'A person; null for somebody without an account.',
  type: ['object', 'null'],
  readonly: true,
  properties: { id: schema.integer('Number of the user.'), name: schema.string('Name as shown.') },
};

export function showPerson(state: BoardState, userId: number | null): JsonObject | null {
  if (userId === null) return null;
  const user = state.users.find(({ id }) => id === userId);
  return { id: userId, name: user?.name ?? 'A former member' };
}
