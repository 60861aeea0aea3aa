/** The media types that are accepted, by file extension. Types that browsers run are missing. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  txt: 'text/plain',
  csv: 'text/csv',
  pdf: 'application/pdf',
  zip: 'application/zip',
  json: 'application/json',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** The media type of a file extension; `undefined` if the type is not accepted. */
export function getMediaType(name: string): string | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(MEDIA_TYPES, extension) ? MEDIA_TYPES[extension] : undefined;
}

/** Removes folders and leading dots from a file name and replaces unsafe characters by hyphens. */
export function sanitizeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(-120);
}

/** Parses the file name of `Content-Disposition` as WordPress does (RFC 6266, without `filename*`). */
export function parseDispositionFileName(header: string): string | undefined {
  for (const part of header.split(';').slice(1)) {
    const [key = '', value] = part.split(/=(.*)/s);
    if (key.trim().toLowerCase() !== 'filename' || value === undefined) continue;
    const name = value.trim();
    return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
  }
  return undefined;
}
