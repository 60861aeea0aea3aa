import type { CalibrateFlags } from '../../generated/option-types.d.ts';
import type { CalibrationReport, OpenReason, RuleFinding } from '../calibrate/index.ts';
import { countOf } from '../count-of.ts';
import type { Log } from '../ports.ts';
import { requireConsent, requireHttpUrl, resolveDiscovery } from './flags.ts';
import { alignColumns, type CommandIo, type ExitCode, toJsonText, withProgress } from './io.ts';
import { abortOnSignal } from './signals.ts';
import WORDS from './words.json' with { type: 'json' };

export async function runCalibrate(io: CommandIo, url: string, flags: CalibrateFlags): Promise<ExitCode> {
  const { for: evidenceFor, json, methods, name, rate, state: folder } = flags;
  const discovery = await resolveDiscovery(url, flags, io);
  if (evidenceFor !== undefined) requireHttpUrl(evidenceFor);
  if (methods === 'all') {
    const effect =
      'Each violates a rule of the index and names\nitems that do not exist, but the site executes a request whose violation it accepts. Use a copy of the site, and\nno credentials that may write.';
    await requireConsent('--methods all', url, effect, flags.yes === true, io);
  }
  const { calibrate } = await import('../calibrate/index.ts');
  const { prepareStateFolder, stateFolder } = await import('../node/state-folder.ts');
  if (folder !== undefined) await prepareStateFolder(folder);
  const { exitCode, signal, stop } = abortOnSignal();
  try {
    const report = await withProgress(io, (onProgress) =>
      calibrate(discovery.url, {
        ...discovery.options,
        signal,
        methods,
        rate,
        state: folder === undefined ? undefined : stateFolder(folder),
        name,
        evidenceFor: evidenceFor ?? url,
        interrupt: signal,
        log: createMessageLog(io),
        onProgress,
      }),
    );
    io.writeOut(json === true ? toJsonText(report) : formatCalibrationSummary(report, folder));
    return report.stopped === 'unreachable' ? 3 : report.stopped === undefined ? 0 : (exitCode() ?? 0);
  } catch (error) {
    const interrupted = exitCode();
    if (interrupted === undefined || error !== signal.reason) throw error;
    io.writeErr('waygate: interrupted before the first request that violates a rule\n');
    return interrupted;
  } finally {
    stop();
  }
}

function createMessageLog({ writeErr }: CommandIo): Log {
  const write = (_: object, message: string): void => writeErr(`waygate: ${message}\n`);
  return { info() {}, warn: write, error: write };
}

const OUTCOMES: Readonly<Record<RuleFinding['outcome'], string>> = WORDS.outcomes;

const REASONS: Readonly<Record<OpenReason, string>> = WORDS.openReasons;

const MAX_COLUMN_WIDTH = 60;

/**
 * Formats the result of a calibration for a person.
 *
 * @param folder the state folder; `undefined` when the evidence was not stored
 */
function formatCalibrationSummary(report: CalibrationReport, folder: string | undefined): string {
  const { definitions, findings, known, requests, site, stopped } = report;
  const lines = alignColumns(findings.map(describeFinding), MAX_COLUMN_WIDTH);
  const sections = (['confirmed', 'overruled', 'open'] as const).flatMap((outcome) => {
    const listed = lines.filter((_, at) => findings[at]?.outcome === outcome);
    if (listed.length === 0) return [];
    return [`  ${listed.length} ${OUTCOMES[outcome]}`, ...listed.map((line) => `    ${line}`)];
  });
  return `${[
    site,
    `  ${countOf(requests, 'request')} for ${countOf(definitions, 'definition')} of arguments; ${known} of them had no rule to find out`,
    ...sections,
    ...(stopped === undefined ? [] : [`  ${STOPPED[stopped]}`]),
    folder === undefined
      ? 'The evidence was not stored. To store it: --state <folder>'
      : `Evidence in ${folder}. Start waygate serve --state ${folder} --mode enforce to use it; a gateway that runs uses it from its next discovery on (SIGHUP).`,
  ].join('\n')}\n`;
}

const STOPPED: Readonly<Record<NonNullable<CalibrationReport['stopped']>, string>> = WORDS.stopped;

function describeFinding({ namespace, operations, param, reason, rule }: RuleFinding): readonly string[] {
  const words = [namespace, param, rule].filter((part) => part !== '').join(' ');
  return [words, reason === undefined ? countOf(operations.length, 'operation') : REASONS[reason]];
}
