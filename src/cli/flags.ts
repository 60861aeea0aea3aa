import { ConfigurationError } from '../base/errors.ts';
import { parseCredentials } from '../base/http/basic-credentials.ts';
import type { DiscoveryFlags } from '../base/option-types.ts';
import type { DiscoverOptions } from '../generator/discovery/index.ts';
import { withoutCredentials } from '../generator/discovery/redact.ts';
import type { CommandIo } from './io.ts';

export function resolveDiscovery(
  { auth, exclude, header, include, namespaces, options }: DiscoveryFlags,
  { env }: Pick<CommandIo, 'env'>,
): DiscoverOptions {
  const credentials = auth ?? env['WAYGATE_AUTH'];
  return {
    include,
    exclude,
    namespaces: namespaces.flatMap((listed) => listed.split(',')),
    options,
    headers: Object.fromEntries(header.map(parseHeaderOption)),
    auth: credentials === undefined || credentials === '' ? undefined : parseCredentials(credentials),
  };
}

/** @throws {ConfigurationError} for another text, which the message quotes without credentials */
export function requireHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  const shown = withoutCredentials(text);
  const isHostName = !/^\/|:\/\//.test(text) && URL.canParse(`https://${shown}`);
  const suggestion = url === null && isHostName ? ` Did you mean https://${shown}?` : '';
  throw new ConfigurationError(`"${shown}" is not an http or https URL.${suggestion}`);
}

export function requireGatewayUrl(text: string): string {
  return withoutCredentials(requireHttpUrl(text)).replace(/\/+$/, '');
}

export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function parseHeaderOption(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match?.[1] === undefined) throw new ConfigurationError("--header must be 'Name: value', as in HTTP");
  return [match[1], match[2] ?? ''];
}
