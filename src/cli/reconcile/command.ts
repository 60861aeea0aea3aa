import { join } from 'node:path';
import { Command, Option } from 'commander';
import { ConfigurationError } from '../../errors.ts';
import { createDiscoveryCliOptions, type DiscoveryFlags, resolveDiscovery } from '../discovery-flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { parseWholeNumber } from '../option-parsers.ts';
import { requireFileName, writeFiles } from '../output-files.ts';
import { withProgress } from '../progress.ts';
import { formatReconcileSummary } from './summary.ts';

interface ReconcileFlags extends DiscoveryFlags {
  readonly out: string;
  readonly name?: string;
  readonly maxRequests: number;
  readonly json?: boolean;
}

export function createReconcileCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  const command = new Command('reconcile')
    .argument('<site-url>', 'any URL of the site: its front page, its root index, or a page below')
    .option('--out <dir>', 'folder to write to', '.')
    .option('--name <name>', "base name of the file <name>.overlay.json (default: the site's host)")
    .addOption(
      new Option('--max-requests <n>', 'maximum number of GET requests sent to the site')
        .argParser(parseWholeNumber)
        .default(200),
    )
    .option('--json', 'print the report as JSON instead of a summary');
  for (const option of createDiscoveryCliOptions()) command.addOption(option);
  return command.action(async (url: string, flags: ReconcileFlags) => {
    const { json, maxRequests, out } = flags;
    if (maxRequests < 1) throw new ConfigurationError('--max-requests must be at least 1');
    const discovery = await resolveDiscovery(url, flags, io);
    const options = { ...discovery.options, maxRequests };
    const name = flags.name === undefined ? undefined : requireFileName(flags.name);
    const { reconcile } = await import('../../reconcile/index.ts');
    const { overlay, report } = await withProgress(io, (onProgress) =>
      reconcile(discovery.url, { ...options, onProgress }),
    );
    const { defaultBaseName } = await import('../../generate.ts');
    const file = `${name ?? defaultBaseName(report.site)}.overlay.json`;
    await writeFiles(out, new Map([[file, `${JSON.stringify(overlay, null, 2)}\n`]]));
    io.writeOut(
      json === true
        ? `${JSON.stringify(report, null, 2)}\n`
        : formatReconcileSummary(report, join(out, file)),
    );
    done(0);
  });
}
