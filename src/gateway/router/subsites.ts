import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import { createLru } from '../../base/memoize.ts';
import { isJsonContentType } from '../../base/php/request.ts';
import type { PageTarget, RouteTarget } from './target.ts';

/** Folders of networks and of other installations. Any number could be invented at a site that answers them all. */
const MAX_SUBSITES = 4_096;
const MAX_FOLDER_LENGTH = 200;

/** `rest_output_link_header()`, `WP_REST_Server::serve_request()`: the REST root, in each response of WordPress. */
const ROOT_LINK = /<([^<>]{1,2000})>(?=[^,<]{0,200};\s*rel="https:\/\/api\.w\.org\/")/;

/** The subsites of a site that have answered, by the folder in front of their addresses: `/de/`. */
export class Subsites {
  readonly #basePath: string;
  readonly #ownFolder: string;
  readonly #folders = createLru<true>(MAX_SUBSITES);
  /** Grows with each one, so that earlier readings of targets are known to be old. */
  count = 0;

  /** @param ownFolder of the site's own root index, e.g. `/en/` with a language plugin */
  constructor(basePath: string, ownFolder: string) {
    this.#basePath = basePath;
    this.#ownFolder = ownFolder;
  }

  /** @returns the folder in lower case, as WordPress finds a site by its path; `/` for the site itself */
  readonly find = (path: string): string => {
    let found = '/';
    if (this.#folders.size === 0) return found;
    const text = path.replace(/^\/*/, '/').toLowerCase();
    for (let at = text.indexOf('/', 1); at > 0 && at < MAX_FOLDER_LENGTH; at = text.indexOf('/', at + 1)) {
      const folder = text.slice(0, at + 1);
      if (this.#folders.get(folder) === true) found = folder;
    }
    return found;
  };

  /** Only the site's own word counts: the link to the REST root that its response has, or a root that answers in JSON. */
  learn(
    method: string,
    { path, route, subsite }: Pick<PageTarget | RouteTarget, 'path' | 'route' | 'subsite'>,
    { headers, status }: ResponseHead,
  ): void {
    if (subsite !== '/') return;
    const root = ROOT_LINK.exec(fieldValue(headers, 'link') ?? '')?.[1];
    const text = path.replace(/^\/*/, '/').toLowerCase();
    let folder = root === undefined ? undefined : this.#readFolder(root);
    const isRoot = root === undefined && route === '/' && method === 'GET' && status === 200;
    if (isRoot && isJsonContentType(fieldValue(headers, 'content-type') ?? null))
      folder = /^(.*\/)(?:index\.php\/)?[^/]+\/?$/.exec(text)?.[1];
    if (folder === undefined || folder.length > MAX_FOLDER_LENGTH || !text.startsWith(folder)) return;
    if (folder === '/' || folder === this.#ownFolder || this.#folders.has(folder)) return;
    this.#folders.set(folder, true);
    this.count += 1;
  }

  /** @param root `https://example.com/de/wp-json/` or `https://example.com/de/index.php?rest_route=/` */
  #readFolder(root: string): string | undefined {
    if (!URL.canParse(root)) return undefined;
    const { pathname, search } = new URL(root);
    const folder = pathname
      .replace(search === '' ? /(?:index\.php\/)?[^/]+\/?$/ : /index\.php$/, '')
      .toLowerCase();
    return folder.startsWith(this.#basePath) ? folder.slice(this.#basePath.length - 1) : undefined;
  }
}
