import { join } from 'node:path';
import { Command } from 'commander';
import { readStructuredFile } from '../config/file.ts';
import type { Generated } from '../generate.ts';
import { checkName, readIfThere, writeFiles } from './files.ts';
import type { ExitCode, Io } from './io.ts';
import { checkUrl, type DiscoveryFlags, discoveryOptions, toDiscoverOptions } from './options.ts';
import { withProgress } from './progress.ts';
import { staleness } from './staleness.ts';
import { summary } from './summary.ts';

interface GenerateFlags extends DiscoveryFlags {
  readonly out: string;
  readonly name?: string;
  readonly server?: string;
  readonly overlay?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function generateCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command('generate')
    .description('Write the OpenAPI document (JSON and YAML), the TypeScript types and a report of a site.')
    .argument('<site-url>', 'any address of the site: its front page, its root index, or a page below')
    .option('--out <dir>', 'folder to write to', '.')
    .option('--name <name>', "name of the files (default: the site's host)")
    .option(
      '--server <url>',
      "address that the document's paths are below, such as a gateway's (default: the site's own)",
    )
    .option(
      '--overlay <file>',
      'OpenAPI Overlay to apply, such as waygate reconcile writes: the types follow (none)',
    )
    .option('--check', 'write nothing; say what differs, and exit with 1 if the files are stale')
    .option('--json', 'print the report as JSON instead of a summary');
  for (const option of discoveryOptions()) command.addOption(option);
  return command.action(async (url: string, flags: GenerateFlags) => {
    const options = {
      ...toDiscoverOptions(flags, io),
      name: flags.name === undefined ? undefined : checkName(flags.name),
      server: flags.server === undefined ? undefined : checkUrl(flags.server),
      overlay: flags.overlay === undefined ? undefined : await readStructuredFile(flags.overlay, '--overlay'),
    };
    // The types' compiler is large, and a gateway that starts has no use for it.
    const { generate, nameOf } = await import('../generate.ts');
    const generated = await withProgress(io, (onProgress) =>
      generate(checkUrl(url), { ...options, onProgress }),
    );
    if (flags.overlay === undefined) {
      await sayWhatStandsBeside(
        join(flags.out, `${flags.name ?? nameOf(generated.report.site)}.overlay.json`),
        io,
      );
    }
    sayWhatIsGone(generated, io);
    const code = flags.check === true ? await check(generated, flags, io) : await write(generated, flags, io);
    done(code);
  });
}

/** What is committed has to follow from the command line alone; but who has an overlay means to use it. */
async function sayWhatStandsBeside(path: string, io: Io): Promise<void> {
  if ((await readIfThere(path)) === null) return;
  io.err(`waygate: ${path} is there and was not applied; --overlay ${path} does.\n`);
}

/** Changes that were not made: the overlay is older than the site. */
function sayWhatIsGone({ report }: Generated, io: Io): void {
  for (const { rule, message } of report.diagnostics) {
    if (rule.startsWith('overlay-')) io.err(`waygate: ${message}\n`);
  }
}

async function write({ files, report }: Generated, { out, json }: GenerateFlags, io: Io): Promise<ExitCode> {
  await writeFiles(out, files);
  io.out(json === true ? `${JSON.stringify(report, null, 2)}\n` : summary(report, [...files.keys()], out));
  return 0;
}

async function check({ files, report }: Generated, { out, json }: GenerateFlags, io: Io): Promise<ExitCode> {
  const stale: string[] = [];
  for (const [name, content] of files) {
    const path = join(out, name);
    stale.push(...staleness(path, await readIfThere(path), content));
  }
  if (json === true)
    io.out(`${JSON.stringify({ stale: stale.length > 0, differences: stale, report }, null, 2)}\n`);
  else if (stale.length > 0)
    io.out(`${stale.join('\n')}\nRun waygate generate without --check to write them anew.\n`);
  else io.out(`${files.size} files are up to date.\n`);
  return stale.length === 0 ? 0 : 1;
}
