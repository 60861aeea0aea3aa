import type { NamespaceDeclaration, SiteRequest } from '../../rest-server/declarations.ts';
import type { SiteIdentity } from '../../rest-server/index-document.ts';
import type { SeededRandom } from './random.ts';
import type { DemoUser } from './users.ts';

/** The definition from which `createSite` creates a site. */
export interface SiteDefinition<State> extends SiteIdentity {
  readonly users: readonly DemoUser[];
  /** Routes in their order. `namespaces` has those of the index in its order, including those without routes. */
  readonly declarations: readonly NamespaceDeclaration<State>[];
  /** Creates the data, which depends on the seed only. Called at the start and by each reset. */
  readonly createState: (origin: StateSeed) => State;
  /** Finds the public page at a URL of the site, which `/oembed/1.0` describes; `null` if there is no such page. */
  readonly findOembedPage: (state: State, url: URL) => OembedPage | null;
  /** Finds a page or file outside the REST API; `null` serves a built-in page or 404. */
  readonly findPage?: (request: SitePageRequest<State>) => SitePage | null;
  /** The pages to which the home page leads. A title is HTML without tags. */
  readonly listPages?: (state: State) => readonly { readonly title: string; readonly path: string }[];
}

export interface StateSeed {
  readonly seed: number;
  readonly random: SeededRandom;
}

export interface SitePageRequest<State>
  extends Pick<SiteRequest<State>, 'state' | 'headers' | 'now' | 'address' | 'link'> {
  /** Percent-decoded: `/wp-content/uploads/2025/03/harbour.png`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface SitePage {
  readonly status?: number;
  /** @default 'text/html; charset=UTF-8' */
  readonly type?: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The options of `contentSite()` and `boardSite()`. */
export interface ExampleSiteOptions {
  /**
   * The seed of the generated data.
   * @default 1
   */
  readonly seed?: number;
  /**
   * The delay of each REST response, in milliseconds. A real site takes about 25.
   * @default 0
   */
  readonly latency?: number;
  /**
   * The URL of the site in the links that it writes: `http://localhost:8081`.
   * @default the origin of each request
   */
  readonly base?: string;
  /**
   * Receives each error that a handler throws. The client gets 500.
   * @default errors are dropped
   */
  readonly onError?: (fault: unknown) => void;
}

export interface OembedPage {
  readonly title: string;
  readonly authorName: string;
  readonly authorUrl: string;
}
