import { DiscoveryError } from '../errors.ts';
import type { Client } from './client.ts';
import { mostTelling, REASONS, type Refusal } from './reasons.ts';

interface Circumstances {
  readonly given: URL;
  readonly attempts: Client['attempts'];
  readonly hasCredentials: boolean;
  /** Whether the address itself answered with a page, so that there is a site of some kind. */
  readonly hasPage: boolean;
}

/** What a person is told: what was asked, what came, and what to try. */
export function toError(
  refusals: readonly Refusal[],
  { given, attempts, hasCredentials, hasPage }: Circumstances,
): DiscoveryError {
  const telling = mostTelling(refusals);
  const isNothing = telling === undefined || telling.reason === 'not-found' || telling.reason === 'html';
  if (hasPage && isNothing) {
    return new DiscoveryError(
      `${given.href} answers, but no WordPress REST interface was found there: none of ${attempts.length} addresses gave a root index. ${REASONS['not-wordpress']}`,
      { reason: 'not-wordpress', attempts },
    );
  }
  const { reason, url, came } = telling ?? {
    reason: 'timeout',
    url: given.href,
    came: 'was not done in time',
  };
  const asked = attempts.length > 1 ? ` (${attempts.length} addresses were asked.)` : '';
  const isRefused = reason === 'unauthorized' || reason === 'forbidden';
  const advice =
    isRefused && hasCredentials
      ? 'The credentials given were not accepted, or were not sent there: check the user, the application password and the address.'
      : REASONS[reason];
  return new DiscoveryError(`${url} ${came}${/[.!?]$/.test(came) ? '' : '.'}${asked} ${advice}`, {
    reason,
    attempts,
  });
}
