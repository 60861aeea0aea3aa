import table from './error-advice.json' with { type: 'json' };
import { toMarkdownCode } from './markdown-text.ts';

const ADVICE = table.map(({ advice, codes }) => ({ codes: new RegExp(`^(?:${codes})$`), advice }));

/** An error code, and what a client does about it. */
export interface ErrorAdvice {
  readonly code: string;
  /** Empty for a code that is not known. */
  readonly advice: string;
}

/** Says what a client does about the errors of an operation. Codes are at most 100 characters long. */
export function adviseOn(codes: readonly string[]): readonly ErrorAdvice[] {
  return codes.map((code) => ({ code, advice: ADVICE.find((row) => row.codes.test(code))?.advice ?? '' }));
}

/** Renders codes as a list in Markdown. Advice is written in Markdown, with code between backticks. */
export function renderAdviceMarkdown(codes: readonly ErrorAdvice[]): readonly string[] {
  return codes.map(({ advice, code }) => `- ${toMarkdownCode(code)} ${advice}`.trimEnd());
}
