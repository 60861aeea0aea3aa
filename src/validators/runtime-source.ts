import { readPackagedText } from '../builtin-modules.ts';

/** Reads the validator of kind `json`, which lies beside this file in the package as in the repository: as TypeScript. */
export function readValidatorSource(): Promise<string> {
  return readPackagedText('runtime.ts', import.meta.url);
}
