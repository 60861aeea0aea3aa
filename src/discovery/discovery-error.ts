import { DiscoveryError } from '../errors.ts';
import type { DiscoveryClient } from './client.ts';
import { FAILURE_ADVICE, type FetchFailure, selectMostSpecificFailure } from './failure-reasons.ts';

/** The outcome of a failed search, for the message of its error. */
interface SearchSummary {
  /** The address that the user gave. */
  readonly input: URL;
  readonly attempts: DiscoveryClient['attempts'];
  readonly hasCredentials: boolean;
  /** Whether the address itself returned a page with a status below 300. */
  readonly hasPage: boolean;
}

/** Creates the error of a failed discovery. Its message states the failed request, its outcome and advice for the user. */
export function createDiscoveryError(
  failures: readonly FetchFailure[],
  { input, attempts, hasCredentials, hasPage }: SearchSummary,
): DiscoveryError {
  const failure = selectMostSpecificFailure(failures);
  const isUnspecific = failure === undefined || failure.reason === 'not-found' || failure.reason === 'html';
  if (hasPage && isUnspecific) {
    const message =
      `${input.href} responds, but no WordPress REST interface was found there: ` +
      `none of ${attempts.length} addresses returned a root index. ${FAILURE_ADVICE['not-wordpress']}`;
    return new DiscoveryError(message, { reason: 'not-wordpress', attempts });
  }
  const { reason, url, description } = failure ?? {
    reason: 'timeout',
    url: input.href,
    description: 'did not finish in time',
  };
  const attemptCount = attempts.length > 1 ? ` (${attempts.length} addresses were tried.)` : '';
  const isAccessDenied = reason === 'unauthorized' || reason === 'forbidden';
  const advice =
    isAccessDenied && hasCredentials
      ? 'The given credentials were not accepted, or were not sent there: check the user, the application password and the address.'
      : FAILURE_ADVICE[reason];
  const stop = /[.!?]$/.test(description) ? '' : '.';
  return new DiscoveryError(`${url} ${description}${stop}${attemptCount} ${advice}`, { reason, attempts });
}
