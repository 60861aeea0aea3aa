import { expect, test } from 'vitest';
import type { RequestHead } from '../../../src/base/http/exchange.ts';
import type { Snapshot } from '../../../src/gateway/site/snapshot/snapshot.ts';
import { TargetMemory, TargetMemos } from '../../../src/gateway/site/target-memos.ts';

/** @returns whether a target had to be resolved */
function createSite(memory: TargetMemory): (target: string, method?: string) => boolean {
  let resolved = 0;
  const resolveRequest = (): object => {
    resolved += 1;
    return { kind: 'own', target: { kind: 'docs', path: '' } };
  };
  const snapshot = { resolveRequest } as unknown as Snapshot;
  const memos = new TargetMemos(memory);
  return (target, method = 'GET') => {
    const before = resolved;
    memos.find(snapshot, { method, target, headers: [] } as unknown as RequestHead);
    return resolved > before;
  };
}

test('a target is resolved once, and one that is long each time', () => {
  const resolves = createSite(new TargetMemory());
  const [short, long] = [`/${'a'.repeat(250)}`, `/${'a'.repeat(256)}`];
  expect([1, 2, 3].map(() => resolves(short))).toEqual([true, false, false]);
  expect([1, 2, 3].map(() => resolves(long))).toEqual([true, true, true]);
  expect(resolves(short, 'HEAD')).toBe(true);
});

test('the memos of all sites have one bound, and a flood at one site takes no memo of another', () => {
  const memory = new TargetMemory();
  const [flooded, quiet] = [createSite(memory), createSite(memory)];
  const pad = 'a'.repeat(200);
  const request = (resolves: typeof quiet, count: number): number =>
    Array.from({ length: count }, (_, at) => resolves(`/${at}/${pad}`)).filter(Boolean).length;
  for (const resolves of [quiet, flooded]) request(resolves, 100);
  expect([request(quiet, 100), request(flooded, 100)]).toEqual([0, 0]);
  for (let at = 0; at < 40_000; at += 1) flooded(`/flood/${at}/${pad}`);
  expect([request(quiet, 100), request(flooded, 100)]).toEqual([0, 100]);
});
