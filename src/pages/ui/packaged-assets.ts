import type { RequestHead } from '../../base/http/exchange.ts';
import { createRendition, type Rendition, respondWithRendition } from '../../base/http/rendition.ts';
import { getOrCreate, lazy } from '../../base/memoize.ts';

/** A file that pages load. Its name contains its hash, so it never changes. */
export interface PackagedFile {
  readonly role: string;
  readonly file: string;
  readonly type: string;
  readonly integrity: string;
  readonly text: string;
}

/** Names and hashes of the files of documentation and console, and of the licences of what the scripts contain. */
export type DocsAssets = Readonly<
  Record<`${'style' | 'script' | 'searchWorker' | 'consoleStyle' | 'consoleScript' | 'licences'}Name`, string>
> &
  Readonly<Record<'scriptIntegrity' | 'consoleScriptIntegrity', string>> & {
    /** @param name last segment of its URL, e.g. `docs-4bb83382581b074e.js` */
    find(name: string): PackagedFile | undefined;
  };

/** Reads the files with the first page that needs them. */
export const loadDocsAssets: () => Promise<DocsAssets> = lazy(async () => {
  const { default: files } = await import('#assets');
  const findEntry = (role: string): PackagedFile => {
    const entry = files.find((candidate) => candidate.role === role);
    if (entry === undefined) throw new Error(`the assets of the documentation have none for ${role}`);
    return entry;
  };
  const script = findEntry('script');
  const consoleScript = findEntry('console-script');
  return {
    styleName: findEntry('style').file,
    scriptName: script.file,
    scriptIntegrity: script.integrity,
    searchWorkerName: findEntry('search-worker').file,
    consoleStyleName: findEntry('console-style').file,
    consoleScriptName: consoleScript.file,
    consoleScriptIntegrity: consoleScript.integrity,
    licencesName: findEntry('licences').file,
    find: (name: string) => files.find(({ file }) => file === name),
  };
});

const renditions = new WeakMap<PackagedFile, Promise<Rendition>>();

const ASSET_HEADERS: Readonly<Record<string, string>> = {
  // RFC 8246
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

export async function respondWithAsset(asset: PackagedFile, head: RequestHead): Promise<Response> {
  const rendition = getOrCreate(renditions, asset, () => createRendition(asset.text, asset.type));
  return respondWithRendition(await rendition, head, ASSET_HEADERS);
}
