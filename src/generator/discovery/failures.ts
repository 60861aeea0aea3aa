import { type DiscoveryAttempt, DiscoveryError } from '../../base/errors.ts';
import {
  CERTIFICATE_DEFECTS,
  classifyNetworkError,
  findCertificateDefect,
  type NetworkErrorReason,
} from '../../base/http/network-errors.ts';
import REASONS from './failure-reasons.json' with { type: 'json' };
import networkOutcomes from './network-outcomes.json' with { type: 'json' };

export type FailureReason = keyof typeof REASONS;

export function describeReason(reason: FailureReason): readonly [advice: string, sentence: string] {
  const { remedy = '', words = '' } = new Map(Object.entries(CERTIFICATE_DEFECTS)).get(reason) ?? {};
  const [advice = '', sentence = ''] = REASONS[reason].split(' → ');
  return [advice.replace('{remedy}', remedy), sentence.replace('{words}', words)];
}

function isReason(text: string): text is FailureReason {
  return Object.hasOwn(REASONS, text);
}

export interface FetchFailure {
  readonly reason: FailureReason;
  readonly status?: number;
  readonly url: string;
  readonly description: string;
  readonly code?: string;
}

export function summarizeFailure(error: Error): string {
  const reason = error instanceof DiscoveryError ? error.reason : '';
  return isReason(reason) ? describeReason(reason)[1] : 'The site could not be read.';
}

export function isOriginUnreachable(reason: FailureReason): boolean {
  return /^(?:dns|private-address|refused|tls|certificate-.+|unreachable|not-http)$/.test(reason);
}

export function isTemporary({ reason, status = 0 }: Pick<FetchFailure, 'reason' | 'status'>): boolean {
  return (
    /^(?:timeout|connection-lost|server-error|empty|truncated|too-many-requests|network-error)$/.test(
      reason,
    ) ||
    (reason === 'site-error' && isTemporaryStatus(status)) ||
    (isOriginUnreachable(reason) && reason !== 'private-address')
  );
}

export function isTemporaryStatus(status: number): boolean {
  return /^(?:408|425|429|5(?!01)\d\d)$/.test(String(status));
}

export function createDiscoveryError(
  failures: readonly FetchFailure[],
  input: URL,
  attempts: readonly DiscoveryAttempt[],
  hasCredentials: boolean,
  hasPage = false,
): DiscoveryError {
  const ranking = Object.keys(REASONS);
  const [failure] = failures.toSorted((a, b) => ranking.indexOf(a.reason) - ranking.indexOf(b.reason));
  const isUnspecific = failure === undefined || failure.reason === 'not-found' || failure.reason === 'html';
  if (hasPage && isUnspecific) {
    const message =
      `${input.href} responds, but no WordPress REST interface was found there: ` +
      `none of ${attempts.length} addresses returned a root index. ${describeReason('not-wordpress')[0]}`;
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
      : describeReason(reason)[0];
  const stop = /[.!?]$/.test(description) ? '' : '.';
  return new DiscoveryError(`${url} ${description}${stop}${attemptCount} ${advice}`, { reason, attempts });
}

const NETWORK_OUTCOMES: Readonly<Partial<Record<NetworkErrorReason, string>>> = networkOutcomes;

export function describeNetworkError(error: unknown): Pick<FetchFailure, 'reason' | 'description'> {
  const known = classifyNetworkError(error);
  if (known !== undefined && known.reason !== 'other') {
    const { code, reason } = known;
    const defect = findCertificateDefect(error);
    const untrusted = `has a certificate that is not trusted: ${defect?.words ?? ''}`;
    const isOverflow = code.endsWith('_OVERFLOW');
    const outcome = isOverflow ? 'sent a header section over the limit' : NETWORK_OUTCOMES[reason];
    return { reason, description: `${outcome ?? untrusted} (${code})` };
  }
  const text = listMessages(error, 0).join(': ');
  if (/^terminated|other side closed|aborted/i.test(text)) {
    return { reason: 'connection-lost', description: 'closed the connection before the end of its response' };
  }
  return {
    reason: 'network-error',
    description: `could not be requested${text === '' ? '' : ` (${text.slice(0, 200)})`}`,
  };
}

const MAX_CAUSE_DEPTH = 5;

function listMessages(error: unknown, depth: number): readonly string[] {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return [];
  return [error.message, ...listMessages(error.cause, depth + 1)].filter((text) => text !== '');
}
