import { toMarkdownCode } from '../ui/text.ts';
import table from './error-advice.json' with { type: 'json' };

/** Statuses and advice by patterns of codes (`404: Read the id from the list.`). The first that matches applies. */
const ADVICE = Object.entries(table).map(([codes, text]) => ({ codes: new RegExp(`^(?:${codes})$`), text }));

/** An error code, and what a client does about it. */
export interface ErrorAdvice {
  readonly code: string;
  /** `404`, `401 or 403`; empty if unknown. */
  readonly status: string;
  readonly advice: string;
}

/** Says what a client does about the errors of an operation. Codes are at most 100 characters long. */
export function adviseOn(codes: readonly string[]): readonly ErrorAdvice[] {
  return [...new Set(codes)].map((code) => {
    const { text = '' } = ADVICE.find((row) => row.codes.test(code)) ?? {};
    const [, status = '', advice = ''] = /^(?:(\d[^:]*): )?(.*)$/.exec(text) ?? [];
    return { code, status, advice };
  });
}

/** Renders codes as a list in Markdown. Advice is written in Markdown, with code between backticks. */
export function renderAdviceMarkdown(codes: readonly ErrorAdvice[]): readonly string[] {
  return codes.map(({ advice, code, status }) =>
    `- ${toMarkdownCode(code)}${status && ` (${status})`} ${advice}`.trimEnd(),
  );
}
