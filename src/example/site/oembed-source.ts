/** What oEmbed 1.0 says of a page of the site: the site's posts, through this port. */
export interface OembedSource<State> {
  /** What stands at a path of the site (`/hello-world/`, with its query); null where nothing public does. */
  find(state: State, url: URL): EmbeddedPage | null;
}

export interface EmbeddedPage {
  readonly id: number;
  readonly title: string;
  readonly authorName: string;
  readonly authorUrl: string;
  readonly thumbnail?: { readonly url: string; readonly width: number; readonly height: number };
}
