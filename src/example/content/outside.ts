import type { OutsideAnswer, OutsideRequest } from '../site/definition.ts';
import type { OembedSource } from '../site/oembed-source.ts';
import type { Entry } from './entries.ts';
import { publishDue } from './rules/statuses.ts';
import { addressOf } from './show/address.ts';
import { renderContent } from './show/html.ts';
import { fileAt } from './show/media.ts';
import type { ContentState } from './state.ts';

const UPLOADS = '/wp-content/uploads/';

/** Files of the uploads folder, and the pages of what is published. */
export function answerOutside(request: OutsideRequest<ContentState>): OutsideAnswer | null {
  const { state, path, query, now } = request;
  if (path.startsWith(UPLOADS)) {
    const file = state.files.get(path.slice(UPLOADS.length));
    return file === undefined ? null : { type: file.type, body: file.bytes(), headers: GUARD };
  }
  publishDue(state, now.getTime());
  const entry = findPublic(state, path, query);
  return entry === undefined ? null : { type: 'text/html; charset=UTF-8', body: page(entry) };
}

/** An upload is never run as a page of the site. */
const GUARD = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

/** What oEmbed may show of the site. */
export const OEMBED: OembedSource<ContentState> = {
  find(state, url) {
    const entry = findPublic(state, url.pathname, url.searchParams);
    if (entry === undefined) return null;
    const author = state.authors.get(entry.author);
    const address = (path: string): string => url.origin + path;
    const image = state.entries.get(entry.featuredMedia)?.media;
    return {
      id: entry.id,
      title: entry.title,
      authorName: author?.name ?? '',
      authorUrl: address(`/author/${author?.slug ?? ''}/`),
      ...(image?.image === undefined
        ? {}
        : { thumbnail: { url: fileAt(image.file, { address }), ...image.image } }),
    };
  },
};

/** The published entry at a path, or by its number in the query. */
function findPublic(state: ContentState, path: string, query: URLSearchParams): Entry | undefined {
  const id = Number(query.get('p') ?? query.get('page_id') ?? Number.NaN);
  const site = { state, address: (own: string) => own };
  const found = Number.isNaN(id)
    ? [...state.entries.values()].find((entry) => addressOf(entry, site) === path)
    : state.entries.get(id);
  return found?.status === 'publish' && found.kind !== 'attachment' ? found : undefined;
}

function page({ title, content, password }: Entry): string {
  const text = password === '' ? renderContent(content) : '<p>This content is password protected.</p>';
  return `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n${text}`;
}
