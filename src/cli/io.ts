import { ConfigurationError } from '../base/errors.ts';
import { parseCredentials } from '../base/http/basic-credentials.ts';
import type { DiscoveryFlags } from '../base/option-types.ts';
import { maskUrls, withoutCredentials } from '../generator/discovery/address.ts';
import type { DiscoverOptions, DiscoveryProgress } from '../generator/discovery/index.ts';

export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths. @default the folder of the process */
  readonly cwd?: string | undefined;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
  readonly isInteractive: boolean;
  /** Absent without a terminal: nobody is asked. */
  readonly prompts?: Prompts | undefined;
}

/** Questions reject with a `ConfigurationError` if the input or the command ends. */
export interface Prompts {
  /** @param check throws a `ConfigurationError` for a text that is asked for again */
  askText(question: string, preset?: string, check?: (text: string) => unknown): Promise<string>;
  askYesNo(question: string, preset: boolean): Promise<boolean>;
}

/** 0: success. 1: `--check` found differences. 2: wrong usage or configuration. 3: the site could not be read. */
export type ExitCode = 0 | 1 | 2 | 3;

const CLEAR_LINE = '\r\u001b[K';

/** C0 except tab and newline, C1, and characters that reorder text (UAX #9). */
const CONTROL_CHARACTERS =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Escapes characters that could control a terminal or hide a part of a site's text, as JSON does (`\u001b`). */
export function escapeControlCharacters(text: string): string {
  return text.replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes control characters except those of the progress line, and masks credentials in messages. */
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

/** Milliseconds between lines of progress in a log. */
const LOG_INTERVAL = 10_000;

export async function withProgress<T>(
  { env, isInteractive, writeErr }: Pick<CommandIo, 'env' | 'isInteractive' | 'writeErr'>,
  work: (onProgress: (progress: DiscoveryProgress) => void) => Promise<T>,
): Promise<T> {
  // A dumb terminal, such as the shell of Emacs, erases nothing.
  if (!isInteractive || env['TERM'] === 'dumb') {
    let last: DiscoveryProgress | undefined;
    const write = (): void => void (last && writeErr(`${describeProgress(last)}\n`));
    // One request can take longer.
    const timer = setInterval(write, LOG_INTERVAL);
    return work((progress) => {
      last = progress;
    }).finally(() => clearInterval(timer));
  }
  const interrupt = (): void => {
    writeErr(CLEAR_LINE);
    process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', interrupt);
  try {
    return await work((progress) => writeErr(CLEAR_LINE + describeProgress(progress)));
  } finally {
    process.off('SIGINT', interrupt);
    writeErr(CLEAR_LINE);
  }
}

function describeProgress(progress: DiscoveryProgress): string {
  if (progress.step === 'request') return `Requesting ${progress.url} …`;
  const { done, total } = progress;
  if (progress.step === 'resources')
    return `Asking ${progress.resource}: ${done} of ${total} resources, about ${Math.ceil(progress.left / 1_000)} s left …`;
  return `Reading responses: ${done} of at most ${total} …`;
}

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

/** A line break in a site's route would look like a further row of the table. */
export function onOneLine(name: string): string {
  return name.replace(/[\n\t]/g, ' ');
}

export function resolveDiscovery(
  { auth, exclude, header, include, namespaces, options }: DiscoveryFlags,
  { env }: Pick<CommandIo, 'env'>,
): DiscoverOptions {
  const credentials = auth ?? env['WAYGATE_AUTH'];
  return {
    include,
    exclude,
    namespaces: namespaces.flatMap((listed) => listed.split(',')),
    options,
    headers: Object.fromEntries(header.map(parseHeaderOption)),
    auth: credentials === undefined || credentials === '' ? undefined : parseCredentials(credentials),
  };
}

/** @throws {ConfigurationError} for another text, which the message quotes without credentials */
export function requireHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  const shown = withoutCredentials(text);
  const isHostName = !/^\/|:\/\//.test(text) && URL.canParse(`https://${shown}`);
  const suggestion = url === null && isHostName ? ` Did you mean https://${shown}?` : '';
  throw new ConfigurationError(`"${shown}" is not an http or https URL.${suggestion}`);
}

export function requireGatewayUrl(text: string): string {
  return withoutCredentials(requireHttpUrl(text)).replace(/\/+$/, '');
}

export function toShellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function parseHeaderOption(text: string): [string, string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match?.[1] === undefined) throw new ConfigurationError("--header must be 'Name: value', as in HTTP");
  return [match[1], match[2] ?? ''];
}

/** The second signal ends the process with code 0, after `cutOff`. Handlers stay: a signal would kill it. */
export function waitForStopSignal(
  cutOff: () => Promise<void> = () => Promise.resolve(),
): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let count = 0;
    const stop = (signal: NodeJS.Signals): void => {
      count += 1;
      if (count === 1) resolve(signal);
      else if (count === 2) void cutOff().finally(() => process.exit(0));
      else process.exit(0);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
