import type { DiscoveryProgress } from '../discovery/index.ts';
import type { Io } from './io.ts';

/** Back to the first column, and the line erased (ECMA-48, EL). */
const CLEAR = '\r\u001b[K';

/** Says on a terminal what is being done, in one line that is gone afterwards. Quiet in a pipe. */
export async function withProgress<T>(
  { err, interactive }: Pick<Io, 'err' | 'interactive'>,
  work: (onProgress: (progress: DiscoveryProgress) => void) => Promise<T>,
): Promise<T> {
  if (!interactive) return work(() => {});
  try {
    return await work((progress) => err(CLEAR + sentence(progress)));
  } finally {
    err(CLEAR);
  }
}

function sentence(progress: DiscoveryProgress): string {
  if (progress.step === 'asking') return `Asking ${progress.url} …`;
  const { done, total } = progress;
  return progress.step === 'schemas'
    ? `Asking for response schemas: ${done} of ${total} routes …`
    : `Asking for answers: ${done} of at most ${total} …`;
}
