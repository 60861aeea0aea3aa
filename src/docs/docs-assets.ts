/** A file that the documentation page loads. Its name carries the hash of its content, so it never changes. */
export interface DocsAsset {
  /** `scalar-4bb83382581b074e.js`: the last segment of its address. */
  readonly name: string;
  readonly contentType: string;
  /** Its bytes in one of the content codings; made when the package was built, read from disk on first use. */
  read(coding: DocsCoding): Promise<Uint8Array<ArrayBuffer>>;
}

/** The content codings in which every asset is at hand, the smallest first. */
export const DOCS_CODINGS = ['br', 'gzip', 'identity'] as const;
export type DocsCoding = (typeof DOCS_CODINGS)[number];

/** The files of the documentation page, whatever holds them. */
export interface DocsAssets {
  /** File names: the reference's own code, the line that starts it, the licences of what is in it. */
  readonly reference: string;
  readonly start: string;
  readonly licences: string;
  /** An asset by its file name. */
  find(name: string): DocsAsset | undefined;
}

/** RFC 8246: a name that carries a hash needs no revalidation, not even on reload. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';
