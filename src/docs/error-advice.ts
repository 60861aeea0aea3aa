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
  /** Where the gateway has seen it: `Seen in traffic with 404.` @default not seen */
  readonly seen?: string;
}

/** An error that the gateway has seen in responses of the site. */
export interface ErrorInTraffic {
  readonly status: number;
  readonly code: string;
}

/**
 * Says what a client does about the errors of an operation. Codes are at most 100 characters long.
 *
 * @param inTraffic errors that the gateway has seen, which may have other codes
 */
export function adviseOn(
  codes: readonly string[],
  inTraffic: readonly ErrorInTraffic[] = [],
): readonly ErrorAdvice[] {
  const all = new Set([...codes, ...inTraffic.map(({ code }) => code)]);
  return [...all].map((code) => {
    const statuses = inTraffic.filter((each) => each.code === code).map(({ status }) => status);
    const advice = ADVICE.find((row) => row.codes.test(code))?.advice ?? '';
    if (statuses.length === 0) return { code, advice };
    return { code, advice, seen: `Seen in traffic with ${[...new Set(statuses)].join(', ')}.` };
  });
}

/** Renders codes as a list in Markdown. Advice is written in Markdown, with code between backticks. */
export function renderAdviceMarkdown(codes: readonly ErrorAdvice[]): readonly string[] {
  return codes.map((error) => `- ${toMarkdownCode(error.code)} ${describeError(error)}`.trimEnd());
}

/** What a client does about an error, and where it was seen. */
export function describeError({ advice, seen = '' }: ErrorAdvice): string {
  return `${advice} ${seen}`.trim();
}
