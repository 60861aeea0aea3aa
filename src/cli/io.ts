import type { DiscoveryProgress } from '../discovery/index.ts';
import { maskUrls } from '../discovery/redact.ts';

/** The environment and the output streams of a command. Tests replace them to run a command inside the test process. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths of the command are relative to. @default the folder of the process */
  readonly cwd?: string | undefined;
  /** Writes the command's result to standard output. */
  readonly writeOut: (text: string) => void;
  /** Writes a message for a person to standard error. */
  readonly writeErr: (text: string) => void;
  readonly isInteractive: boolean;
  /** Absent when standard input or standard error is not a terminal: nobody is asked. */
  readonly prompts?: Prompts | undefined;
}

/** Asks a person. Each question rejects with a `ConfigurationError` when the person ends the input or the command instead. */
export interface Prompts {
  /** @param check throws a `ConfigurationError` for a text that is asked for again */
  askText(question: string, preset?: string, check?: (text: string) => unknown): Promise<string>;
  askYesNo(question: string, preset: boolean): Promise<boolean>;
  /** @returns one of the choices */
  askChoice(question: string, choices: readonly string[]): Promise<string>;
}

/** The input and output of a program that runs commands itself: nobody is asked, and no line is erased. */
export function createProcessIo(cwd: string): CommandIo {
  return withEscapedOutput({
    env: process.env,
    cwd,
    writeOut: (text) => void process.stdout.write(text),
    writeErr: (text) => void process.stderr.write(text),
    isInteractive: false,
  });
}

/**
 * 0: success. 1: `--check` found differences. 2: wrong usage or configuration. 3: the site could not be read. 130 and 143: the
 * work was interrupted by SIGINT or SIGTERM, as shells count.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130 | 143;

/** Returns to the first column and erases the line (ECMA-48, EL). The progress line begins with it. */
export const CLEAR_LINE = '\r\u001b[K';

/** Control characters except tab and newline, C1 control characters, and characters that reorder text (UAX #9). */
const CONTROL_CHARACTERS =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes the characters with which a text from a site could control a terminal or hide a part of itself, as JSON does
 * (`\u001b`). JSON keeps its meaning: within it, these characters occur in strings only.
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Wraps the output of a command, so that nothing but its own progress line controls the terminal, and no message shows the
 * credentials of a URL.
 */
export function withEscapedOutput(io: CommandIo): CommandIo {
  return {
    ...io,
    writeOut: (text) => io.writeOut(escapeControlCharacters(text)),
    writeErr: (text) => {
      const clear = text.startsWith(CLEAR_LINE) ? CLEAR_LINE : '';
      io.writeErr(clear + escapeControlCharacters(maskUrls(text.slice(clear.length))));
    },
  };
}

/** Runs `work` and shows its progress in one line of the terminal. The line is erased at the end. A pipe gets no output. */
export async function withProgress<T>(
  { writeErr, isInteractive }: Pick<CommandIo, 'writeErr' | 'isInteractive'>,
  work: (onProgress: (progress: DiscoveryProgress) => void) => Promise<T>,
): Promise<T> {
  if (!isInteractive) return work(() => {});
  try {
    return await work((progress) => writeErr(CLEAR_LINE + describeProgress(progress)));
  } finally {
    writeErr(CLEAR_LINE);
  }
}

function describeProgress(progress: DiscoveryProgress): string {
  if (progress.step === 'request') return `Requesting ${progress.url} …`;
  const { done, total } = progress;
  return `Reading responses: ${done} of at most ${total} …`;
}

/** Pads the cells of each column: text to the left, numbers to the right. A longer cell than the maximum is not aligned. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  maxWidth: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(maxWidth, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  const pad = (cell: string, width = 0): string =>
    /^\d+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Names of routes are the site's. A line break in one would look like a row of the table. */
export function onOneLine(name: string): string {
  return name.replace(/[\n\t]/g, ' ');
}
