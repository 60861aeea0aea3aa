import { resolve } from 'node:path';
import { ConfigurationError, messageOf } from '../../base/errors.ts';
import { toJsonObject } from '../../base/json.ts';
import { readUserFile } from '../../base/read-file.ts';

/** Runs a TypeScript or JavaScript module anew, with this copy of `waygate`. @throws {ConfigurationError} if that fails */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { createJiti } = await import('jiti');
  const waygate = await import('../../index.ts');
  const jiti = createJiti(import.meta.url, { fsCache: false, virtualModules: { waygate } });
  const filename = resolve(path);
  const before = new Set(Object.keys(jiti.cache));
  try {
    const source = readUserFile(filename);
    // `import` would load a JavaScript module only once.
    const exports = await jiti.evalModule(source, { filename, async: true, forceTranspile: true });
    return { ...toJsonObject(exports) };
  } catch (cause) {
    // A syntax error has its place in a line of its own.
    throw new ConfigurationError(`${path}: ${messageOf(cause).replace(/\s*\n\s*/g, ' ')}`, { cause });
  } finally {
    for (const file of Object.keys(jiti.cache))
      if (!before.has(file) && !/[\\/]node_modules[\\/]/.test(file)) delete jiti.cache[file];
  }
}
