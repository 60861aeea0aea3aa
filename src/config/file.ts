import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { ConfigurationError } from '../errors.ts';

/**
 * Reads a file of JSON or YAML (of which JSON is a part).
 *
 * @param what the file is, for the message: `--config`, `--document`
 * @throws ConfigurationError where it cannot be read or is neither
 */
export async function readStructuredFile(path: string, what: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new ConfigurationError(`${what} ${path}: ${messageOf(cause)}`, { cause });
  }
  try {
    // JSON.parse is many times faster, and documents are large.
    return /^\s*[[{]/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw new ConfigurationError(`${what} ${path} is neither JSON nor YAML: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
