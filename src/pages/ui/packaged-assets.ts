import type { RequestHead } from '../../base/http/exchange.ts';
import { createRendition, type Rendition, toRenditionReply, toResponse } from '../../base/http/rendition.ts';
import { getOrCreate, lazy } from '../../base/memoize.ts';

/** A file whose name contains its hash, so that browsers can keep it forever. */
export interface PackagedFile {
  /** Last segment of its URL, e.g. `docs-4bb83382581b074e.js`. */
  readonly file: string;
  readonly type: string;
  readonly integrity: string;
  readonly text: string;
}

/** Files of documentation and console, and licences of the scripts' parts. */
export type DocsAssets = Readonly<
  Record<'style' | 'script' | 'searchWorker' | 'consoleStyle' | 'consoleScript' | 'licences', PackagedFile>
>;

export const loadDocsAssets: () => Promise<DocsAssets> = lazy(async () => (await import('#assets')).default);

export async function findAsset(name: string): Promise<PackagedFile | undefined> {
  return Object.values(await loadDocsAssets()).find(({ file }) => file === name);
}

const renditions = new WeakMap<PackagedFile, Promise<Rendition>>();

const ASSET_HEADERS: Readonly<Record<string, string>> = {
  // RFC 8246
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

export async function respondWithAsset(asset: PackagedFile, head: RequestHead): Promise<Response> {
  const rendition = getOrCreate(renditions, asset, () => createRendition(asset.text, asset.type));
  return toResponse(toRenditionReply(await rendition, head, ASSET_HEADERS), head.method);
}
