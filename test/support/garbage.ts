import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Removes the objects from memory that nothing refers to. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 does not expose gc()');
  collect();
}
