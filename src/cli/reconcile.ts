import { basename, dirname, join, resolve } from 'node:path';
import { extensionOf } from '../base/document-extensions.ts';
import { ConfigurationError, messageOf } from '../base/errors.ts';
import { jsonItems, toJsonObject } from '../base/json.ts';
import type { ReconcileFlags } from '../base/option-types.ts';
import { countOf } from '../base/text.ts';
import type { ReconcileReport, StopReason, UnsentReason } from '../generator/reconcile/index.ts';
import { type GenerationJob, resolveJobs } from './generate/jobs.ts';
import {
  type CommandIo,
  type ExitCode,
  requireHttpUrl,
  resolveDiscovery,
  toJsonText,
  withProgress,
} from './io.ts';
import { readFileIfPresent, writeFiles } from './output-files.ts';
import WORDS from './words.json' with { type: 'json' };

export async function runReconcile(
  io: CommandIo,
  url: string | undefined,
  flags: ReconcileFlags,
): Promise<ExitCode> {
  if (flags.maxRequests < 1) throw new ConfigurationError('--max-requests must be at least 1');
  const jobs = await resolveJobs(url, flags, io);
  const reports: ReconcileReport[] = [];
  for (const job of jobs) reports.push(await reconcileJob(job, flags, io));
  if (flags.json === true) {
    io.writeOut(toJsonText(jobs.length === 1 ? reports[0] : reports));
  }
  const failed = reports.filter(hasFailed);
  for (const report of failed) io.writeErr(`waygate: ${describeFailure(report)}\n`);
  if (failed.length > 0) return 3;
  return reports.some((report) => countLeft(report) > 0) ? 1 : 0;
}

/** A site that asks for fewer requests (429, 503) has not failed. */
function hasFailed({ refused, sampled, stopped }: ReconcileReport): boolean {
  return sampled.after.responses === 0 && Object.keys(refused).length > 0 && stopped !== 'site-asked';
}

function describeFailure({ refused, site }: ReconcileReport): string {
  const isDenied = '401' in refused || '403' in refused;
  const advice = isDenied ? 'Give credentials that can read the site: --auth' : 'Run the command again';
  return `no request to ${site} was successful: ${formatRefused(refused)}. ${advice}`;
}

function formatRefused(refused: ReconcileReport['refused']): string {
  return Object.entries(refused)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
}

function countLeft({ skippedOperations }: ReconcileReport): number {
  return skippedOperations.filter(({ reason }) => reason === 'limit').length;
}

async function reconcileJob(
  job: GenerationJob,
  flags: ReconcileFlags,
  io: CommandIo,
): Promise<ReconcileReport> {
  const { name, out, url } = job;
  if (url === undefined) {
    throw new ConfigurationError(
      `reconcile sends requests to the site, and ${job.document} is a file. Give the site a "url"`,
    );
  }
  const options = resolveDiscovery(job, job);
  const siteUrl = requireHttpUrl(url);
  const { parseGivenRequest, reconcileFrom } = await import('../generator/reconcile/index.ts');
  const { discover } = await import('../generator/discovery/index.ts');
  const { defaultBaseName } = await import('../generate.ts');
  const samples = [...(job.samples ?? []), ...(flags.sample ?? [])];
  samples.forEach(parseGivenRequest);
  const { path, report } = await withProgress(io, async (onProgress) => {
    const site = await discover(siteUrl, { ...options, onProgress });
    if (site.diagnostics.some(({ rule }) => rule === 'credentials-unused'))
      throw new ConfigurationError(
        `${new URL(siteUrl).host} refuses the credentials: check the user and the application password. Nothing was requested`,
      );
    const path =
      typeof job.overlay === 'string'
        ? job.overlay
        : join(out, `${name ?? defaultBaseName(site.address.base)}.overlay.json`);
    const file = resolve(io.cwd ?? process.cwd(), path);
    const overlay = await readEarlierOverlay(file, path, flags.fresh === true);
    const { overlay: merged, report } = await reconcileFrom(site, siteUrl, {
      ...options,
      maxRequests: flags.maxRequests,
      samples,
      overlay,
      onProgress,
    });
    const text = toJsonText(merged);
    await writeFiles(dirname(file), new Map([[basename(file), () => [text]]]));
    return { path, report };
  });
  if (flags.json !== true) io.writeOut(formatReconcileSummary(report, path));
  return report;
}

/** @param isFresh whether only the actions that a person wrote are kept, which have no evidence */
async function readEarlierOverlay(file: string, path: string, isFresh: boolean): Promise<unknown> {
  const text = await readFileIfPresent(file);
  if (text === null) return undefined;
  try {
    const overlay: unknown = JSON.parse(text);
    if (!isFresh) return overlay;
    const actions = jsonItems(toJsonObject(overlay)['actions']).filter(
      (action) => extensionOf(toJsonObject(action), 'evidence') === undefined,
    );
    return actions.length === 0 ? undefined : { overlay: '1.1.0', actions };
  } catch (cause) {
    if (isFresh) return undefined;
    throw new ConfigurationError(`${path} is not JSON: ${messageOf(cause)}. --fresh replaces it`, { cause });
  }
}

const STOP_REASONS: Readonly<Record<StopReason, string>> = WORDS.stopReasons;

const UNSENT_REASONS: Readonly<Record<UnsentReason, string>> = {
  'no-operation': 'The document has no operation for it',
  limit: 'Sampling ended before it',
};

function formatReconcileSummary(report: ReconcileReport, path: string): string {
  const { sampled, stopped, untyped } = report;
  const { actions, keptActions, remaining } = report;
  const failures = formatRefused(report.refused);
  const unused = failures === '' ? '' : `, not used: ${failures}`;
  const kept =
    keptActions === 0 ? '' : `: ${keptActions} kept of the earlier overlay, ${actions - keptActions} new`;
  const findings = report.operations.reduce((sum, each) => sum + each.findings.length, 0);
  const differing = `  Responses of ${countOf(remaining.length, 'operation')} still differ from the document with the overlay.`;
  return [
    report.site,
    `  ${share(sampled.before.correct, sampled.before.responses)} → ${share(sampled.after.correct, sampled.after.responses)} of ${sampled.after.responses} sampled responses are described and valid`,
    `  ${countOf(report.requests, 'request')}${unused}`,
    ...Object.entries(report.unsentRequests).map(
      ([request, reason]) => `  Not sent: ${request}. ${UNSENT_REASONS[reason]}.`,
    ),
    ...(untyped.length === 0 ? [] : [`  ${countOf(untyped.length, 'response')} not described`]),
    ...(findings === 0 ? [] : [`  ${countOf(findings, 'difference')} from the index`]),
    ...(remaining.length === 0 ? [] : [differing]),
    `Written: ${path}, ${countOf(actions, 'action')}${kept}`,
    'waygate generate applies it if it is in the output folder. --json lists what is not described, and each difference.',
    ...(stopped === undefined ? [] : [describeStop(report, stopped)]),
    '',
  ].join('\n');
}

/** The command exits with 1 if an operation is left. */
function describeStop(report: ReconcileReport, reason: StopReason): string {
  const left = countLeft(report);
  return left === 0
    ? `Every operation was requested, some with fewer items than they have: ${STOP_REASONS[reason]}.`
    : `Stopped early: ${STOP_REASONS[reason]}. ${countOf(left, 'operation')} ${left === 1 ? 'was' : 'were'} not requested. The overlay has the responses so far.`;
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((part * 100) / whole)} %`;
}
