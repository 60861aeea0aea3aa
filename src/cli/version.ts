import { readFileSync } from 'node:fs';

/** The version in the package's own package.json, two folders up from here in `src` and in `dist` alike. */
export function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
