import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigurationError, messageOf } from './errors.ts';

const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Limited, because pipes have no size. @param setting for a {@link ConfigurationError} */
export function readUserFile(path: string, setting?: string): string {
  const decoder = new TextDecoder();
  let file = -1;
  let text = '';
  try {
    file = openSync(path, 'r');
    const chunk = new Uint8Array(64 * 1024);
    for (let size = 1; size > 0; ) {
      size = readSync(file, chunk);
      text += decoder.decode(chunk.subarray(0, size), { stream: size > 0 });
      if (text.length > MAX_CHARACTERS) throw new Error('the file has more than 64 MiB');
    }
    return text;
  } catch (cause) {
    if (setting === undefined) throw cause;
    throw new ConfigurationError(`${setting} ${path}: ${messageOf(cause)}`, { cause });
  } finally {
    if (file >= 0) closeSync(file);
  }
}
