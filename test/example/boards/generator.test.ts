import { describe, expect, test } from 'vitest';
import { createBoardState, SEED_END } from '../../../src/example/boards/seed.ts';
import type { BoardState } from '../../../src/example/boards/state.ts';
import { toTimestamp } from '../../../src/example/boards/state.ts';
import { SeededRandom } from '../../../src/example/site/random.ts';

const generateState = (seed: number): BoardState => createBoardState({ random: new SeededRandom(seed) });
const state = generateState(1);

describe('the generated boards', () => {
  test('the state depends only on the seed', () => {
    expect(generateState(1)).toEqual(state);
    expect([...generateState(2).tasks.values()]).not.toEqual([...state.tasks.values()]);
  });

  test('boards are of both kinds, one is archived, some are public', () => {
    const boards = [...state.boards.values()];
    expect(new Set(boards.map((board) => board.kind))).toEqual(new Set(['kanban', 'roadmap']));
    expect(boards.filter((board) => board.archivedAt !== null)).toHaveLength(1);
    expect(boards.filter((board) => board.publicAccess.enabled).length).toBeGreaterThan(1);
  });

  test('boards have about two hundred tasks with comments, replies, time tracks and votes', () => {
    expect(state.tasks.size).toBeGreaterThan(190);
    expect(state.comments.size).toBeGreaterThan(100);
    expect(state.replies.size).toBeGreaterThan(20);
    expect(state.timeTracks.size).toBeGreaterThan(50);
    expect(state.votes.length).toBeGreaterThan(50);
    expect(state.folders.size).toBe(3);
  });

  test('tasks are numbered from 1 in each stage, and archived tasks have position 0', () => {
    for (const board of state.boards.values()) {
      for (const stage of state.activeStages(board.id)) {
        const positions = state.activeTasksInStage(stage.id).map((task) => task.position);
        expect(positions).toEqual(positions.map((_, index) => index + 1));
      }
    }
    const archived = [...state.tasks.values()].filter((task) => task.archivedAt !== null);
    expect(archived.length).toBeGreaterThan(5);
    expect(archived.every((task) => task.position === 0)).toBe(true);
  });

  test('slugs are unique on a board', () => {
    const slugs = [...state.tasks.values()].map((task) => `${task.boardId}/${task.slug}`);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  test('the history is sorted by time and ends before the epoch', () => {
    const times = [...state.activities.values()].map((activity) => activity.at);
    expect(times).toEqual(times.toSorted());
    expect(times.at(-1)?.localeCompare(toTimestamp(SEED_END))).toBeLessThanOrEqual(0);
  });

  test('every reference points to an existing item', () => {
    for (const task of state.tasks.values()) {
      expect(state.stages.get(task.stageId)?.boardId).toBe(task.boardId);
      for (const label of task.labels) expect(state.labels.get(label)?.boardId).toBe(task.boardId);
    }
    for (const vote of state.votes) expect(state.tasks.get(vote.ideaId)?.type).toBe('idea');
    for (const folder of state.folders.values()) {
      for (const board of folder.boardIds) expect(state.boards.has(board)).toBe(true);
    }
  });
});
