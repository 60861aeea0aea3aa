import { ConfigurationError } from '../../errors.ts';
import type { CommandIo } from '../io.ts';

/**
 * Asks on the terminal whether the site may execute writes.
 *
 * @throws {ConfigurationError} when the user declines, or when there is no terminal and no `--yes`
 */
export async function requireConsent(
  url: string,
  isGiven: boolean,
  { ask, writeErr }: Pick<CommandIo, 'ask' | 'writeErr'>,
): Promise<void> {
  const { host } = new URL(url);
  writeErr(
    `--methods all sends POST, PUT, PATCH and DELETE requests to ${host}. Each violates a rule of the index and names\n` +
      'items that do not exist, but the site executes a request whose violation it accepts. Use a copy of the site, and\n' +
      'no credentials that may write.\n',
  );
  if (isGiven) return;
  if (ask === undefined) throw new ConfigurationError('--methods all needs --yes when there is no terminal');
  const reply = await ask('Continue? [y/N] ');
  if (!/^y(?:es)?$/i.test(reply.trim())) throw new ConfigurationError('nothing was sent');
}
