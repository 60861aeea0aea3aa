/** A file that pages load. Its name contains its hash, so it never changes. */
export interface DocsAsset {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Compresses on the first call. */
  gzip(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Files of documentation and console, and licences of what the scripts contain. */
export interface DocsAssets {
  /** The console loads it too. */
  readonly styleName: string;
  readonly scriptName: string;
  /** `sha256-…` */
  readonly scriptIntegrity: string;
  readonly searchWorkerName: string;
  readonly consoleStyleName: string;
  readonly consoleScriptName: string;
  readonly consoleScriptIntegrity: string;
  readonly licencesName: string;
  /** @param name last segment of its URL, e.g. `docs-4bb83382581b074e.js` */
  find(name: string): DocsAsset | undefined;
}

/** RFC 8246 */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
