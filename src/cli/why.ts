import { ConfigurationError, DiscoveryError, messageOf } from '../base/errors.ts';
import { type Described, type Json, matchesExample, parseJson } from '../base/json.ts';
import type { WhyFlags } from '../base/option-types.ts';
import { readUserFile } from '../base/read-file.ts';
import { trimLineBreak } from './config/references.ts';
import { requireGatewayUrl } from './flags.ts';
import { type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';

const EXPLANATION = { facts: [{ name: '', text: '', items: [''] }] };

/** Prints why a gateway has stored an address or not, or what became of a past request. */
export async function runWhy(io: CommandIo, subject: string, flags: WhyFlags): Promise<ExitCode> {
  const gateway = requireGatewayUrl(flags.gateway);
  const url = `${gateway}/-/why?of=${encodeURIComponent(subject)}`;
  const explanation = parseAdminResponse(await requestAdmin(url, requireToken(io)), EXPLANATION);
  io.writeOut(flags.json === true ? toJsonText(explanation) : explanation.facts.map(formatFact).join(''));
  return 0;
}

function formatFact({ items, name, text }: Described<typeof EXPLANATION>['facts'][number]): string {
  const lines = [`${name}: ${text}`, ...items.map((item) => `  ${item}`)];
  return `${lines.map(onOneLine).join('\n')}\n`;
}

/** @throws {ConfigurationError} if it's missing, isn't valid in a header field, or its file can't be read */
export function requireToken(io: CommandIo): string {
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

export interface AdminResponse {
  readonly url: string;
  readonly status: number;
  /** `undefined` if it isn't JSON, or too large. */
  readonly body: Json | undefined;
}

/** Sends a POST if there is a body. @throws {DiscoveryError} if the URL can't be reached */
export async function requestAdmin(
  url: string,
  token: string,
  body?: object,
  timeout: number = TIMEOUT,
): Promise<AdminResponse> {
  const { readLimitedBody } = await import('../generator/discovery/client.ts');
  const signal = AbortSignal.timeout(timeout);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const content = body && { method: 'POST', body: JSON.stringify(body) };
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal, ...content });
    const read = await readLimitedBody(response, MAX_BYTES, signal);
    const json = read.kind === 'too-large' ? undefined : parseJson(read.body.bytes());
    return { url, status: response.status, body: json };
  } catch (cause) {
    const message = messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause);
    throw new DiscoveryError(`cannot read ${url}: ${message}`, { reason: 'unreachable', cause });
  }
}

/** @throws {ConfigurationError} for a refusal @throws {DiscoveryError} if the response isn't a gateway's */
export function parseAdminResponse<T>({ body, status, url }: AdminResponse, example: T): Described<T> {
  if (status !== 200) {
    const message = matchesExample(body, { message: '' }) ? body.message : `the gateway returned ${status}`;
    throw new ConfigurationError(`${url}: ${message}`);
  }
  if (matchesExample(body, example)) return body;
  throw new DiscoveryError(`${url} is not a waygate gateway of this version`, {
    reason: 'not-a-gateway',
  });
}
