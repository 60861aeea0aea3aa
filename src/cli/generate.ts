import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigurationError } from '../errors.ts';
import type { Generated } from '../generate.ts';
import type { ExitCode, Io } from './io.ts';
import { checkUrl, type DiscoveryFlags, discoveryOptions, toDiscoverOptions } from './options.ts';
import { withProgress } from './progress.ts';
import { staleness } from './staleness.ts';
import { summary } from './summary.ts';

interface GenerateFlags extends DiscoveryFlags {
  readonly out: string;
  readonly name?: string;
  readonly server?: string;
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
    .option('--check', 'write nothing; say what differs, and exit with 1 if the files are stale')
    .option('--json', 'print the report as JSON instead of a summary');
  for (const option of discoveryOptions()) command.addOption(option);
  return command.action(async (url: string, flags: GenerateFlags) => {
    const options = {
      ...toDiscoverOptions(flags, io),
      name: flags.name === undefined ? undefined : checkName(flags.name),
      server: flags.server === undefined ? undefined : checkUrl(flags.server),
    };
    // The types' compiler is large, and a gateway that starts has no use for it.
    const { generate } = await import('../generate.ts');
    const generated = await withProgress(io, (onProgress) =>
      generate(checkUrl(url), { ...options, onProgress }),
    );
    const code = flags.check === true ? await check(generated, flags, io) : await write(generated, flags, io);
    done(code);
  });
}

function checkName(name: string): string {
  if (/^[^/\\\0]+$/.test(name) && name !== '.' && name !== '..') return name;
  throw new ConfigurationError(`--name "${name}" is not the name of a file; --out chooses the folder`);
}

async function write({ files, report }: Generated, { out, json }: GenerateFlags, io: Io): Promise<ExitCode> {
  try {
    await mkdir(out, { recursive: true });
    // Each file is whole or not there: another program may be reading the old one.
    for (const [name, content] of files) {
      const part = join(out, `.${name}.${process.pid}.part`);
      await writeFile(part, content);
      await rename(part, join(out, name));
    }
  } catch (cause) {
    throw new ConfigurationError(`cannot write to ${out}: ${reasonOf(cause)}`, { cause });
  }
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

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new ConfigurationError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
