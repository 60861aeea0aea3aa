import { describe, expect, test } from 'vitest';
import { hashWindows } from '../../../src/cache/content/page-text.ts';
import type { PurgeSelection } from '../../../src/cache/store.ts';
import {
  encodeAcknowledgement,
  encodePurgeMessage,
  type PurgeOperation,
  parseAcknowledgement,
  parsePurgeMessage,
  purgeKeyForCacheKey,
  purgeKeyForTag,
  toSharedSelection,
} from '../../../src/cache/stores/redis/codec.ts';

const encode = (selection: PurgeSelection): string =>
  encodePurgeMessage('one', { mode: 'hard', selection: toSharedSelection(selection) });
const decode = (message: string): PurgeOperation | undefined =>
  parsePurgeMessage(new TextEncoder().encode(`1 2 ${message}`))?.purge;

describe('a message of a purge by clauses', () => {
  const groups = [{ name: 'other', exceptKinds: ['boards'] }];
  const clauses = [
    { tags: ['item', 'caf\u00e9'], texts: ['Hello \u{1F600}', ''] },
    { tags: ['item'], texts: ['2024-05-01'], exceptKinds: ['pages'] },
  ];
  const selection: PurgeSelection = { kind: 'tags', tags: ['posts'], groups, clauses };

  test('has hashes in place of their texts, and nothing that searches find', () => {
    const searched = { texts: ['Hello secret'], title: 'secret title' };
    const message = encode({ ...selection, clauses: clauses.map((clause) => ({ ...clause, searched })) });
    const hashed = clauses.map(({ texts, ...clause }) => ({ ...clause, texts: texts.map(hashWindows) }));
    expect(decode(message)).toEqual({ mode: 'hard', selection: { ...selection, clauses: hashed } });
    expect(message).not.toMatch(/Hello|secret/);
  });

  test('names their tags beside the others, for gateways of an earlier version', () => {
    expect(encode(selection)).toContain('"tags":["posts","item","caf\u00e9"]');
  });

  test('names their tags only if the texts are too long', () => {
    const texts = Array.from({ length: 2_000 }, (_, at) => `text ${at} of many`);
    const long = { ...selection, clauses: [{ tags: ['item'], texts }] };
    const plain = { kind: 'tags', tags: ['posts', 'item'], groups, clauses: [] };
    expect(decode(encode(long))).toEqual({ mode: 'hard', selection: plain });
  });

  test.each([
    ['"texts":[[', '"texts":[1,['],
    ['"texts":[[', '"texts":[["x",'],
    ['"plainTags":1', '"plainTags":"1"'],
    ['"hashed":[', '"hashed":[null,'],
  ])('is not understood with %s as %s', (valid, invalid) => {
    const message = encode(selection);
    expect(message).toContain(valid);
    expect(decode(message.replace(valid, invalid))).toBeUndefined();
  });
});

test.each([
  ['1 7 one', undefined],
  ['1 7 one 6', 6],
])('%s is an acknowledgement', (text, overlapped) => {
  const acknowledgement = { instanceId: 'one', position: { epoch: '1', seq: 7 }, overlapped };
  expect(encodeAcknowledgement(acknowledgement)).toBe(text);
  expect(parseAcknowledgement(new TextEncoder().encode(text))).toEqual(acknowledgement);
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
