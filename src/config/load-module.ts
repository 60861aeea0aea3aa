import { dirname, join, relative, resolve } from 'node:path';
import { readUserFile } from '../builtin-modules.ts';
import { ConfigurationError, messageOf } from '../errors.ts';
import { toJsonObject } from '../json.ts';

/** A configuration that is a program, such as `gateway.config.ts`, once it has run. */
export interface LoadedModule {
  /** Its exports by name; a CommonJS module has those of its object. */
  readonly exports: Readonly<Record<string, unknown>>;
  /**
   * Absolute paths of the file and of the modules that it has loaded, without those of packages and ESM in JavaScript, which Node
   * itself imports, and only once.
   */
  readonly files: readonly string[];
  /** Writes the place of an error in these files before its message: `gateway.config.ts:12:5: app: no such key`. */
  describe(error: unknown, setting?: string): string;
}

/**
 * Runs a program. Each call runs it and the modules that it loads again, and keeps none of them in memory. Node imports TypeScript
 * from version 22.18 on, so jiti does it. `waygate` is this copy of the package: the file loads even where the package isn't
 * installed (`npx waygate`).
 *
 * @param path as the user has written it
 * @throws {ConfigurationError} when the file isn't readable, has a syntax error, or throws; the message begins with the place
 */
export async function loadModule(path: string): Promise<LoadedModule> {
  const { createJiti } = await import('jiti');
  const helpers = await import('../define-config.ts');
  const jiti = createJiti(import.meta.url, { fsCache: false, virtualModules: { waygate: helpers } });
  const filename = resolve(path);
  const before = new Set(Object.keys(jiti.cache));
  const listFiles = () =>
    Object.keys(jiti.cache).filter((file) => !before.has(file) && !/[\\/]node_modules[\\/]/.test(file));
  try {
    const source = readUserFile(filename);
    // Not `import`: Node would load a module in JavaScript, and only once.
    const exports = await jiti.evalModule(source, { filename, async: true, forceTranspile: true });
    const files = [...new Set([filename, ...listFiles()])];
    const describe = (error: unknown, setting?: string) => describeError(error, path, files, setting);
    return { exports: { ...toJsonObject(exports) }, files, describe };
  } catch (cause) {
    throw new ConfigurationError(describeError(cause, path, [filename, ...listFiles()]), { cause });
  } finally {
    for (const file of listFiles()) delete jiti.cache[file];
  }
}

function describeError(error: unknown, path: string, files: readonly string[], setting?: string): string {
  const stack = error instanceof Error ? `${error.message}\n${error.stack}` : '';
  const place = [...stack.matchAll(/([^\s()]+):(\d+):(\d+)/g)].find(([, file = '']) => files.includes(file));
  const [, file = resolve(path), line = '', column = ''] = place ?? [];
  // As the user has written it, also that of a module beside it.
  const shown = join(dirname(path), relative(dirname(resolve(path)), file));
  const [message = ''] = messageOf(error).split(/\s*\n/, 1);
  return [place === undefined ? shown : `${shown}:${line}:${column}`, setting, message]
    .filter((part) => part !== undefined)
    .join(': ');
}
