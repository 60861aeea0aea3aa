import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WaygateError } from '../../base/errors.ts';
import { formatChanges } from '../../generator/changes/index.ts';
import type { CommandIo } from '../io.ts';
import { writeFiles } from '../output-files.ts';
import { checkFiles } from './check-files.ts';
import type { GenerationJob } from './jobs.ts';
import { runJob } from './run-job.ts';

const MAX_PRINTED_CHANGES = 20;

/**
 * Generates at an interval until a signal aborts. Files are written only if the interface or the files changed; then the changes
 * are printed. A site that cannot be read is tried again; the reason is printed once.
 *
 * @param interval milliseconds from the end of a generation to the next
 * @param isDue whether somebody would notice a change; asked before each generation
 */
export async function watchSites(
  jobs: readonly GenerationJob[],
  interval: number,
  signal: AbortSignal,
  io: CommandIo,
  isDue: () => boolean = () => true,
): Promise<void> {
  const failures = new Map<GenerationJob, string | undefined>();
  while (!signal.aborted) {
    for (const job of isDue() ? jobs : []) {
      const failure = await regenerate(job, signal, io);
      if (signal.aborted) return;
      if (failure !== failures.get(job)) io.writeErr(`waygate: ${failure ?? 'generate works again'}\n`);
      failures.set(job, failure);
    }
    await wait(interval, undefined, { signal }).catch(() => {});
  }
}

/**
 * Generates the files of a site, and writes them if they changed.
 *
 * @returns why the generation failed; `undefined` if it did not
 */
export async function regenerate(
  job: GenerationJob,
  signal: AbortSignal,
  io: CommandIo,
): Promise<string | undefined> {
  const cwd = io.cwd ?? process.cwd();
  try {
    const result = await runJob(job, { keepTexts: true, signal }, io);
    const check = await checkFiles(result, cwd);
    if (check.stale.length === 0) return undefined;
    await writeFiles(resolve(cwd, result.out), result.files);
    const lines = formatChanges(check.comparison, MAX_PRINTED_CHANGES);
    const names = check.stale.map(({ path }) => path).join(', ');
    io.writeOut(`${[`Written: ${names}`, ...lines.map((line) => `  ${line}`)].join('\n')}\n`);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof WaygateError)) throw error;
    return error.message;
  }
}
