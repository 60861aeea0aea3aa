import { readFileSync } from 'node:fs';
import { trimLineBreak } from '../config/references.ts';
import { ConfigurationError, DiscoveryError, messageOf } from '../errors.ts';
import { type Described, type Json, type JsonObject, matchesExample, parseJson } from '../json.ts';
import type { CommandIo } from './io.ts';

/**
 * Returns the admin token of the flags, the environment, or the file that `WAYGATE_ADMIN_TOKEN_FILE` names.
 *
 * @param hint how the token is given
 * @throws {ConfigurationError} when there is none, or the file cannot be read
 */
export function requireToken(
  { token: stated }: { readonly token?: string | undefined },
  { env }: Pick<CommandIo, 'env'>,
  hint = 'use --token or WAYGATE_ADMIN_TOKEN',
): string {
  const token = stated ?? env['WAYGATE_ADMIN_TOKEN'] ?? '';
  if (token !== '') return token;
  const file = stated === undefined && env['WAYGATE_ADMIN_TOKEN_FILE'];
  try {
    const text = file ? trimLineBreak(readFileSync(file, 'utf8')) : '';
    if (text !== '') return text;
    if (file) throw new Error(`${file} is empty`);
  } catch (error) {
    throw new ConfigurationError(`WAYGATE_ADMIN_TOKEN_FILE: ${messageOf(error)}`);
  }
  throw new ConfigurationError(`the admin token of the gateway is missing: ${hint}`);
}

/** Maximum size of a response. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds. */
const TIMEOUT = 30_000;

/**
 * Requests one of the gateway's operations.
 *
 * @param example of the response
 * @param content sends it with the method `POST`. @default `GET`
 * @throws {ConfigurationError} when the gateway refuses the request, because of a wrong token for example
 * @throws {DiscoveryError} when the URL is not a gateway's or cannot be reached
 */
export async function requestGateway<T>(
  url: string,
  path: string,
  token: string,
  example: T,
  content?: JsonObject,
): Promise<Described<T>> {
  const endpoint = url.replace(/\/+$/, '') + path;
  const { readLimitedBody } = await import('../discovery/client.ts');
  const signal = AbortSignal.timeout(TIMEOUT);
  let response: Response;
  let body: Json | undefined;
  try {
    const sent = content === undefined ? {} : { method: 'POST', body: JSON.stringify(content) };
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    response = await fetch(endpoint, { ...sent, headers, redirect: 'error', signal });
    const read = await readLimitedBody(response, { maxBytes: MAX_BYTES, truncate: false }, signal);
    body = read.kind === 'too-large' ? undefined : parseJson(read.body.bytes());
  } catch (cause) {
    throw new DiscoveryError(`cannot read ${endpoint}: ${describeCause(cause)}`, {
      reason: 'unreachable',
      cause,
    });
  }
  if (!response.ok) {
    const message = matchesExample(body, { message: '' })
      ? body.message
      : `the gateway returned ${response.status}`;
    throw new ConfigurationError(`${endpoint}: ${message}`);
  }
  if (matchesExample(body, example)) return body;
  throw new DiscoveryError(`${endpoint} did not respond as a waygate gateway of this version does`, {
    reason: 'not-a-gateway',
  });
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
