import type { CommandIo } from './io.ts';

/** Whether a terminal of this environment understands colours, and its user wants them (`NO_COLOR`). */
export function allowsColours(env: CommandIo['env']): boolean {
  return !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** @param colour ECMA-48, SGR */
export function paint(text: string, colour: number): string {
  return `\u001b[${colour}m${text}\u001b[39m`;
}
