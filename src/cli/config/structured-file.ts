import { ConfigurationError, messageOf } from '../../base/errors.ts';
import { isShallow, type Json } from '../../base/json.ts';
import { readUserFile } from '../../base/read-file.ts';

/** Levels of nesting: functions that use the content are recursive. */
export const MAX_LEVELS = 500;
export const TOO_DEEP: string = `nests more than ${MAX_LEVELS} levels deep`;

/** @param option flag that names the file: `--config` */
export async function readStructuredFile(path: string, option: string): Promise<unknown> {
  const text = readUserFile(path, option);
  const problem = (words: string, cause?: unknown): ConfigurationError =>
    new ConfigurationError(`${option} ${path} ${words}`, { cause });
  let value: Json;
  try {
    // JSON.parse is many times faster than the YAML parser, but `{name: value}` is YAML.
    if (/^\s*[[{]\s*["[{\]}]/.test(text)) value = JSON.parse(text);
    else value = (await import('yaml')).parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    // The parser of YAML recurses.
    const message = messageOf(cause);
    if (!message.startsWith('Maximum call stack'))
      throw problem(`is neither JSON nor YAML: ${message}`, cause);
    throw problem(TOO_DEEP, cause);
  }
  if (!isShallow(value, MAX_LEVELS)) throw problem(TOO_DEEP);
  return value;
}
