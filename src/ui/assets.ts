/** A file that the pages of the documentation load. Its name contains the hash of its content, so it never changes. */
export interface DocsAsset {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Compresses the body on the first call. */
  gzip(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The files of the documentation and of the operator's console, and the licences of what the scripts contain. */
export interface DocsAssets {
  /** The style sheet of the documentation. The console loads it too. */
  readonly styleName: string;
  readonly scriptName: string;
  /** `sha256-…`, as in an `integrity` attribute and in a Content-Security-Policy. */
  readonly scriptIntegrity: string;
  readonly searchWorkerName: string;
  readonly consoleStyleName: string;
  readonly consoleScriptName: string;
  readonly consoleScriptIntegrity: string;
  readonly licencesName: string;
  /** @param name last segment of its URL, such as `docs-4bb83382581b074e.js` */
  find(name: string): DocsAsset | undefined;
}

/** RFC 8246: a file whose name contains its hash needs no revalidation, even on reload. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
