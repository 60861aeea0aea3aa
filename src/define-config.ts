/** The sites that `waygate generate` reads without a URL, and where it writes their files: the content of `waygate.config.ts`. */
export interface WaygateConfig {
  readonly sites: readonly GeneratedSite[];
}

/** One site of a `waygate.config.ts`. Paths are relative to the folder of that file. */
export interface GeneratedSite {
  /** Any URL of the site. Optional if `from` is given. */
  readonly url?: string | undefined;
  /** Path of a recorded root index, or of an OpenAPI document, that is read instead of the site. @default none */
  readonly from?: string | undefined;
  /** Folder of the generated files. @default the folder of the configuration file */
  readonly out?: string | undefined;
  /** Base name of the generated files. @default derived from the site's URL: host, port and path */
  readonly name?: string | undefined;
  /** URL that the document's paths are relative to, such as a gateway's. @default the site's own */
  readonly server?: string | undefined;
  /** Whether the file `<name>.client.ts` is written: a client with types. @default false */
  readonly client?: boolean | undefined;
  /** Which kind of `<name>.validators.ts` is written: with zod 4 (`zod`) or without a dependency (`json`). @default none */
  readonly validators?: 'zod' | 'json' | undefined;
  /** Path of an OpenAPI Overlay; `false` for none. @default `<name>.overlay.json` in `out`, if it exists */
  readonly overlay?: string | false | undefined;
  /** Name of the environment variable that has the credentials, as user:application-password. @default 'WAYGATE_AUTH' */
  readonly authVariable?: string | undefined;
  /** Request header fields for reading the index. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Namespaces, or globs of routes, to keep. @default all */
  readonly include?: readonly string[] | undefined;
  /** Namespaces, or globs of routes, to leave out. @default none */
  readonly exclude?: readonly string[] | undefined;
  /** Source of the response schemas: the index (`help`), also `OPTIONS` on each route (`options`), or none. @default 'help' */
  readonly schemas?: 'help' | 'options' | 'off' | undefined;
  /** How connections to the site are made. @default to the host of `url`, with the authorities of Node */
  readonly upstream?: GeneratedSiteUpstream | undefined;
}

/** Connections of the generator to one site. */
export interface GeneratedSiteUpstream {
  /** Host that the site sees, such as its public name, while connections are made to `url`. @default the host of `url` */
  readonly host?: string | undefined;
  /** Path of a file with certificates in PEM that are trusted for the site. @default none */
  readonly ca?: string | undefined;
  /** Whether any certificate of the site is accepted. @default false */
  readonly insecure?: boolean | undefined;
}

/**
 * Returns a configuration of `waygate generate` unchanged. It gives editors its type. The configuration of `waygate serve` is
 * another file, in YAML or JSON.
 *
 * @param config the sites to read, and what to write for each
 * @returns the same object
 *
 * @example
 * import { defineConfig } from 'waygate';
 *
 * export default defineConfig({
 *   sites: [{ url: 'https://example.com', out: 'src/api', name: 'site', client: true }],
 * });
 */
export function defineConfig(config: WaygateConfig): WaygateConfig {
  return config;
}
