import { describe, expect, test } from 'vitest';
import { BodyReservation, createBodyMemory } from '../../../src/gateway/exchange/request-body-validator.ts';

describe('the memory for request bodies', () => {
  test('is limited for all clients together', () => {
    const memory = createBodyMemory(100);
    const [first, second, third] = [1, 2, 3].map((at) => new BodyReservation(memory, `192.0.2.${at}`));
    expect([first?.grow(40), second?.grow(40), third?.grow(21), third?.grow(20)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    first?.release();
    expect(third?.grow(30)).toBe(true);
    expect([memory.held, memory.refused]).toEqual([90, 1]);
  });

  test('is returned once', () => {
    const memory = createBodyMemory(120);
    const one = new BodyReservation(memory, '192.0.2.1');
    const other = new BodyReservation(memory, '192.0.2.1');
    one.grow(30);
    other.grow(30);
    one.release();
    one.release();
    expect(memory.held).toBe(30);
    expect(other.grow(31)).toBe(false);
  });
});
