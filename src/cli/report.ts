import { Command } from 'commander';
import { ConfigurationError } from '../errors.ts';
import type { ExitCode, Io } from './io.ts';
import { checkUrl } from './options.ts';

interface ReportFlags {
  readonly site?: string;
  readonly token?: string;
  readonly json?: boolean;
}

export function reportCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command('report')
    .description(
      'Show what the validation of a running gateway has seen: what it would refuse, and what the sites said of it.',
    )
    .argument(
      '<gateway-url>',
      'address of the gateway, or of its operations where they have a port of their own',
    )
    .option('--site <name>', 'one site alone; "default" is the one without a name (default: all)')
    .option('--token <token>', "the gateway's admin token; or WAYGATE_ADMIN_TOKEN")
    .option('--json', 'print what the gateway says as JSON instead of a table')
    .action(async (url: string, { json, site, token = io.env['WAYGATE_ADMIN_TOKEN'] }: ReportFlags) => {
      if (token === undefined || token === '') {
        throw new ConfigurationError(
          'the admin token of the gateway is needed: --token or WAYGATE_ADMIN_TOKEN',
        );
      }
      // The other commands do without its schema library.
      const { readEvidence } = await import('./report-read.ts');
      const { reportText } = await import('./report-table.ts');
      const sites = await readEvidence({ url: checkUrl(url), token, site, fetch: globalThis.fetch });
      io.out(json === true ? `${JSON.stringify({ sites }, null, 2)}\n` : reportText(sites));
      done(0);
    });
}
