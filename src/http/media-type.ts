import { memoizeByString } from '../memoize.ts';

/** A media type (RFC 9110 §8.3.1). */
export interface MediaType {
  /** `type/subtype`, lower case; empty if the header is absent or invalid. */
  readonly essence: string;
  /** The `charset` parameter, lower case and unquoted. */
  readonly charset?: string;
}

/** Parses a `Content-Type` header. An invalid one has an empty essence. */
export function parseMediaType(header: string | null): MediaType {
  return header === null ? NO_MEDIA_TYPE : parseHeader(header);
}

const NO_MEDIA_TYPE: MediaType = { essence: '' };

const parseHeader = memoizeByString((header): MediaType => {
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replace(/^"|"$/g, '')
    .trim();
  return {
    essence: /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(essence) ? essence : '',
    ...(charset === undefined || charset === '' ? {} : { charset }),
  };
});
