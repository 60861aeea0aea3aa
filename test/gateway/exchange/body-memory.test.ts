import { expect, test } from 'vitest';
import { BodyReservation, createBodyMemory } from '../../../src/gateway/exchange/request-body-validator.ts';

test('the memory for a request body is returned once', () => {
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
