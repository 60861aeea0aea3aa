import { ConfigurationError, DiscoveryError } from '../errors.ts';
import { type Json, type JsonObject, parseJsonBytes } from '../json.ts';
import type { CommandIo } from './io.ts';

/**
 * Returns the admin token of the flags or the environment.
 *
 * @param hint how the token is given
 * @throws {ConfigurationError} when there is none
 */
export function requireToken(
  { token: stated }: { readonly token?: string | undefined },
  { env }: Pick<CommandIo, 'env'>,
  hint = 'use --token or WAYGATE_ADMIN_TOKEN',
): string {
  const token = stated ?? env['WAYGATE_ADMIN_TOKEN'] ?? '';
  if (token !== '') return token;
  throw new ConfigurationError(`the admin token of the gateway is missing: ${hint}`);
}

/**
 * What an example of a response stands for: a text, a number or a truth value for its type, a list for lists of such
 * items, and `nullable` for what may be `null`.
 */
export type Described<T> = T extends { readonly nullable: infer Value }
  ? Described<Value> | null
  : { readonly [Name in keyof T]: Described<T[Name]> };

/** Whether a value has the members of an example. It may have more: a newer gateway adds members. */
function matches<T>(value: unknown, example: T): value is Described<T> {
  if (Array.isArray(example)) {
    return Array.isArray(value) && value.every((item: unknown) => matches(item, example[0]));
  }
  if (typeof example !== 'object' || example === null) return typeof value === typeof example;
  if ('nullable' in example) return value === null || matches(value, example.nullable);
  if (typeof value !== 'object' || value === null) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.entries(example).every(([name, member]) => matches(members.get(name), member));
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
    body = read.kind === 'too-large' ? undefined : parseJsonBytes(read.bytes);
  } catch (cause) {
    throw new DiscoveryError(`cannot read ${endpoint}: ${describeCause(cause)}`, {
      reason: 'unreachable',
      cause,
    });
  }
  if (!response.ok) {
    const message = matches(body, { message: '' }) ? body.message : `the gateway returned ${response.status}`;
    throw new ConfigurationError(`${endpoint}: ${message}`);
  }
  if (matches(body, example)) return body;
  throw new DiscoveryError(`${endpoint} did not respond as a waygate gateway of this version does`, {
    reason: 'not-a-gateway',
  });
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
