import type { NamespaceDeclaration, SiteRequest } from '../../rest-server/declarations.ts';
import type { SiteIdentity } from '../../rest-server/index-document.ts';
import type { DemoUser } from './users.ts';

export interface SiteDefinition<State> extends SiteIdentity {
  readonly users: readonly DemoUser[];
  /** In the order of the index; `namespaces` also has those without routes. */
  readonly declarations: readonly NamespaceDeclaration<State>[];
  readonly createState: (seed: number) => State;
  /** Finds a page or file; `null` for a built-in page or 404. */
  readonly findPage?: (request: SitePageRequest<State>) => SitePage | null;
  /** Pages that the home page links to. A title is HTML without tags. */
  readonly listPages?: (state: State) => readonly { readonly title: string; readonly path: string }[];
}

export interface SitePageRequest<State>
  extends Pick<SiteRequest<State>, 'state' | 'headers' | 'now' | 'address' | 'link'> {
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

export interface ExampleSiteOptions {
  /** Seed of the data. @default 1 */
  readonly seed?: number;
  /** URL of the site in its links, e.g. `http://localhost:8081`. @default the address that a gateway's client uses, or the origin of each request */
  readonly base?: string;
  /** Receives errors of handlers, for which the client gets 500. @default errors are dropped */
  readonly onError?: (fault: unknown) => void;
}
