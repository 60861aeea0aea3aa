import { expect, test } from 'vitest';
import {
  encodeAcknowledgement,
  encodePurgeMessage,
  type PurgeOperation,
  parsePurgeMessage,
  toPurgedName,
} from '../../../src/cache/stores/redis/codec.ts';

const parse = (message: string) => parsePurgeMessage(new TextEncoder().encode(message));
const position = { epoch: '1', seq: 2 };

test.each<PurgeOperation>([
  { mode: 'hard', selection: { kind: 'tags', tags: ['posts', 'caf\u00e9 \u{1F600}'] } },
  { mode: 'soft', selection: { kind: 'all' } },
])('a purge is read as it was published: $mode', (purge) => {
  expect(parse(`1 2 ${encodePurgeMessage('one', purge)}`)).toEqual({ position, gatewayId: 'one', purge });
});

test.each([
  '{"mode":"other","selection":{"kind":"all"}}',
  '{"mode":"hard","selection":{"kind":"tags","tags":[1]}}',
])('a purge of another version is not understood: %s', (message) => {
  expect(parse(`1 2 one ${message}`)?.purge).toBeUndefined();
});

test('an acknowledgement is read as it was written', () => {
  expect(parse(encodeAcknowledgement('one', position))).toEqual({ position, gatewayId: 'one' });
});

test('the name of a purge is short, whatever address a client has written to', () => {
  const long = 'a'.repeat(15_000);
  expect(toPurgedName(long).length).toBeLessThan(20);
  expect(toPurgedName(long)).toBe(toPurgedName(`${long}`));
  expect(toPurgedName(long)).not.toBe(toPurgedName(`${long}b`));
});
