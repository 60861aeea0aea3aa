import type { DiscoveryProgress } from '../discovery/index.ts';
import { CLEAR_LINE, type CommandIo } from './io.ts';

/** Runs `work` and shows its progress in one line of the terminal. The line is erased at the end. A pipe gets no output. */
export async function withProgress<T>(
  { writeErr, isInteractive }: Pick<CommandIo, 'writeErr' | 'isInteractive'>,
  work: (onProgress: (progress: DiscoveryProgress) => void) => Promise<T>,
): Promise<T> {
  if (!isInteractive) return work(() => {});
  try {
    return await work((progress) => writeErr(CLEAR_LINE + describeProgress(progress)));
  } finally {
    writeErr(CLEAR_LINE);
  }
}

function describeProgress(progress: DiscoveryProgress): string {
  if (progress.step === 'request') return `Requesting ${progress.url} …`;
  const { done, total } = progress;
  switch (progress.step) {
    case 'schemas':
      return `Reading response schemas: ${done} of ${total} routes …`;
    case 'samples':
      return `Reading responses: ${done} of at most ${total} …`;
    case 'probes':
      return `Probing arguments: ${done} of ${total} definitions …`;
  }
}
