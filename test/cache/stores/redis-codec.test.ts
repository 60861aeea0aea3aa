import { describe, expect, test } from 'vitest';
import type { PurgeSelection } from '../../../src/cache/store.ts';
import {
  encodePurgeMessage,
  type PurgeOperation,
  parsePurgeMessage,
} from '../../../src/cache/stores/redis/codec.ts';

const encode = (selection: PurgeSelection): string => encodePurgeMessage('one', { mode: 'hard', selection });
const decode = (message: string): PurgeOperation | undefined =>
  parsePurgeMessage(new TextEncoder().encode(`1 2 ${message}`))?.purge;

describe('a message of a purge by clauses', () => {
  const groups = [{ name: 'other', exceptKinds: ['boards'] }];
  const clauses = [{ tags: ['item', 'caf\u00e9'], texts: ['Hello \u{1F600}', ''] }];
  const selection: PurgeSelection = { kind: 'tags', tags: ['posts'], groups, clauses };

  test('has them', () => {
    expect(decode(encode(selection))).toEqual({ mode: 'hard', selection });
  });

  test('names their tags beside the others, for gateways of an earlier version', () => {
    expect(encode(selection)).toContain('"tags":["posts","item","caf\u00e9"]');
  });

  test('names their tags only if the texts are too long', () => {
    const long = { ...selection, clauses: [{ tags: ['item'], texts: ['x'.repeat(20_000)] }] };
    const plain = { kind: 'tags', tags: ['posts', 'item'], groups };
    expect(decode(encode(long))).toEqual({ mode: 'hard', selection: plain });
  });

  test.each([
    ['"texts":["', '"texts":[1,"'],
    ['"plainTags":1', '"plainTags":"1"'],
    ['"clauses":[', '"clauses":[null,'],
  ])('is not understood with %s as %s', (valid, invalid) => {
    const message = encode(selection);
    expect(message).toContain(valid);
    expect(decode(message.replace(valid, invalid))).toBeUndefined();
  });
});
