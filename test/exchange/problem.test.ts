import { STATUS_CODES } from 'node:http';
import { expect, test } from 'vitest';
import { PROBLEMS, reasonPhrase } from '../../src/exchange/problem.ts';

test('the title of each problem is the phrase of its status', () => {
  // 499 is nginx's. Node has the older names of 413.
  const others = [413, 499];
  for (const { status } of Object.values(PROBLEMS)) {
    if (!others.includes(status)) expect(reasonPhrase(status)).toBe(STATUS_CODES[status]);
  }
});
