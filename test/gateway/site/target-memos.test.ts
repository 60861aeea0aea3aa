import { expect, test } from 'vitest';
import { Subsites } from '../../../src/gateway/router/target.ts';
import { TargetMemory, TargetMemos } from '../../../src/gateway/site/target-memos.ts';

test('the memos of all sites have one bound, and a flood at one site takes no memo of another', () => {
  const memory = new TargetMemory();
  /** @returns how many targets had to be resolved */
  const createSite = () => {
    let resolved = 0;
    const snapshot = {
      isDiscovered: true,
      subsites: new Subsites('http://example.com/', '/'),
      resolveRequest() {
        resolved += 1;
        return { kind: 'own', target: { kind: 'docs', path: '' } } as const;
      },
    };
    const memos = new TargetMemos(memory);
    return (folder: string, count: number): number => {
      const before = resolved;
      for (let at = 0; at < count; at += 1)
        memos.find(snapshot, { method: 'GET', target: `${folder}/${at}/${'a'.repeat(200)}`, headers: [] });
      return resolved - before;
    };
  };
  const [flooded, quiet] = [createSite(), createSite()];
  for (const request of [quiet, flooded]) request('/a', 100);
  expect([quiet('/a', 100), flooded('/a', 100)]).toEqual([0, 0]);
  flooded('/flood', 40_000);
  expect([quiet('/a', 100), flooded('/a', 100)]).toEqual([0, 100]);
});
