import { Command, Option } from 'commander';
import type { CalibrationReport } from '../../calibrate/index.ts';
import type { Log } from '../../ports.ts';
import { createDiscoveryCliOptions, type DiscoveryFlags, resolveDiscovery } from '../discovery-flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { parseRate, requireHttpUrl } from '../option-parsers.ts';
import { withProgress } from '../progress.ts';
import { abortOnSignal } from '../signals.ts';
import { requireConsent } from './consent.ts';
import { formatCalibrationSummary } from './summary.ts';

interface CalibrateFlags extends DiscoveryFlags {
  readonly state?: string;
  readonly name?: string;
  readonly for?: string;
  readonly methods: 'get' | 'all';
  readonly yes?: boolean;
  readonly rate: number;
  readonly json?: boolean;
}

export function createCalibrateCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  const command = new Command('calibrate')
    .argument('<site-url>', "the site's URL, as in the configuration of the gateway")
    .option(
      '--state <folder>',
      'folder of the evidence, that of waygate serve --state; known rules are skipped',
    )
    .option('--name <site>', "the site's name in the configuration of the gateway (the site without a name)")
    .option(
      '--for <url>',
      'URL of the site in the configuration of the gateway, where <site-url> is a copy of the site (<site-url>)',
    )
    .addOption(
      new Option(
        '--methods <methods>',
        'get: requests that only read; all: also requests that write, for a copy of the site',
      )
        .choices(['get', 'all'])
        .default('get'),
    )
    .option('--yes', 'with --methods all: do not ask whether the site may execute writes')
    .addOption(
      new Option('--rate <rate>', 'maximum number of requests per second')
        .argParser(parseRate)
        .default(10, '10/s'),
    )
    .option('--json', 'print the report as JSON instead of a summary');
  for (const option of createDiscoveryCliOptions()) command.addOption(option);
  return command.action(async (url: string, flags: CalibrateFlags) => {
    const { for: evidenceFor, json, methods, name, rate, state: folder } = flags;
    const discovery = await resolveDiscovery(url, flags, io);
    if (evidenceFor !== undefined) requireHttpUrl(evidenceFor);
    if (methods === 'all') await requireConsent(url, flags.yes === true, io);
    const { calibrate } = await import('../../calibrate/index.ts');
    const { stateFolder } = await import('../../node/state-folder.ts');
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
      io.writeOut(
        json === true ? `${JSON.stringify(report, null, 2)}\n` : formatCalibrationSummary(report, folder),
      );
      done(exitCodeOf(report.stopped, exitCode()));
    } catch (error) {
      const interrupted = exitCode();
      if (interrupted === undefined || error !== signal.reason) throw error;
      io.writeErr('waygate: interrupted before the first request that violates a rule\n');
      done(interrupted);
    } finally {
      stop();
    }
  });
}

/** Writes the messages of a log for a person. */
function createMessageLog({ writeErr }: CommandIo): Log {
  const write = (_: object, message: string): void => writeErr(`waygate: ${message}\n`);
  return { info() {}, warn: write, error: write };
}

function exitCodeOf(stopped: CalibrationReport['stopped'], interrupted: ExitCode | undefined): ExitCode {
  if (stopped === undefined) return 0;
  return stopped === 'unreachable' ? 3 : (interrupted ?? 0);
}
