import type { PurgeFlags, StatusFlags } from '../config/option-types.ts';
import { countOf } from '../count-of.ts';
import { ConfigurationError, WaygateError } from '../errors.ts';
import { type Described, matchesExample } from '../json.ts';
import { formatUtc } from '../ui/format.ts';
import { requireGatewayUrl } from './flags.ts';
import { type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';
import { type AdminResponse, parseAdminResponse, requestAdmin, requireToken } from './why.ts';

interface Outcome {
  readonly ok: boolean;
  /** Printed after the gateway's URL, e.g. `: purged 12 responses`. */
  readonly lines: readonly string[];
  readonly data: object;
}

type Send = (path: string, body?: object, timeout?: number) => Promise<AdminResponse>;

/** Prints in the order of the URLs. @returns 1 if a gateway can't be reached, or refuses the request */
async function runAtEach(
  io: CommandIo,
  urls: readonly string[],
  flags: StatusFlags,
  run: (send: Send) => Promise<Outcome>,
): Promise<ExitCode> {
  const token = requireToken(io);
  const gateways = urls.map(requireGatewayUrl);
  const outcomes = await Promise.all(
    gateways.map(async (gateway) => {
      try {
        const send: Send = (path, ...rest) => requestAdmin(`${gateway}/-/${path}`, token, ...rest);
        return { gateway, ...(await run(send)) };
      } catch (error) {
        if (!(error instanceof WaygateError)) throw error;
        return { gateway, ok: false, lines: [`: ${error.message}`], data: { error: error.message } };
      }
    }),
  );
  const text = outcomes.flatMap(({ gateway, lines }) =>
    lines.map((line) => `${onOneLine(gateway + line)}\n`),
  );
  const objects = outcomes.map(({ data, gateway, ok }) => ({ gateway, ok, ...data }));
  io.writeOut(flags.json === true ? toJsonText(objects) : text.join(''));
  return outcomes.every(({ ok }) => ok) ? 0 : 1;
}

export function runPurge(io: CommandIo, urls: readonly string[], flags: PurgeFlags): Promise<ExitCode> {
  const { all, site, soft, tag: tags, url = [] } = flags;
  const bodies: object[] = url.map((each) => ({ url: each, soft }));
  if (all === true || site !== undefined || tags !== undefined) bodies.push({ all, site, tags, soft });
  if (bodies.length === 0)
    throw new ConfigurationError('say what to purge: --url <address>, --tag <tag>, --site <name> or --all');
  return runAtEach(io, urls, flags, async (send) => {
    const responses = await Promise.all(bodies.map((body) => send('purge', body)));
    const purged = responses
      .map((response) => parseAdminResponse(response, { purged: { nullable: 0 } }).purged)
      .reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
    // Gateways that share a store purge it together.
    const what = purged === null ? 'at all gateways of its store' : countOf(purged, 'response');
    return { ok: true, lines: [`: purged ${what}`], data: { purged } };
  });
}

/** Milliseconds. The gateway itself gives up reading a new site before. */
const RELOAD_TIMEOUT = 300_000;

export function runReload(io: CommandIo, urls: readonly string[], flags: StatusFlags): Promise<ExitCode> {
  return runAtEach(io, urls, flags, async (send) => {
    const response = await send('reload', {}, RELOAD_TIMEOUT);
    const { body } = response;
    if (matchesExample(body, { message: '', data: { problems: [''] } }))
      throw new ConfigurationError(`${body.message} ${body.data.problems.join('; ')}`, body.data);
    const data = parseAdminResponse(response, { changed: [''], needsRestart: [''] });
    const restart = data.needsRestart.length > 0 ? `; needs a restart: ${data.needsRestart.join(', ')}` : '';
    return { ok: true, lines: [`: changed: ${data.changed.join(', ') || 'nothing'}${restart}`], data };
  });
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

/** Prints the state of several gateways and of their sites. @returns 1 if one is down, failing or slow */
export function runStatus(io: CommandIo, urls: readonly string[], flags: StatusFlags): Promise<ExitCode> {
  return runAtEach(io, urls, flags, async (send) => {
    const [{ body: readiness, status }, response] = await Promise.all([send('ready'), send('sites')]);
    const { sites } = parseAdminResponse(response, { sites: [SITE] });
    const isReady = status === 200;
    const ok = isReady && sites.every(({ state }) => !BAD_STATES.has(state.name));
    const details = matchesExample(readiness, { details: [{ message: '' }] })
      ? readiness.details
      : [readiness];
    // The state of a site stands in its own line, but not whether its files can be written.
    const reasons = details
      .filter((each) => !matchesExample(each, { site: '', state: '' }) || each.state === 'state-unwritten')
      .map((each) => (matchesExample(each, { message: '' }) ? ` ${each.message}` : ''));
    const first = `: ${isReady ? 'ready' : 'not ready'}.${reasons.join('')}`;
    return { ok, lines: [first, ...sites.map(formatSite)], data: { readiness, sites } };
  });
}

function formatSite({ discovery, operations, site, state }: Described<typeof SITE>): string {
  const { fault, lastRead } = discovery;
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(lastRead ?? '')) / 60_000));
  const age = lastRead === null ? 'never read' : `read ${countOf(minutes, 'minute')} ago`;
  const since = state.since === null ? '' : ` since ${formatUtc(Date.parse(state.since))}`;
  const words = state.words === '' ? '' : `: ${state.words}`;
  return ` ${site}: ${state.name}${since}${words} (${countOf(operations, 'operation')}, ${age})${fault === null ? '' : `. ${fault}`}`;
}
