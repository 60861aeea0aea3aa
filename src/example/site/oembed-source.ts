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
