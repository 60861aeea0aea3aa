import { existsSync, readFileSync } from 'node:fs';

/** Reads version and commit of the package, which lies above `src` and `dist`. */
export function readBuild(): { readonly version: string; readonly commit: string } {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
  const { version }: { version: string } = JSON.parse(read('../../package.json'));
  const commitFile = new URL('../commit.txt', import.meta.url);
  return { version, commit: existsSync(commitFile) ? read('../commit.txt').trim() : 'unknown' };
}
