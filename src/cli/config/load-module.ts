import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { Jiti } from 'jiti';
import { ConfigurationError, messageOf } from '../../base/errors.ts';
import { toJsonObject } from '../../base/json.ts';
import { readUserFile } from '../../base/read-file.ts';

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Absolute paths of the file and of what it has loaded, without packages. */
  readonly files: readonly string[];
  /** Adds the place to an error's message: `gateway.config.ts:12:5: app: no such key`. */
  describe(error: unknown, setting?: string): string;
}

/** Runs a program anew. `waygate` in it is this copy. @throws {ConfigurationError} if it can't be read or throws */
export async function loadModule(path: string): Promise<LoadedModule> {
  const { createJiti } = await import('jiti');
  const waygate = await import('../../index.ts');
  const jiti = createJiti(import.meta.url, { fsCache: false, sourceMaps: true, virtualModules: { waygate } });
  const filename = resolve(path);
  const before = new Set(Object.keys(jiti.cache));
  const listFiles = () =>
    Object.keys(jiti.cache).filter((file) => !before.has(file) && !/[\\/]node_modules[\\/]/.test(file));
  try {
    const source = readUserFile(filename);
    // `import` would load a JavaScript module only once.
    const exports = await jiti.evalModule(source, { filename, async: true, forceTranspile: true });
    const files = [...new Set([filename, ...listFiles()])];
    const describe = (error: unknown, setting?: string) =>
      describeError(error, { jiti, path, files, setting });
    return { exports: { ...toJsonObject(exports) }, files, describe };
  } catch (cause) {
    throw new ConfigurationError(describeError(cause, { jiti, path, files: [filename, ...listFiles()] }), {
      cause,
    });
  } finally {
    for (const file of listFiles()) delete jiti.cache[file];
  }
}

interface LoadedFiles extends Pick<LoadedModule, 'files'> {
  readonly jiti: Jiti;
  readonly path: string;
  readonly setting?: string | undefined;
}

function describeError(error: unknown, { files, jiti, path, setting }: LoadedFiles): string {
  const isSyntaxError = error instanceof Error && /^ParseError: .*\n/.test(error.message);
  const { message: text = '', stack = '' } = error instanceof Error ? error : {};
  const lines = isSyntaxError ? text : stack.replace(text, '');
  const frames = [...lines.matchAll(/^(?: +at (?:.*\()?(?:file:\/\/)?| )(\/.*):(\d+):(\d+)\)?$/gm)];
  const frame = frames.find(([, file = '']) => files.includes(file));
  const [, file = resolve(path), line, column] = frame ?? [];
  const shown = join(dirname(path), relative(dirname(resolve(path)), file));
  const found = [Number(line), Number(column)] as const;
  const place = frame && (isSyntaxError ? [found[0], found[1] + 1] : findOriginal(jiti, file, found));
  const [message = ''] = messageOf(error).split(/\s*\n/, 1);
  return [[shown, ...(place ?? [])].join(':'), setting, message]
    .filter((part) => part !== undefined)
    .join(': ');
}

/** Finds the source of a place in a running program. @returns `undefined` unless it's certain */
function findOriginal(jiti: Jiti, file: string, [line, column]: readonly [number, number]) {
  const source = readUserFile(file);
  // The first line has a prefix of unknown length. JavaScript has line breaks that editors don't count.
  if (line === 1 || /[\u2028\u2029]/.test(source)) return undefined;
  const code = jiti.transform({ filename: file, source, async: true, ts: /tsx?$/.test(file) });
  const [, map = ''] = /sourceMappingURL=data:[^,]*,(\S+)\s*$/.exec(code) ?? [];
  const entry = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString())).findEntry(
    line - 1,
    column - 1,
  );
  const isExact =
    'generatedLine' in entry && entry.generatedLine === line - 1 && entry.generatedColumn === column - 1;
  return isExact ? [entry.originalLine + 1, entry.originalColumn + 1] : undefined;
}
