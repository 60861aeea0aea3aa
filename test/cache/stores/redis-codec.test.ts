import { expect, test } from 'vitest';
import { parsePurgeMessage, toPurgedName } from '../../../src/cache/stores/redis/codec.ts';

const parse = (message: string) => parsePurgeMessage(new TextEncoder().encode(message));

test.each([
  '{"mode":"other","selection":{"kind":"all"}}',
  '{"mode":"hard","selection":{"kind":"tags","tags":[1]}}',
])('a purge of another version is not understood: %s', (message) => {
  expect(parse(`1 2 one ${message}`)?.purge).toBeUndefined();
});

test('the name of a purge is short, whatever address a client has written to', () => {
  const long = 'a'.repeat(15_000);
  expect(toPurgedName(long).length).toBeLessThan(20);
  expect(toPurgedName(long)).toBe(toPurgedName(`${long}`));
  expect(toPurgedName(long)).not.toBe(toPurgedName(`${long}b`));
});
