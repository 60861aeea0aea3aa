import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DocsAsset, DocsAssets, DocsCoding } from './asset.ts';

/** As scripts/build-docs.mjs writes it. */
interface ManifestEntry {
  readonly role: string;
  readonly file: string;
  readonly type: string;
}

/** Beside this file in the package; below `dist` when the sources themselves run, as they do in tests. */
const FOLDERS = ['./static/', '../../dist/docs/static/'].map((path) => new URL(path, import.meta.url));

/**
 * The files of the documentation page as the package carries them.
 *
 * @throws Error where they were never built (`npm run build`)
 */
export function loadDocsAssets(): DocsAssets {
  const folder = FOLDERS.find((candidate) => existsSync(new URL('manifest.json', candidate)));
  if (folder === undefined) throw new Error('the documentation page is not built: npm run build');
  const manifest: readonly ManifestEntry[] = JSON.parse(
    readFileSync(new URL('manifest.json', folder), 'utf8'),
  );
  const nameOf = (role: string): string => {
    const entry = manifest.find((candidate) => candidate.role === role);
    if (entry === undefined) throw new Error(`${fileURLToPath(folder)}manifest.json names no ${role}`);
    return entry.file;
  };
  const assets = new Map(manifest.map((entry) => [entry.file, lazyAsset(folder, entry)]));
  return {
    reference: nameOf('reference'),
    start: nameOf('start'),
    licences: nameOf('licences'),
    find: (name) => assets.get(name),
  };
}

/** Held once it was asked for: few files, and the same for every reader. A failed read is tried again. */
function lazyAsset(folder: URL, { file, type }: ManifestEntry): DocsAsset {
  const held = new Map<DocsCoding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    name: file,
    contentType: type,
    read(coding) {
      const known = held.get(coding);
      if (known !== undefined) return known;
      const bytes = READERS[coding](new URL(file, folder).href);
      held.set(coding, bytes);
      bytes.catch(() => held.delete(coding));
      return bytes;
    },
  };
}

const READERS: Readonly<Record<DocsCoding, (href: string) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (href) => readFile(new URL(`${href}.br`)),
  gzip: (href) => readFile(new URL(`${href}.gz`)),
  // No plain form is shipped: hardly any client asks for it.
  identity: async (href) => promisify(gunzip)(await readFile(new URL(`${href}.gz`))),
};
