import type { NamespaceDeclaration } from './declarations.ts';
import type { SeededRandom } from './random.ts';
import type { DemoUser } from './users.ts';

/** All that makes a site: what `createSite` runs. */
export interface SiteDefinition<State> {
  readonly name: string;
  readonly description: string;
  readonly users: readonly DemoUser[];
  /**
   * What the index advertises, in its order, with namespaces that have no routes. Routes stand in the order of
   * `declarations`.
   */
  readonly namespaces: readonly string[];
  readonly declarations: readonly NamespaceDeclaration<State>[];
  /** Makes a new state, alike for one seed. Called at the start and by every reset. */
  readonly createState: (origin: StateSeed) => State;
  /** What `/oembed/1.0` knows of. */
  readonly oembed: OembedSource<State>;
  /** Whatever is outside of the interface: pages and files. Null where there is none, which is 404. */
  readonly findPage?: (request: SitePageRequest<State>) => SitePage | null;
}

export interface StateSeed {
  readonly seed: number;
  readonly random: SeededRandom;
}

export interface SitePageRequest<State> {
  readonly state: State;
  /** Percent-decoded: `/wp-content/uploads/2025/03/harbour.png`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly now: Date;
  address(path: string): string;
  link(route: string, query?: Readonly<Record<string, string | number>>): string;
}

export interface SitePage {
  readonly status?: number;
  /** `text/html; charset=UTF-8`, `image/png`. */
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the caller of `contentSite` and `boardSite` may choose. */
export interface ExampleSiteOptions {
  /**
   * What the state is made from.
   * @default 1
   */
  readonly seed?: number;
  /**
   * How long each answer of the interface waits, in milliseconds: a real site takes about 25.
   * @default 0
   */
  readonly latency?: number;
  /**
   * The address of the site in the addresses that it writes: `http://localhost:8081`.
   * @default what the request was sent to
   */
  readonly base?: string;
  /**
   * The largest body that is read, in bytes; above it 413.
   * @default 67_108_864 (64 MiB)
   */
  readonly bodyLimit?: number;
  /**
   * Told of what a handler threw, which the caller sees as 500.
   * @default nobody is told
   */
  readonly onError?: (fault: unknown) => void;
}

/** What oEmbed 1.0 says of a page of the site: the site's posts, through this port. */
export interface OembedSource<State> {
  /** What stands at a path of the site (`/hello-world/`, with its query); null where nothing public does. */
  findPage(state: State, url: URL): OembedPage | null;
}

export interface OembedPage {
  readonly id: number;
  readonly title: string;
  readonly authorName: string;
  readonly authorUrl: string;
  readonly thumbnail?: { readonly url: string; readonly width: number; readonly height: number };
}
