import { Command } from 'commander';
import { ConfigurationError } from '../../errors.ts';
import { requireHttpUrl } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';

interface ReportFlags {
  readonly site?: string;
  readonly token?: string;
  readonly json?: boolean;
}

export function createReportCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return new Command('report')
    .argument('<gateway-url>', 'URL of the gateway, or of its admin listener if it has one')
    .option('--site <name>', 'only this site; "default" is the site without a name (default: all)')
    .option('--token <token>', "the gateway's admin token; or WAYGATE_ADMIN_TOKEN")
    .option('--json', 'print the evidence as JSON instead of a table')
    .action(async (url: string, { json, site, token = io.env['WAYGATE_ADMIN_TOKEN'] }: ReportFlags) => {
      if (token === undefined || token === '') {
        throw new ConfigurationError(
          'the admin token of the gateway is missing: use --token or WAYGATE_ADMIN_TOKEN',
        );
      }
      // zod is loaded only by the commands that need it.
      const { fetchEvidence } = await import('./fetch-evidence.ts');
      const { formatEvidence } = await import('./evidence-table.ts');
      const sites = await fetchEvidence({ url: requireHttpUrl(url), token, site, fetch: globalThis.fetch });
      io.writeOut(json === true ? `${JSON.stringify({ sites }, null, 2)}\n` : formatEvidence(sites));
      done(0);
    });
}
