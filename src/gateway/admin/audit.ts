import type { Log } from '../../ports.ts';
import { shorten } from '../../ui/text.ts';

/** One action of an operator. */
export interface AuditEntry {
  /** `session 4f1a09c2b7d3` (a hash of the session), `bearer`, or `nobody` for a failed sign-in. */
  readonly who: string;
  /** IP address; empty if unknown. */
  readonly client: string;
  /** `purge`, `rediscover`, `sign-in`, … */
  readonly action: string;
  /** What the action was about; empty if it is about the gateway. */
  readonly target: string;
  readonly result: 'done' | 'refused' | 'failed';
}

const MAX_TARGET_LENGTH = 300;

/** Writes the audit line of an action to the log. It contains no secret and no control character. */
export function writeAuditLine(log: Log, { action, client, result, target, who }: AuditEntry): void {
  const line = shorten(target, MAX_TARGET_LENGTH).replaceAll('\n', ' ');
  const fields = { who, client, action, target: line, result };
  if (result === 'done') log.info(fields, 'operator action');
  else log.warn(fields, 'operator action');
}
