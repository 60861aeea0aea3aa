import { ConfigurationError, messageOf } from './errors.ts';

interface Platform {
  readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule };
}

/**
 * Finds a module of Node; `undefined` on a platform without it, where an `import` would keep a bundle from
 * loading.
 */
const findBuiltinModule = ((id: string) =>
  (globalThis as Platform).process?.getBuiltinModule?.(id)) as typeof process.getBuiltinModule;

/**
 * Reads a text file of this package.
 *
 * @param base `import.meta.url`; a bundle for workers has none
 * @throws {ConfigurationError} on a platform without files
 */
export async function readPackagedText(path: string, base: string): Promise<string> {
  const fs = findBuiltinModule('node:fs/promises') as typeof import('node:fs/promises') | undefined;
  if (fs === undefined || !URL.canParse(base)) throw new ConfigurationError(ON_NODE_ONLY);
  return fs.readFile(new URL(path, base), 'utf8');
}

const MAX_CHARACTERS = 256 * 1024 * 1024;

/**
 * Reads a limited text without byte order mark, because pipes and `/dev/zero` have no size.
 *
 * @param setting names the file in a {@link ConfigurationError}; without it, the system's error is thrown
 */
export function readUserFile(path: string, setting?: string): string {
  const fs = findBuiltinModule('node:fs');
  const decoder = new TextDecoder();
  let file = -1;
  let text = '';
  try {
    file = fs.openSync(path, 'r');
    const chunk = new Uint8Array(64 * 1024);
    for (let size = 1; size > 0; ) {
      size = fs.readSync(file, chunk);
      text += decoder.decode(chunk.subarray(0, size), { stream: size > 0 });
      if (text.length > MAX_CHARACTERS) throw new Error('the file has more than 256 MiB');
    }
    return text;
  } catch (cause) {
    if (setting === undefined) throw cause;
    throw new ConfigurationError(`${setting} ${path}: ${messageOf(cause)}`, { cause });
  } finally {
    if (file >= 0) fs.closeSync(file);
  }
}

export const ON_NODE_ONLY =
  'types and clients can only be generated on Node, Bun or Deno: a bundle for browsers or workers lacks the files of the generator';
