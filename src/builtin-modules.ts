import { ConfigurationError } from './errors.ts';

interface Platform {
  readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule };
}

/**
 * Returns a module of Node, which Bun and Deno have too; `undefined` on a platform without it. An `import`, even one on demand, would
 * keep a bundle from being loaded there.
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

export const ON_NODE_ONLY =
  'types, clients and validators are generated on Node, Bun or Deno: a bundle for browsers and workers is without the files of the generator';
