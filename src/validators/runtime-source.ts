import { readFile } from 'node:fs/promises';

/** Reads the validator of kind `json`, which lies beside this file in the package as in the repository: as TypeScript. */
export function readValidatorSource(): Promise<string> {
  return readFile(new URL('runtime.ts', import.meta.url), 'utf8');
}
