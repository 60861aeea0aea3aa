import { readPackagedText } from '../builtin-modules.ts';

/** Reads the validator of kind `json`, which lies in the package as in the repository: as TypeScript. */
export async function readValidatorSource(): Promise<string> {
  const [runtime, walk] = await Promise.all(
    ['runtime.ts', '../model/schema/walk.ts'].map((path) => readPackagedText(path, import.meta.url)),
  );
  return `${runtime?.replace(/^import .*\n\n/m, '')}\n${walk?.replace(/^export (?=function)/m, '')}`;
}
