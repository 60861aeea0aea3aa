import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';
import type { DocsAsset, DocsAssets, DocsCoding } from './assets.ts';

/** One entry of the manifest that scripts/build/docs-assets.mjs writes. */
interface ManifestEntry {
  readonly role: string;
  readonly file: string;
  readonly type: string;
  /** `sha256-…` */
  readonly integrity: string;
}

/**
 * Where the assets lie: beside this file in the package, beside or above the chunk of a bundle that contains this file, and
 * below `dist` when tests run the sources.
 */
const ASSET_FOLDERS = ['./static/', './ui/static/', '../ui/static/', '../../dist/ui/static/'].map(
  (path) => new URL(path, import.meta.url),
);

/**
 * Loads the manifest of the documentation assets that the package contains.
 *
 * @throws {Error} when the assets were not built (`npm run build`)
 */
export function loadDocsAssets(): DocsAssets {
  const folder = ASSET_FOLDERS.find((candidate) => existsSync(new URL('manifest.json', candidate)));
  if (folder === undefined) throw new Error('the documentation page is not built: npm run build');
  const manifest: readonly ManifestEntry[] = JSON.parse(
    readFileSync(new URL('manifest.json', folder), 'utf8'),
  );
  const findEntry = (role: string): ManifestEntry => {
    const entry = manifest.find((candidate) => candidate.role === role);
    if (entry === undefined)
      throw new Error(`${fileURLToPath(folder)}manifest.json has no entry for ${role}`);
    return entry;
  };
  const script = findEntry('script');
  const consoleScript = findEntry('console-script');
  const assets = new Map(manifest.map((entry) => [entry.file, createLazyAsset(folder, entry)]));
  return {
    styleName: findEntry('style').file,
    scriptName: script.file,
    scriptIntegrity: script.integrity,
    searchWorkerName: findEntry('search-worker').file,
    consoleStyleName: findEntry('console-style').file,
    consoleScriptName: consoleScript.file,
    consoleScriptIntegrity: consoleScript.integrity,
    licencesName: findEntry('licences').file,
    find: (name) => assets.get(name),
  };
}

/** Keeps each coding in memory after its first use: the assets are few and equal for all clients. */
function createLazyAsset(folder: URL, { file, type }: ManifestEntry): DocsAsset {
  const pending = new Map<DocsCoding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    name: file,
    contentType: type,
    read(coding) {
      const known = pending.get(coding);
      if (known !== undefined) return known;
      const bytes = TRANSCODERS[coding](readFile(new URL(`${file}.br`, folder)));
      pending.set(coding, bytes);
      // The next request retries a failed read.
      bytes.catch(() => pending.delete(coding));
      return bytes;
    },
  };
}

type Bytes = Promise<Uint8Array<ArrayBuffer>>;

/** Functions that convert the Brotli form to each coding. The package contains the Brotli form only, to save half its size. */
const TRANSCODERS: Readonly<Record<DocsCoding, (brotli: Bytes) => Bytes>> = {
  br: (brotli) => brotli,
  gzip: async (brotli) => promisify(gzip)(await promisify(brotliDecompress)(await brotli)),
  identity: async (brotli) => promisify(brotliDecompress)(await brotli),
};
