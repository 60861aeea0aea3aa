import { ConfigurationError, DiscoveryError, messageOf } from '../base/errors.ts';
import { readLimitedBody } from '../base/http/body.ts';
import { type Described, type Json, matchesExample, parseJson } from '../base/json.ts';
import type { HealthFlags, PurgeFlags, StatusFlags, WhyFlags } from '../base/option-types.ts';
import { readUserFile } from '../base/read-file.ts';
import { countOf, formatUtc } from '../base/text.ts';
import { trimLineBreak } from './config/settings.ts';
import { type CommandIo, type ExitCode, onOneLine, requireGatewayUrl, toJsonText } from './io.ts';

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
  write(io, flags, { purged }, [
    `purged ${purged === null ? 'at all gateways of its store' : countOf(purged, 'response')}`,
  ]);
  return 0;
}

const RELOAD_TIMEOUT = 300_000;

export async function runReload(io: CommandIo, gateway: string, flags: StatusFlags): Promise<ExitCode> {
  const response = await createSend(io, gateway)('reload', {}, RELOAD_TIMEOUT);
  const { body } = response;
  if (matchesExample(body, { message: '', data: { problems: [''] } }))
    throw new ConfigurationError(`${body.message} ${body.data.problems.join('; ')}`, body.data);
  const data = parseAdminResponse(response, { changed: [''], needsRestart: [''], unread: [''] });
  const { changed, needsRestart, unread } = data;
  const restart = needsRestart.length > 0 ? `; needs a restart: ${needsRestart.join(', ')}` : '';
  write(io, flags, data, [`changed: ${changed.join(', ') || 'nothing'}${restart}`, ...unread]);
  return 0;
}

const SITE = {
  site: '',
  title: { nullable: '' },
  ready: true,
  state: { name: '', fault: false, since: { nullable: '' }, remarks: [{ text: '', remedy: '' }] },
  operations: 0,
  discovery: { lastRead: { nullable: '' }, fault: { nullable: '' } },
};

/** @returns 1 if a site is down, failing, slow or limited, or Redis is away */
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
  write(io, flags, { readiness, sites }, [first, ...sites.flatMap(formatSite)]);
  const isStoreAway = details.some(
    (each) => matchesExample(each, { state: '' }) && each.state.startsWith('cache-'),
  );
  return isReady && !isStoreAway && !sites.some(({ state }) => state.fault) ? 0 : 1;
}

function formatSite({
  discovery,
  operations,
  site,
  state,
  title,
}: Described<typeof SITE>): readonly string[] {
  const { fault, lastRead } = discovery;
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(lastRead ?? '')) / 60_000));
  const age = lastRead === null ? 'never read' : `read ${countOf(minutes, 'minute')} ago`;
  const since = state.since === null ? '' : ` since ${formatUtc(Date.parse(state.since))}`;
  const remarks = state.remarks.map(({ remedy, text }) => `  ${text}${remedy === '' ? '' : `: ${remedy}`}`);
  const read = `(${countOf(operations, 'operation')}, ${age})${fault === null ? '' : `. ${fault}`}`;
  const name = title === null || title === site ? site : `${site} (${title})`;
  return [`${name}: ${state.name}${since} ${read}`, ...remarks];
}

const EXPLANATION = { facts: [{ name: '', text: '', items: [''] }] };

export async function runWhy(io: CommandIo, subject: string, flags: WhyFlags): Promise<ExitCode> {
  const { origin } = URL.canParse(subject) ? new URL(subject) : { origin: 'http://127.0.0.1:8080' };
  const gateway = requireGatewayUrl(flags.gateway ?? origin);
  const url = `${gateway}/-/why?of=${encodeURIComponent(subject)}`;
  const response = await requestAdmin(url, requireToken(io));
  const explanation = parseAdminResponse(response, EXPLANATION, subject);
  io.writeOut(flags.json === true ? toJsonText(explanation) : explanation.facts.map(formatFact).join(''));
  return 0;
}

function formatFact({ items, name, text }: Described<typeof EXPLANATION>['facts'][number]): string {
  const lines = [`${name}: ${text}`, ...items.map((item) => `  ${item}`)];
  return `${lines.map(onOneLine).join('\n')}\n`;
}

/** Characters of a printed response. Docker keeps 4096 bytes. */
const MAX_PROBE_LENGTH = 4000;
const PROBE_TIMEOUT = 5_000;

/** Only 0 and 1 are exit codes of a health check (Dockerfile reference, HEALTHCHECK). */
export async function runHealth(
  io: CommandIo,
  url: string | undefined,
  { ready }: HealthFlags,
): Promise<ExitCode> {
  const base = requireGatewayUrl(url ?? 'http://127.0.0.1:8080');
  const signal = AbortSignal.timeout(PROBE_TIMEOUT);
  const probe = `${base}/-/${ready === true ? 'ready' : 'health'}`;
  try {
    const response = await fetch(probe, { redirect: 'manual', signal });
    let body = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      body += chunk;
      if (body.length >= MAX_PROBE_LENGTH) break;
    }
    io.writeOut(`${response.status} ${body.slice(0, MAX_PROBE_LENGTH).trim()}\n`);
    return response.status === 200 ? 0 : 1;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const message = signal.aborted ? `no response within ${PROBE_TIMEOUT} ms` : messageOf(cause);
    io.writeErr(`waygate: ${probe}: ${message}\n`);
    return 1;
  }
}

function requireToken(io: CommandIo): string {
  const token = findToken(io);
  // `fetch` would repeat the token in its error message.
  if (/^[!-~\u00a1-\u00ff]+$/.test(token)) return token;
  const fault =
    token === ''
      ? 'is missing or empty: set WAYGATE_ADMIN_TOKEN'
      : 'contains a character that no token can have, e.g. a line break';
  throw new ConfigurationError(`the admin token of the gateway ${fault}`);
}

function findToken({ env }: CommandIo): string {
  const token = env['WAYGATE_ADMIN_TOKEN'] ?? '';
  if (token !== '') return token;
  const file = env['WAYGATE_ADMIN_TOKEN_FILE'];
  return file ? trimLineBreak(readUserFile(file, 'WAYGATE_ADMIN_TOKEN_FILE')) : '';
}

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT = 30_000;

interface AdminResponse {
  readonly url: string;
  readonly status: number;
  readonly body: Json | undefined;
}

/** @throws {DiscoveryError} if the URL can't be reached */
async function requestAdmin(
  url: string,
  token: string,
  body?: object,
  timeout: number = TIMEOUT,
): Promise<AdminResponse> {
  const signal = AbortSignal.timeout(timeout);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const content = body && { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal, ...content });
    const read = await readLimitedBody(response, MAX_BYTES, signal);
    return { url, status: response.status, body: read === null ? undefined : parseJson(read.bytes()) };
  } catch (cause) {
    const message = messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause);
    throw new DiscoveryError(`cannot read ${url.replace(/\?.*/s, '')}: ${message}`, {
      reason: 'unreachable',
      cause,
    });
  }
}

/** @param subject what an error is about */
function parseAdminResponse<T>(
  { body, status, url }: AdminResponse,
  example: T,
  subject = url,
): Described<T> {
  if (status !== 200) {
    const message = matchesExample(body, { message: '' }) ? body.message : `the gateway returned ${status}`;
    throw new ConfigurationError(`${subject}: ${message}`);
  }
  if (matchesExample(body, example)) return body;
  throw new DiscoveryError(`${url} is not a waygate gateway of this version`, { reason: 'not-a-gateway' });
}
