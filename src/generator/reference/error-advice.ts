import { toMarkdownCode } from '../../base/text.ts';
import table from './error-advice.json' with { type: 'json' };

/** Statuses and advice by patterns of codes (`404: Read the id from the list.`). The first that matches applies. */
const ADVICE = Object.entries(table).map(([codes, text]) => ({ codes: new RegExp(`^(?:${codes})$`), text }));

export interface ErrorAdvice {
  readonly code: string;
  readonly status: string;
  readonly advice: string;
}

export function adviseOn(codes: readonly string[]): readonly ErrorAdvice[] {
  return [...new Set(codes)].map((code) => {
    const { text = '' } = ADVICE.find((row) => row.codes.test(code)) ?? {};
    const [, status = '', advice = ''] = /^(?:(\d[^:]*): )?(.*)$/.exec(text) ?? [];
    return { code, status, advice };
  });
}

export function renderAdviceMarkdown(codes: readonly ErrorAdvice[]): readonly string[] {
  return codes.map(({ advice, code, status }) =>
    `- ${toMarkdownCode(code)}${status && ` (${status})`} ${advice}`.trimEnd(),
  );
}
