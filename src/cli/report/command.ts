import type { Command } from 'commander';
import { ConfigurationError } from '../../errors.ts';
import type { ReportFlags } from '../../option-types.ts';
import { requireHttpUrl } from '../flags.ts';
import type { CommandIo, ExitCode } from '../io.ts';
import { createCommand } from '../options.ts';

export function createReportCommand(io: CommandIo, done: (code: ExitCode) => void): Command {
  return createCommand('report').action(
    async (url: string, { json, site, token = io.env['WAYGATE_ADMIN_TOKEN'] }: ReportFlags) => {
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
    },
  );
}
