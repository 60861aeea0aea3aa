/** A file that pages load. Its name contains its hash, so it never changes. */
export interface DocsAsset {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Compresses on the first call. */
  gzip(): Promise<Uint8Array<ArrayBuffer>>;
}

/** RFC 8246 */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
