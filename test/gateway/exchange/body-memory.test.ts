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

  test('is limited for one client to half of it', () => {
    const memory = createBodyMemory(100);
    expect(new BodyReservation(memory, '192.0.2.1').grow(30)).toBe(true);
    expect(new BodyReservation(memory, '192.0.2.1').grow(21)).toBe(false);
    expect(new BodyReservation(memory, '192.0.2.2').grow(21)).toBe(true);
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

  test.each([
    ['addresses of one IPv6 network of 64 bits', '2001:db8::1', '2001:db8::ffff:2', false],
    ['addresses of different IPv6 networks', '2001:db8:0:1::1', '2001:db8:0:2::1', true],
    ['IPv4 addresses in the form of IPv6', '::ffff:192.0.2.1', '::ffff:192.0.2.2', true],
    ['an IPv4 address in both forms', '::ffff:192.0.2.1', '192.0.2.1', false],
    ['unknown addresses', '', '', false],
  ])('counts %s: %s and %s', (_, one, other, areDifferent) => {
    const memory = createBodyMemory(100);
    expect(new BodyReservation(memory, one).grow(50)).toBe(true);
    expect(new BodyReservation(memory, other).grow(50)).toBe(areDifferent);
  });
});
