import type { AcceptFlags } from '../../generated/option-types.d.ts';
import { formatNumber } from '../count-of.ts';
import { ConfigurationError } from '../errors.ts';
import type { Described } from '../json.ts';
import { requireHttpUrl } from './flags.ts';
import { requestGateway, requireToken } from './gateway-client.ts';
import type { CommandIo, ExitCode } from './io.ts';

const SITES = { sites: [{ site: '', held: { nullable: '' } }] };
const HELD = {
  site: '',
  held: {
    nullable: {
      since: '',
      operations: { served: 0, offered: 0, removed: 0 },
      namespaces: [''],
      removed: [''],
    },
  },
};
const DECIDED = { site: '', decision: '', operations: 0 };

/** Missing operations that are printed. */
const MAX_PRINTED = 20;

export async function runAccept(
  io: CommandIo,
  name: string | undefined,
  flags: AcceptFlags,
): Promise<ExitCode> {
  const token = requireToken(flags, io);
  const url = requireHttpUrl(flags.gateway);
  const site = name ?? (await findHeldSite(url, token));
  const path = site === null ? null : `/-/sites/${encodeURIComponent(site)}/held`;
  const held = path === null ? null : (await requestGateway(url, path, token, HELD)).held;
  if (path === null || held === null) {
    io.writeErr('No document is held back.\n');
    return 1;
  }
  io.writeOut(formatHeld(held));
  const decision = flags.reject === true ? 'reject' : 'accept';
  const decided = await requestGateway(url, path, token, DECIDED, { decision });
  io.writeOut(
    `${decided.site}: the new document was ${decision}ed. ${formatNumber(decided.operations)} operations are served.\n`,
  );
  return 0;
}

/**
 * Finds the only site with a held document.
 *
 * @returns `null` if there is none
 * @throws {ConfigurationError} when there are several
 */
async function findHeldSite(url: string, token: string): Promise<string | null> {
  const { sites } = await requestGateway(url, '/-/sites', token, SITES);
  const [first, ...others] = sites.flatMap(({ held, site }) => (held === null ? [] : [site]));
  if (first === undefined || others.length === 0) return first ?? null;
  throw new ConfigurationError(
    `documents of several sites are held back: name one of ${[first, ...others].join(', ')}`,
  );
}

function formatHeld({
  namespaces,
  operations,
  removed,
}: NonNullable<Described<typeof HELD>['held']>): string {
  const shown = removed.slice(0, MAX_PRINTED).map((operation) => `  ${operation.replace(/[\n\t]/g, ' ')}`);
  const rest = operations.removed - shown.length;
  return [
    `The new document has ${formatNumber(operations.offered)} operations, the served one ${formatNumber(operations.served)}. It lacks:`,
    ...shown,
    ...(rest > 0 ? [`  and ${formatNumber(rest)} more`] : []),
    ...(namespaces.length > 0 ? [`Missing namespaces: ${namespaces.join(', ')}`] : []),
    '',
  ].join('\n');
}
