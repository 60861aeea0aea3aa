import { readFileSync } from 'node:fs';
import type { WhyFlags } from '../../generated/option-types.d.ts';
import { trimLineBreak } from '../config/references.ts';
import { ConfigurationError, DiscoveryError, messageOf } from '../errors.ts';
import { type Described, matchesExample, parseJson } from '../json.ts';
import { requireHttpUrl } from './flags.ts';
import { type CommandIo, type ExitCode, onOneLine, toJsonText } from './io.ts';

const EXPLANATION = { facts: [{ name: '', text: '', items: [''] }] };

/** Prints why a gateway has stored an address or not, or what became of a past request. */
export async function runWhy(io: CommandIo, subject: string, flags: WhyFlags): Promise<ExitCode> {
  const gateway = requireHttpUrl(flags.gateway).replace(/\/+$/, '');
  const explanation = await requestExplanation(
    `${gateway}/-/why?of=${encodeURIComponent(subject)}`,
    requireToken(flags, io),
  );
  io.writeOut(flags.json === true ? toJsonText(explanation) : explanation.facts.map(formatFact).join(''));
  return 0;
}

function formatFact({ items, name, text }: Described<typeof EXPLANATION>['facts'][number]): string {
  const lines = [`${name}: ${text}`, ...items.map((item) => `  ${item}`)];
  return `${lines.map(onOneLine).join('\n')}\n`;
}

/**
 * Returns the admin token of the flags, the environment, or the file that `WAYGATE_ADMIN_TOKEN_FILE` names.
 *
 * @throws {ConfigurationError} when there is none, or the file cannot be read
 */
function requireToken({ token: given }: WhyFlags, { env }: CommandIo): string {
  const token = given ?? env['WAYGATE_ADMIN_TOKEN'] ?? '';
  if (token !== '') return token;
  const file = given === undefined && env['WAYGATE_ADMIN_TOKEN_FILE'];
  try {
    const text = file ? trimLineBreak(readFileSync(file, 'utf8')) : '';
    if (text !== '') return text;
    if (file) throw new Error(`${file} is empty`);
  } catch (error) {
    throw new ConfigurationError(`WAYGATE_ADMIN_TOKEN_FILE: ${messageOf(error)}`);
  }
  throw new ConfigurationError(
    'the admin token of the gateway is missing: use --token or WAYGATE_ADMIN_TOKEN',
  );
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds. */
const TIMEOUT = 30_000;

/**
 * @throws {ConfigurationError} when the gateway refuses the request, because of a wrong token for example
 * @throws {DiscoveryError} when the URL is not a gateway's or cannot be reached
 */
async function requestExplanation(url: string, token: string): Promise<Described<typeof EXPLANATION>> {
  const { readLimitedBody } = await import('../discovery/client.ts');
  const signal = AbortSignal.timeout(TIMEOUT);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const { body, status } = await fetch(url, { headers, redirect: 'error', signal })
    .then(async (response) => {
      const read = await readLimitedBody(response, MAX_BYTES, signal);
      const body = read.kind === 'too-large' ? undefined : parseJson(read.body.bytes());
      return { body, status: response.status };
    })
    .catch((cause: unknown) => {
      const message = messageOf(cause instanceof Error ? (cause.cause ?? cause) : cause);
      throw new DiscoveryError(`cannot read ${url}: ${message}`, { reason: 'unreachable', cause });
    });
  if (status !== 200) {
    const message = matchesExample(body, { message: '' }) ? body.message : `the gateway returned ${status}`;
    throw new ConfigurationError(`${url}: ${message}`);
  }
  if (matchesExample(body, EXPLANATION)) return body;
  throw new DiscoveryError(`${url} did not respond as a waygate gateway of this version does`, {
    reason: 'not-a-gateway',
  });
}
