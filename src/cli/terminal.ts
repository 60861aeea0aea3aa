import type { CommandIo } from './io.ts';

/** Words and their colours (ECMA-48, SGR): red, yellow and green. */
const COLOURS: readonly (readonly [pattern: RegExp, colour: number])[] = [
  [/(?<=: )error(?=: )|\bbreaking\b|(?<=: )(?:down|failing|not ready)\b/gi, 31],
  [/(?<=: )warning(?=: )|(?<=: )(?:slow|limited)(?=[ :])/g, 33],
  [/(?<=: )(?:good|ready|no problems)(?=[ .])/g, 32],
];

export function allowsColours(env: CommandIo['env']): boolean {
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

export function withColours(text: string): string {
  return COLOURS.reduce(
    (painted, [pattern, colour]) => painted.replace(pattern, (word) => paint(word, colour)),
    text,
  );
}

export function paint(text: string, colour: number): string {
  return `\u001b[${colour}m${text}\u001b[39m`;
}
