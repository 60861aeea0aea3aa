import { readUserFile } from '../builtin-modules.ts';
import { ConfigurationError, messageOf } from '../errors.ts';
import { isShallow, type Json } from '../json.ts';

/**
 * Most levels of nesting, because what uses the value of a file recurses. A schema of an index has 64 at most, and that of a document
 * has more keywords around each of them.
 */
export const MAX_LEVELS = 500;
export const TOO_DEEP: string = `nests more than ${MAX_LEVELS} levels deep`;

/**
 * Reads a JSON or YAML file.
 *
 * @param option the option that names the file, for the message: `--config`, `--document`
 * @throws {ConfigurationError} when the file is not readable, is neither JSON nor YAML, or nests more than 500 levels deep
 */
export async function readStructuredFile(path: string, option: string): Promise<unknown> {
  const text = readUserFile(path, option);
  const problem = (words: string, cause?: unknown): ConfigurationError =>
    new ConfigurationError(`${option} ${path} ${words}`, { cause });
  let value: Json;
  try {
    // JSON.parse is many times faster than the YAML parser, and documents are large. `{name: value}` is YAML.
    if (/^\s*[[{]\s*["[{\]}]/.test(text)) value = JSON.parse(text);
    else value = (await import('yaml')).parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    // The parser of YAML recurses, and tells so by this message of the runtime.
    const message = messageOf(cause);
    if (!message.startsWith('Maximum call stack'))
      throw problem(`is neither JSON nor YAML: ${message}`, cause);
    throw problem(TOO_DEEP, cause);
  }
  if (!isShallow(value, MAX_LEVELS)) throw problem(TOO_DEEP);
  return value;
}
