import { nextId, type Task, type TimeTrack } from '../model/index.ts';
import { type Making, userOf } from './history.ts';
import { between, daysAgo, later } from './times.ts';
import { NOTES } from './words.ts';

/** Time that the assigned have spent on a task. */
export function makeTimeTracks({ state, random, history }: Making, task: Task): void {
  for (const userId of task.assignees) {
    for (let count = random.integer(0, 2); count > 0; count--) {
      const startedAt = between(random, task.createdAt, task.completedAt ?? daysAgo(1));
      const minutes = random.integer(1, 24) * 10;
      const track: TimeTrack = {
        id: nextId(state, 'timeTracks'),
        boardId: task.boardId,
        taskId: task.id,
        userId,
        status: 'committed',
        startedAt,
        committedAt: later(startedAt, minutes),
        minutes,
        note: random.pick(NOTES),
        billable: random.chance(0.7),
      };
      state.timeTracks.set(track.id, track);
      history.push({
        boardId: task.boardId,
        taskId: task.id,
        action: 'committed',
        subject: 'time-track',
        text: `spent ${minutes} minutes on “${task.title}”`,
        user: userOf(state, userId),
        at: track.committedAt ?? startedAt,
      });
    }
  }
}
