/** How a throwaway WordPress is to be made. */
export interface WordPressOptions {
  /** Listen there; any free port of the loopback by default. */
  readonly port?: number;
  /** Install below `/<name>/`; at `/` by default. */
  readonly subfolder?: string;
  /** `plain`: no `/wp-json/`, only `?rest_route=`. Default `pretty`. */
  readonly permalinks?: 'pretty' | 'plain';
  /** A folder that is copied to `wp-content/mu-plugins`. */
  readonly muPlugins?: string;
  readonly title?: string;
  /** PHP processes; default 4. */
  readonly workers?: number;
}

/** A user of the site. */
export interface WordPressUser {
  readonly user: string;
  /** An application password: `Authorization: Basic user:password`. */
  readonly password: string;
  /** What the login form takes. */
  readonly loginPassword: string;
}

export interface WordPressFacts {
  /** The front of the site, ending in a slash. */
  readonly url: string;
  /** WordPress's own version, `6.1.9`. */
  readonly version: string;
  readonly users: Readonly<Record<'administrator' | 'editor' | 'subscriber', WordPressUser>>;
  /** WordPress's folder (where wp-config.php stands), for plugins and one-off changes. */
  readonly folder: string;
  /** The web server's access log: what really arrived. */
  readonly log: string;
}

export interface WordPress extends WordPressFacts {
  /** Ends all its servers and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a throwaway WordPress on the loopback, in about five seconds, and resolves when it answers.
 *
 * The site ends with `stop()`, and by itself when this process ends in whatever way.
 * @throws Error that names what is missing or quotes the log of the server that failed.
 */
export function startWordPress(options?: WordPressOptions): Promise<WordPress>;
