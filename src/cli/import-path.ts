import { isAbsolute, sep } from 'node:path';

/** Writes the path of a file as a program in the current folder imports it: with `/`, and beginning with `./` or a root. */
export function toImportPath(path: string): string {
  const portable = path.replaceAll(sep, '/');
  return isAbsolute(path) || portable.startsWith('../') ? portable : `./${portable}`;
}
