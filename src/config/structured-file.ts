import { readFile } from 'node:fs/promises';
import { ConfigurationError, messageOf } from '../errors.ts';

/**
 * Reads a JSON or YAML file.
 *
 * @param option the option that names the file, for the message: `--config`, `--document`
 * @throws {ConfigurationError} when the file is not readable or is neither JSON nor YAML
 */
export async function readStructuredFile(path: string, option: string): Promise<unknown> {
  let text: string;
  try {
    // Without the byte order mark that editors on Windows write.
    text = new TextDecoder().decode(await readFile(path));
  } catch (cause) {
    throw new ConfigurationError(`${option} ${path}: ${messageOf(cause)}`, { cause });
  }
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
