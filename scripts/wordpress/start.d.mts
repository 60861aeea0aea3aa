/** Options of a temporary WordPress site. */
export interface WordPressOptions {
  /** Port to listen on. @default a free port of the loopback interface */
  readonly port?: number;
  /** Folder of WordPress with themes, without `wp-config.php`. @default Debian's */
  readonly wordpress?: string;
  /** Install the site below `/<name>/`. @default at `/` */
  readonly subfolder?: string;
  /** `plain`: REST URLs with `?rest_route=` only, no `/wp-json/`. @default 'pretty' */
  readonly permalinks?: 'pretty' | 'plain';
  /** `apache`: with WordPress's own rewrite rules. @default 'nginx' */
  readonly webServer?: 'nginx' | 'apache';
  /** Folder that is copied to `wp-content/mu-plugins`. */
  readonly muPlugins?: string;
  /**
   * Install the two plugins of `scripts/wordpress/plugins`, a community (`community/v1`) and a shop (`store/v1`, `catalog/v1`,
   * `wp/v2/products`), with content. @default false
   */
  readonly testPlugins?: boolean;
  /** Folders of plugins, which are copied to `wp-content/plugins` and activated. */
  readonly plugins?: readonly string[];
  /** Name of an installed theme, or the folder of one, which is copied to `wp-content/themes`. @default WordPress's own */
  readonly theme?: string;
  readonly title?: string;
  /** Number of PHP processes. @default 4 */
  readonly workers?: number;
}

/** A user of the site. */
export interface WordPressUser {
  readonly user: string;
  /** An application password: `Authorization: Basic user:password`. */
  readonly password: string;
  /** Password of the login form. */
  readonly loginPassword: string;
}

/** A running site, without the means to stop it. */
export interface WordPressInfo {
  /** URL of the front page, with a trailing slash. */
  readonly url: string;
  /** Version of WordPress: `6.1.9`. */
  readonly version: string;
  readonly users: Readonly<Record<'administrator' | 'editor' | 'subscriber', WordPressUser>>;
  /** Folder of WordPress (with wp-config.php). Tests add plugins there. */
  readonly folder: string;
  /** Path of the web server's access log. */
  readonly log: string;
}

export interface WordPress extends WordPressInfo {
  /** Stops all servers of the site and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a temporary WordPress site on the loopback interface, and resolves when it responds.
 *
 * The site stops with `stop()`, or when this process ends for any reason.
 *
 * @throws {Error} when Debian packages are missing (the message names them) or a server fails (the message quotes its log)
 */
export function startWordPress(options?: WordPressOptions): Promise<WordPress>;
