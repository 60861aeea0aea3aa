import { groupBy } from '../../base/group-by.ts';
import table from './error-advice.json' with { type: 'json' };

/** Statuses and advice by patterns of codes (`404: Read the id from the list.`). The first that matches applies. */
const ADVICE = Object.entries(table).map(([codes, text]) => ({ codes: new RegExp(`^(?:${codes})$`), text }));

export interface ErrorAdvice {
  readonly codes: readonly string[];
  readonly status: string;
  readonly advice: string;
}

export function adviseOn(codes: readonly string[]): readonly ErrorAdvice[] {
  const byText = groupBy(
    [...new Set(codes)],
    (code) => ADVICE.find((row) => row.codes.test(code))?.text ?? '',
  );
  return Array.from(byText, ([text, group]) => {
    const [, status = '', advice = ''] = /^(?:(\d[^:]*): )?(.*)$/.exec(text) ?? [];
    return { codes: group, status, advice };
  });
}
