import type { BasicCredentials } from '../../../base/http/basic-credentials.ts';
import type { UpstreamTimeouts } from '../../../base/http/exchange.ts';
import type { SiteCacheOptions, SiteConfig, UpstreamConfig } from '../../../base/option-types.ts';
import type { DiscoverOptions } from '../../../generator/discovery/index.ts';
import type { ConcurrencyOptions } from '../../upstream/site-connections.ts';
import type { UpstreamTls } from '../../upstream/site-fetch.ts';

/** Settings in a program, where those with a default can be left out too. */
export type InProgram<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** Settings that programs state in another form, e.g. the content of a file instead of its path. */
interface ConvertedSettings {
  /** Any URL of the site; with `discovery: 'off'` the URL of the origin. */
  readonly url: string;
  readonly discover?: Omit<DiscoverOptions, 'fetch'> | undefined;
  /** OpenAPI document as `toOpenApi` creates it, in place of reading the site. @default it is discovered */
  readonly document?: unknown;
  /** OpenAPI Overlay, applied to the document of each discovery, not to `document`. @default none */
  readonly overlay?: unknown;
  readonly timeouts?: UpstreamTimeouts | undefined;
  readonly concurrency?: ConcurrencyOptions | undefined;
  readonly upstream?: UpstreamOptions | undefined;
  /** Without discovery, the response's fields decide. @default those of {@link SiteCacheOptions} */
  readonly cache?: 'off' | SiteCacheOptions | undefined;
}

type ReadElsewhere = keyof ConvertedSettings | 'auth' | 'exclude' | 'include' | 'timeout';

export interface SiteOptions extends ConvertedSettings, InProgram<Omit<SiteConfig, ReadElsewhere>> {}

interface UpstreamOptions
  extends UpstreamTls,
    InProgram<Omit<UpstreamConfig, 'auth' | 'ca' | 'insecure' | 'serverName'>> {
  /** Credentials of a server in front of the site, which all clients share. @default none */
  readonly auth?: BasicCredentials | undefined;
}
