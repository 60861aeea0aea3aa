import { ownMember } from '../../base/json.ts';
import { toPlainText } from '../../base/text.ts';
import type { RecordedProblem } from '../site/traffic/site-recorder.ts';
import WORDS from './problem-words.json' with { type: 'json' };

export function describeProblem({
  cause,
  code,
  detail,
  source,
  status,
}: Pick<RecordedProblem, 'cause' | 'code' | 'detail' | 'source' | 'status'>): string {
  if (source === 'gateway' || source === 'early') return `refused by the gateway: ${explainCode(code)}`;
  if (source === 'site') {
    const verb = status >= 500 ? 'the site failed' : 'refused by the site';
    const words = explainCode(code);
    const parts = [verb, ownMember(WORDS.statuses, String(status)), words === code ? undefined : words];
    return parts.filter((part) => part !== undefined).join(': ');
  }
  const words = `the site failed: ${ownMember(WORDS.failures, cause) ?? cause}`;
  return detail === '' ? words : `${words} (${toPlainText(detail, 160)})`;
}

export function describeBrokenRule({ param, rule }: RecordedProblem['rules'][number]): string {
  return `${toPlainText(param, 80) || 'the request'}: ${toPlainText(explainCode(rule), 120)}`;
}

function explainCode(code: string): string {
  return String(ownMember(WORDS.codes, code) ?? code);
}
