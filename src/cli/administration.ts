import { countOf } from '../base/count-of.ts';
import { ConfigurationError } from '../base/errors.ts';
import { type Described, matchesExample } from '../base/json.ts';
import type { PurgeFlags, StatusFlags } from '../base/option-types.ts';
import { formatUtc } from '../pages/ui/format.ts';
import { requireGatewayUrl } from './flags.ts';
import { type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';
import { type AdminResponse, parseAdminResponse, requestAdmin, requireToken } from './why.ts';

type Send = (path: string, body?: object, timeout?: number) => Promise<AdminResponse>;

function createSend(io: CommandIo, url: string): Send {
  const token = requireToken(io);
  const gateway = requireGatewayUrl(url);
  return (path, ...rest) => requestAdmin(`${gateway}/-/${path}`, token, ...rest);
}

function write(io: CommandIo, { json }: StatusFlags, data: object, lines: readonly string[]): void {
  io.writeOut(json === true ? toJsonText(data) : lines.map((line) => `${onOneLine(line)}\n`).join(''));
}

export async function runPurge(io: CommandIo, gateway: string, flags: PurgeFlags): Promise<ExitCode> {
  const { all, site, soft, tag: tags, url = [] } = flags;
  const bodies: object[] = url.map((each) => ({ url: each, soft }));
  if (all === true || site !== undefined || tags !== undefined) bodies.push({ all, site, tags, soft });
  if (bodies.length === 0)
    throw new ConfigurationError('say what to purge: --url <address>, --tag <tag>, --site <name> or --all');
  const send = createSend(io, gateway);
  const responses = await Promise.all(bodies.map((body) => send('purge', body)));
  const purged = responses
    .map((response) => parseAdminResponse(response, { purged: { nullable: 0 } }).purged)
    .reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
  // Gateways that share a store purge it together.
  write(io, flags, { purged }, [
    `purged ${purged === null ? 'at all gateways of its store' : countOf(purged, 'response')}`,
  ]);
  return 0;
}

/** Milliseconds. The gateway itself gives up reading a new site before. */
const RELOAD_TIMEOUT = 300_000;

export async function runReload(io: CommandIo, gateway: string, flags: StatusFlags): Promise<ExitCode> {
  const response = await createSend(io, gateway)('reload', {}, RELOAD_TIMEOUT);
  const { body } = response;
  if (matchesExample(body, { message: '', data: { problems: [''] } }))
    throw new ConfigurationError(`${body.message} ${body.data.problems.join('; ')}`, body.data);
  const data = parseAdminResponse(response, { changed: [''], needsRestart: [''] });
  const { changed, needsRestart } = data;
  const restart = needsRestart.length > 0 ? `; needs a restart: ${needsRestart.join(', ')}` : '';
  write(io, flags, data, [`changed: ${changed.join(', ') || 'nothing'}${restart}`]);
  return 0;
}

const SITE = {
  site: '',
  ready: true,
  state: { name: '', since: { nullable: '' }, words: '' },
  operations: 0,
  discovery: { lastRead: { nullable: '' }, fault: { nullable: '' } },
};

/** States of a site in which an operator has to do something. */
const BAD_STATES: ReadonlySet<string> = new Set(['down', 'failing', 'slow']);

/** Prints the state of a gateway and of its sites. @returns 1 if one is down, failing or slow */
export async function runStatus(io: CommandIo, gateway: string, flags: StatusFlags): Promise<ExitCode> {
  const send = createSend(io, gateway);
  const [{ body: readiness, status }, response] = await Promise.all([send('ready'), send('sites')]);
  const { sites } = parseAdminResponse(response, { sites: [SITE] });
  const isReady = status === 200;
  const details = matchesExample(readiness, { details: [{ message: '' }] }) ? readiness.details : [readiness];
  // The state of a site stands in its own line, but not whether its files can be written.
  const reasons = details
    .filter((each) => !matchesExample(each, { site: '', state: '' }) || each.state === 'state-unwritten')
    .map((each) => (matchesExample(each, { message: '' }) ? ` ${each.message}` : ''));
  const first = `${isReady ? 'ready' : 'not ready'}.${reasons.join('')}`;
  write(io, flags, { readiness, sites }, [first, ...sites.map(formatSite)]);
  return isReady && sites.every(({ state }) => !BAD_STATES.has(state.name)) ? 0 : 1;
}

function formatSite({ discovery, operations, site, state }: Described<typeof SITE>): string {
  const { fault, lastRead } = discovery;
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(lastRead ?? '')) / 60_000));
  const age = lastRead === null ? 'never read' : `read ${countOf(minutes, 'minute')} ago`;
  const since = state.since === null ? '' : ` since ${formatUtc(Date.parse(state.since))}`;
  const words = state.words === '' ? '' : `: ${state.words}`;
  return `${site}: ${state.name}${since}${words} (${countOf(operations, 'operation')}, ${age})${fault === null ? '' : `. ${fault}`}`;
}
