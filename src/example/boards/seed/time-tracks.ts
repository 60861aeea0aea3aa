import { nextId, type Task, type TimeTrack } from '../model/index.ts';
import { findSeedUser, type SeedContext } from './context.ts';
import { SEED_NOTES } from './texts.ts';
import { addMinutesUntilSeedEnd, daysBeforeSeedEnd, randomTimestamp } from './timestamps.ts';

/** Adds committed time tracks of the assignees of a task. */
export function seedTimeTracks({ state, random, history }: SeedContext, task: Task): void {
  for (const userId of task.assignees) {
    for (let count = random.integer(0, 2); count > 0; count--) {
      const startedAt = randomTimestamp(random, task.createdAt, task.completedAt ?? daysBeforeSeedEnd(1));
      const minutes = random.integer(1, 24) * 10;
      const track: TimeTrack = {
        id: nextId(state, 'timeTracks'),
        boardId: task.boardId,
        taskId: task.id,
        userId,
        status: 'committed',
        startedAt,
        committedAt: addMinutesUntilSeedEnd(startedAt, minutes),
        minutes,
        note: random.pick(SEED_NOTES),
        billable: random.chance(0.7),
      };
      state.timeTracks.set(track.id, track);
      history.push({
        boardId: task.boardId,
        taskId: task.id,
        action: 'committed',
        subject: 'time-track',
        text: `spent ${minutes} minutes on “${task.title}”`,
        user: findSeedUser(state, userId),
        at: track.committedAt ?? startedAt,
      });
    }
  }
}
