import { ConfigurationError } from '../errors.ts';
import { type BasicCredentials, formatBasicCredentials } from '../http/basic-credentials.ts';
import { hasField, removeFields } from '../http/fields.ts';
import { FIELDS_PROTECTED_FROM_CONNECTION, findRequestField } from '../http/request-fields.ts';

/**
 * Header fields that the gateway adds to each request to a site. They are the same for all clients, so they do not make
 * a response private (RFC 9111 §3.5 concerns the client's `Authorization`).
 */
export interface AddedFields {
  /** Flat list name, value, name, value. They replace the client's fields of these names. */
  readonly fields: readonly string[];
  /** The names of `fields`, in lower case. */
  readonly names: ReadonlySet<string>;
  /** Value of `Authorization` for requests that have none; `undefined` if none is added. */
  readonly authorization: string | undefined;
}

/** Fields of the connection (RFC 9110 §7.6.1, §10.1.1). */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  ...['keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'http2-settings', 'expect'],
]);

/**
 * Creates the fields that are added to each request.
 *
 * @param headers values by name
 * @param auth credentials of a server in front of the site
 * @returns `null` if there are none
 * @throws {ConfigurationError} when a name or value is invalid, or the gateway controls the field; the message contains
 *   no value
 */
export function createAddedFields(
  headers: Readonly<Record<string, string>>,
  auth: BasicCredentials | undefined,
): AddedFields | null {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) requireAddable(name, value);
  if (entries.length === 0 && auth === undefined) return null;
  return {
    fields: entries.flat(),
    names: new Set(entries.map(([name]) => name.toLowerCase())),
    authorization: auth === undefined ? undefined : formatBasicCredentials(auth),
  };
}

function requireAddable(name: string, value: string): void {
  const lower = name.toLowerCase();
  const forwarding = findRequestField(lower)?.forwarding ?? 'pass';
  if (!/^[!#$%&'*+.^`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new ConfigurationError(
      `upstream.headers: the field ${JSON.stringify(name.slice(0, 60))} has a name or a value that HTTP does not allow.`,
    );
  }
  const isControlled =
    FIELDS_PROTECTED_FROM_CONNECTION.has(lower) ||
    CONNECTION_FIELDS.has(lower) ||
    (forwarding !== 'pass' && forwarding !== 'drop');
  if (!isControlled) return;
  const hint = CONTROLLED_FIELD_HINTS[lower] ?? '';
  throw new ConfigurationError(`upstream.headers: the gateway sets the field ${name} itself.${hint}`);
}

const CONTROLLED_FIELD_HINTS: Readonly<Record<string, string>> = {
  host: ' Use upstream.host.',
  authorization: ' Use upstream.auth.',
  'x-forwarded-proto': ' Set publicUrl to an https URL.',
  'x-forwarded-host': ' Set publicUrl.',
};

/** Adds the fields to a header section, in place. A client's `Authorization` takes precedence over the gateway's. */
export function addFields(headers: string[], added: AddedFields): void {
  const { authorization, fields, names } = added;
  if (names.size > 0) removeFields(headers, names);
  headers.push(...fields);
  if (authorization !== undefined && !hasField(headers, 'authorization')) {
    headers.push('Authorization', authorization);
  }
}
