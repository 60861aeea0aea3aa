import { join } from 'node:path';
import { Command } from 'commander';
import { readStructuredFile } from '../../config/structured-file.ts';
import type { GenerationResult } from '../../generate.ts';
import { createDiscoveryCliOptions, type DiscoveryFlags, toDiscoverOptions } from '../discovery-flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { requireHttpUrl } from '../option-parsers.ts';
import { readFileIfPresent, requireFileName, writeFiles } from '../output-files.ts';
import { withProgress } from '../progress.ts';
import { describeStaleFile } from './stale-files.ts';
import { formatGenerationSummary } from './summary.ts';

interface GenerateFlags extends DiscoveryFlags {
  readonly out: string;
  readonly name?: string;
  readonly server?: string;
  readonly overlay?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function createGenerateCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  const command = new Command('generate')
    .argument('<site-url>', 'any URL of the site: its front page, its root index, or a page below')
    .option('--out <dir>', 'folder to write to', '.')
    .option('--name <name>', "base name of the files (default: the site's host)")
    .option('--server <url>', "server URL of the document, such as a gateway's (default: the site's own)")
    .option('--overlay <file>', 'OpenAPI Overlay to apply, such as waygate reconcile writes (none)')
    .option('--check', 'write nothing; print the differences and exit with 1 if the files are stale')
    .option('--json', 'print the report as JSON instead of a summary');
  for (const option of createDiscoveryCliOptions()) command.addOption(option);
  return command.action(async (url: string, flags: GenerateFlags) => {
    const options = {
      ...toDiscoverOptions(flags, io),
      name: flags.name === undefined ? undefined : requireFileName(flags.name),
      server: flags.server === undefined ? undefined : requireHttpUrl(flags.server),
      overlay: flags.overlay === undefined ? undefined : await readStructuredFile(flags.overlay, '--overlay'),
    };
    // The type generator is large, so it is loaded only when it runs.
    const { defaultBaseName, generate } = await import('../../generate.ts');
    const generated = await withProgress(io, (onProgress) =>
      generate(requireHttpUrl(url), { ...options, onProgress }),
    );
    if (flags.overlay === undefined) {
      const name = flags.name ?? defaultBaseName(generated.report.site);
      await mentionUnusedOverlay(join(flags.out, `${name}.overlay.json`), io);
    }
    printOverlayDiagnostics(generated, io);
    done(await (flags.check === true ? checkFiles : writeGenerated)(generated, flags, io));
  });
}

/** An overlay beside the output is not applied by itself: the command line alone must determine the output. */
async function mentionUnusedOverlay(path: string, io: CommandIo): Promise<void> {
  if ((await readFileIfPresent(path)) === null) return;
  io.writeErr(`waygate: ${path} exists and was not applied. To apply it: --overlay ${path}\n`);
}

/** Prints the overlay actions that had no effect, because the overlay is older than the site. */
function printOverlayDiagnostics({ report }: GenerationResult, io: CommandIo): void {
  for (const { rule, message } of report.diagnostics) {
    if (rule.startsWith('overlay-')) io.writeErr(`waygate: ${message}\n`);
  }
}

async function writeGenerated(
  { files, report }: GenerationResult,
  { out, json }: GenerateFlags,
  io: CommandIo,
): Promise<ExitCode> {
  await writeFiles(out, files);
  io.writeOut(
    json === true
      ? `${JSON.stringify(report, null, 2)}\n`
      : formatGenerationSummary(report, [...files.keys()], out),
  );
  return 0;
}

async function checkFiles(
  { files, report }: GenerationResult,
  { out, json }: GenerateFlags,
  io: CommandIo,
): Promise<ExitCode> {
  const differences: string[] = [];
  for (const [name, content] of files) {
    const path = join(out, name);
    differences.push(...describeStaleFile(path, await readFileIfPresent(path), content));
  }
  const stale = differences.length > 0;
  if (json === true) {
    io.writeOut(`${JSON.stringify({ stale, differences, report }, null, 2)}\n`);
  } else if (stale) {
    io.writeOut(`${differences.join('\n')}\nRun waygate generate without --check to update them.\n`);
  } else {
    io.writeOut(`${files.size} files are up to date.\n`);
  }
  return stale ? 1 : 0;
}
