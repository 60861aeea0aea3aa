import { resolve } from 'node:path';
import { ConfigurationError, WaygateError } from '../../base/errors.ts';
import type { GenerateFlags } from '../../base/option-types.ts';
import { withoutCredentials } from '../../generator/discovery/redact.ts';
import { type CommandIo, type ExitCode, toJsonText } from '../io.ts';
import { writeFiles } from '../output-files.ts';
import { checkFiles, describeStaleFile, findMissingCredentials, formatCheck } from './check-files.ts';
import { type GenerationJob, resolveJobs } from './jobs.ts';
import { type JobResult, runJob } from './run-job.ts';
import { formatGenerationSummary, listAdvice } from './summary.ts';

type JobOutcome = readonly [code: ExitCode, json: unknown];

export async function runGenerate(
  io: CommandIo,
  url: string | undefined,
  flags: GenerateFlags,
): Promise<ExitCode> {
  const jobs = await resolveJobs(url, flags, io);
  const outcomes: JobOutcome[] = [];
  for (const job of jobs) outcomes.push(await tryJob(job, jobs.length > 1, flags, io));
  if (flags.json === true) {
    const values = outcomes.map(([, json]) => json);
    io.writeOut(toJsonText(jobs.length === 1 ? values[0] : values));
  }
  const codes = outcomes.map(([code]) => code).sort();
  return codes.at(-1) ?? 0;
}

async function tryJob(
  job: GenerationJob,
  isOneOfSeveral: boolean,
  flags: GenerateFlags,
  io: CommandIo,
): Promise<JobOutcome> {
  try {
    const result = await runJob(job, flags.check === true, io);
    for (const { rule, message } of result.report?.diagnostics ?? [])
      if (rule.startsWith('overlay-')) io.writeErr(`waygate: ${message}\n`);
    return await (flags.check === true ? checkJob : writeJob)(result, flags, io);
  } catch (error) {
    if (!isOneOfSeveral || !(error instanceof WaygateError)) throw error;
    const name = job.name ?? (job.url === undefined ? job.document : withoutCredentials(job.url));
    io.writeErr(`waygate: ${name}: ${error.message}\n`);
    return [error.exitCode, { site: name, error: error.message }];
  }
}

async function writeJob(result: JobResult, flags: GenerateFlags, io: CommandIo): Promise<JobOutcome> {
  await writeFiles(resolve(io.cwd ?? process.cwd(), result.out), result.files);
  if (flags.json !== true) io.writeOut(formatGenerationSummary(result));
  return [0, result.report ?? { files: [...result.files.keys()] }];
}

async function checkJob(result: JobResult, flags: GenerateFlags, io: CommandIo): Promise<JobOutcome> {
  const missing = findMissingCredentials(result);
  if (missing !== undefined) {
    throw new ConfigurationError(
      `${missing}. Nothing was compared. Set WAYGATE_AUTH to user:application-password, or generate the files again without credentials`,
    );
  }
  const check = await checkFiles(result, io.cwd ?? process.cwd());
  const isStale = check.stale.length > 0;
  if (flags.json !== true) io.writeOut(formatCheck(check, listAdvice(result.report?.diagnostics ?? [])));
  const { changes, omitted } = check.comparison;
  const json = {
    stale: isStale,
    differences: check.stale.map(describeStaleFile),
    changes,
    omittedChanges: omitted,
    incomparable: check.incomparable,
    report: result.report,
  };
  // Without a comparison nobody knows whether a change breaks something.
  const isSevere = [...changes.map(({ severity }) => severity), ...(omitted > 0 ? ['breaking'] : [])].some(
    (severity) => severity === 'breaking' || severity === flags.failOn,
  );
  // If the interface is unchanged, a missing file was deleted; otherwise it can be of a new namespace.
  const isDeleted = changes.length === 0 && check.stale.some(({ state }) => state === 'missing');
  const fails =
    (flags.failOn ?? 'any') === 'any' || check.incomparable !== undefined || isSevere || isDeleted;
  return [isStale && fails ? 1 : 0, json];
}
