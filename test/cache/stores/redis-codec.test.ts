import { expect, test } from 'vitest';
import {
  encodeAcknowledgement,
  encodePurgeMessage,
  type PurgeOperation,
  parseAcknowledgement,
  parsePurgeMessage,
  purgeKeyForCacheKey,
  purgeKeyForTag,
} from '../../../src/cache/stores/redis/codec.ts';

const parse = (message: string) => parsePurgeMessage(new TextEncoder().encode(message));

test.each<PurgeOperation>([
  { mode: 'hard', selection: { kind: 'tags', tags: ['posts', 'caf\u00e9 \u{1F600}'] } },
  { mode: 'unconfirmed', selection: { kind: 'keys', keys: ['/a'] } },
  { mode: 'soft', selection: { kind: 'all' } },
])('a purge is read as it was published: $mode', (purge) => {
  const position = { epoch: '1', seq: 2 };
  expect(parse(`1 2 ${encodePurgeMessage('one', purge)}`)).toEqual({ position, instanceId: 'one', purge });
});

test.each([
  '{"mode":"other","selection":{"kind":"all"}}',
  '{"mode":"hard","selection":{"kind":"tags","tags":[1]}}',
])('a purge of another version is not understood: %s', (message) => {
  expect(parse(`1 2 one ${message}`)?.purge).toBeUndefined();
});

test('an acknowledgement is read as it was written', () => {
  const acknowledgement = { instanceId: 'one', position: { epoch: '1', seq: 7 } };
  expect(encodeAcknowledgement(acknowledgement)).toBe('1 7 one');
  expect(parseAcknowledgement(new TextEncoder().encode('1 7 one'))).toEqual(acknowledgement);
});

test('the name of a purge is short, whatever address a client has written to', () => {
  for (const name of [purgeKeyForTag, purgeKeyForCacheKey]) {
    const long = 'a'.repeat(15_000);
    expect(name(long).length).toBeLessThan(20);
    expect(name(long)).toBe(name(`${long}`));
    expect(name(long)).not.toBe(name(`${long}b`));
  }
  expect(purgeKeyForTag('a')).not.toBe(purgeKeyForCacheKey('a'));
  expect(purgeKeyForTag('a'.repeat(300))).not.toBe(purgeKeyForCacheKey('a'.repeat(300)));
});
