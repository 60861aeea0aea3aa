import { toMarkdownCode } from '../ui/text.ts';
import table from './error-advice.json' with { type: 'json' };

/** Advice by patterns of codes. The first that matches applies. */
const ADVICE = Object.entries(table).map(([codes, advice]) => ({
  codes: new RegExp(`^(?:${codes})$`),
  advice,
}));

/** An error code, and what a client does about it. */
export interface ErrorAdvice {
  readonly code: string;
  readonly advice: string;
}

/** Says what a client does about the errors of an operation. Codes are at most 100 characters long. */
export function adviseOn(codes: readonly string[]): readonly ErrorAdvice[] {
  return [...new Set(codes)].map((code) => {
    return { code, advice: ADVICE.find((row) => row.codes.test(code))?.advice ?? '' };
  });
}

/** Renders codes as a list in Markdown. Advice is written in Markdown, with code between backticks. */
export function renderAdviceMarkdown(codes: readonly ErrorAdvice[]): readonly string[] {
  return codes.map(({ advice, code }) => `- ${toMarkdownCode(code)} ${advice}`.trimEnd());
}
