import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ConfigurationError, messageOf } from '../errors.ts';

/**
 * Refuses a named pipe. Its reader waits until something writes to it, and so would a reload, and all that follow. The pipes of a shell
 * (`<(command)`) have writers.
 *
 * @throws {Error} for a named pipe
 */
export function refusePipe(path: string): void {
  const isOfShell = /^\/(?:dev|proc)\//.test(path);
  if (!isOfShell && statSync(path, { throwIfNoEntry: false })?.isFIFO() === true)
    throw new Error(`${path} is a named pipe, not a file`);
}

/**
 * Reads a JSON or YAML file.
 *
 * @param option the option that names the file, for the message: `--config`, `--document`
 * @throws {ConfigurationError} when the file is not readable or is neither JSON nor YAML
 */
export async function readStructuredFile(path: string, option: string): Promise<unknown> {
  let text: string;
  try {
    refusePipe(path);
    // Without the byte order mark that editors on Windows write.
    text = new TextDecoder().decode(await readFile(path));
  } catch (cause) {
    throw new ConfigurationError(`${option} ${path}: ${messageOf(cause)}`, { cause });
  }
  return parseStructuredText(text, path, option);
}

/** Parses the text of a file. See {@link readStructuredFile}. */
export async function parseStructuredText(text: string, path: string, option: string): Promise<unknown> {
  try {
    // JSON.parse is many times faster than the YAML parser, and documents are large. `{name: value}` is YAML.
    if (/^\s*[[{]\s*["[{\]}]/.test(text)) return JSON.parse(text);
    const { parse } = await import('yaml');
    return parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw new ConfigurationError(`${option} ${path} is neither JSON nor YAML: ${messageOf(cause)}`, {
      cause,
    });
  }
}
