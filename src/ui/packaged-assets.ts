import files from '#assets';
import { findBuiltinModule } from '../builtin-modules.ts';
import { encodeText } from '../hash.ts';
import { getOrCreate } from '../memoize.ts';
import type { DocsAsset, DocsAssets, DocsCoding } from './assets.ts';

/** A file of the pages, as scripts/build/docs-assets.mjs writes it. */
export interface PackagedFile {
  readonly role: string;
  readonly file: string;
  readonly type: string;
  /** `sha256-…` */
  readonly integrity: string;
  readonly text: string;
}

/** Returns the assets of the documentation that the package contains (`npm run build` writes them). */
export function loadDocsAssets(): DocsAssets {
  const findEntry = (role: string): PackagedFile => {
    const entry = files.find((candidate) => candidate.role === role);
    if (entry === undefined) throw new Error(`the assets of the documentation have none for ${role}`);
    return entry;
  };
  const script = findEntry('script');
  const consoleScript = findEntry('console-script');
  const assets = new Map(files.map((entry) => [entry.file, createLazyAsset(entry)]));
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
function createLazyAsset({ file, text, type }: PackagedFile): DocsAsset {
  const pending = new Map<DocsCoding, ReturnType<DocsAsset['read']>>();
  return {
    name: file,
    contentType: type,
    read: (coding) => getOrCreate(pending, coding, () => ENCODERS[coding](encodeText(text))),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

const ENCODERS: Readonly<Record<DocsCoding, (bytes: Bytes) => Promise<Bytes | null>>> = {
  async br(bytes) {
    const zlib = findBuiltinModule('node:zlib');
    if (zlib === undefined) return null;
    return new Promise((resolve, reject) => {
      zlib.brotliCompress(bytes, (error, result) =>
        error ? reject(error) : resolve(new Uint8Array(result)),
      );
    });
  },
  async gzip(bytes) {
    const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
    return new Uint8Array(await new Response(compressed).arrayBuffer());
  },
  identity: async (bytes) => bytes,
};
