// npm run options makes this file from src/cli/config/schema.ts and src/cli/commands.ts. The build adds the texts of settings.

export interface GatewaySettings {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly trust?: readonly string[] | undefined;
  readonly logLevel?: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | undefined;
  readonly log?: 'json' | 'text' | undefined;
  readonly shutdownDelay?: string | undefined;
  readonly shutdownGrace?: string | undefined;
  readonly state?: string | undefined;
  readonly admin?: AdminSettings | undefined;
  readonly cache?: CacheSettings | undefined;
  readonly redis?: string | RedisOptions | undefined;
  readonly notify?: readonly NotifyOptions[] | undefined;
  readonly sites?: readonly SiteSettings[] | undefined;
}

export interface AdminSettings {
  readonly token?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly alerts?: AlertSettings | undefined;
}

export interface AlertSettings {
  readonly errors?: number | undefined;
  readonly slow?: string | undefined;
  readonly clients?: readonly string[] | undefined;
}

export interface CacheSettings {
  readonly store?: string | undefined;
  readonly maxBytes?: string | undefined;
}

export interface RedisOptions {
  readonly url: string;
  readonly passwordFile?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly prefix?: string | undefined;
}

export interface NotifyOptions {
  readonly to: 'webhook' | 'cloudflare' | 'revalidate';
  readonly url: string;
  readonly secret: string;
}

export interface SiteSettings {
  readonly name?: string | undefined;
  readonly url: string;
  readonly hosts?: readonly string[] | undefined;
  readonly publicUrl?: string | undefined;
  readonly document?: string | undefined;
  readonly overlay?: string | undefined;
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  readonly discovery?: 'auto' | 'off' | undefined;
  readonly rediscover?: string | undefined;
  readonly passthrough?: boolean | undefined;
  readonly docs?: string | undefined;
  readonly openapi?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly options?: boolean | undefined;
  readonly auth?: string | undefined;
  readonly timeout?: string | undefined;
  readonly upstream?: UpstreamSettings | undefined;
  readonly validation?: ValidationSettings | undefined;
  readonly cache?: SiteCacheSettings | undefined;
  readonly limits?: SiteLimitSettings | undefined;
  readonly access?: AccessSettings | undefined;
  readonly cors?: CorsOptions | undefined;
  readonly concurrency?: number | undefined;
  readonly mcp?: boolean | McpOptions | undefined;
}

export interface ExtendedOperation {
  readonly parameters?: Readonly<Record<string, object>> | undefined;
  readonly body?: Readonly<Record<string, object>> | undefined;
  readonly response?: Readonly<Record<string, object>> | undefined;
  readonly writable?: readonly string[] | undefined;
}

export interface UpstreamSettings {
  readonly host?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly auth?: string | undefined;
  readonly ca?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface ValidationSettings {
  readonly mode?: 'off' | 'observe' | 'enforce' | 'strict' | undefined;
  readonly bodyLimit?: string | undefined;
  readonly trust?: readonly string[] | undefined;
}

export interface SiteCacheSettings {
  readonly pages?: string | undefined;
  readonly rules?: readonly RouteCacheRuleSettings[] | undefined;
  readonly queries?: readonly string[] | undefined;
  readonly tagged?: string | undefined;
  readonly purgers?: readonly string[] | undefined;
  readonly ignoreParameters?: readonly string[] | undefined;
  readonly harmlessCookies?: readonly string[] | undefined;
  readonly keyCookies?: readonly string[] | undefined;
  readonly ignoreCookies?: readonly string[] | undefined;
  readonly harmlessHeaders?: readonly string[] | undefined;
  readonly credentialParameters?: readonly string[] | undefined;
  readonly writes?: readonly WriteRule[] | undefined;
  readonly webhook?: string | undefined;
}

export interface RouteCacheRuleSettings {
  readonly match: string | readonly string[];
  readonly ttl?: string | undefined;
  readonly swr?: string | undefined;
  readonly sie?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly keyHeaders?: readonly string[] | undefined;
  readonly keyCookies?: readonly string[] | undefined;
  readonly override?: boolean | undefined;
  readonly reload?: boolean | undefined;
  readonly store?: boolean | undefined;
}

export interface WriteRule {
  readonly match: string;
  readonly purges: 'nothing' | 'everything' | readonly string[];
}

export interface SiteLimitSettings {
  readonly client?: string | undefined;
  readonly rules?: readonly LimitRuleSettings[] | undefined;
}

export interface LimitRuleSettings {
  readonly match: string | readonly string[];
  readonly methods?: readonly string[] | undefined;
  readonly client: string;
}

export interface AccessSettings {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly admin?: readonly string[] | undefined;
}

export interface CorsOptions {
  readonly origins: readonly string[];
  readonly credentials?: boolean | undefined;
}

export interface McpOptions {
  readonly path?: string | undefined;
  readonly reads?: readonly string[] | undefined;
  readonly writes?: readonly string[] | undefined;
  readonly abilities?: readonly string[] | undefined;
  readonly unasked?: boolean | undefined;
  readonly oauth?: McpOAuthOptions | undefined;
}

export interface McpOAuthOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly users: Readonly<Record<string, string>>;
}

export interface WaygateConfig {
  readonly sites: readonly GeneratedSite[];
}

export interface GeneratedSite {
  readonly url?: string | undefined;
  readonly document?: string | undefined;
  readonly out?: string | undefined;
  readonly name?: string | undefined;
  readonly server?: string | undefined;
  readonly client?: boolean | undefined;
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  readonly only?: readonly GeneratedFile[] | undefined;
  readonly overlay?: string | false | undefined;
  readonly extend?: Readonly<Record<string, ExtendedOperation>> | undefined;
  readonly samples?: readonly string[] | undefined;
  readonly authVariable?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly options?: boolean | undefined;
}

export type GeneratedFile = 'document' | 'types' | 'client' | 'tanstack' | 'report';

export interface DiscoveryFlags extends Switches<'options'>, Texts<'auth'> {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly namespaces: readonly string[];
  readonly header: readonly string[];
}

export interface GenerateFlags
  extends DiscoveryFlags, Switches<'client' | 'check' | 'strictRead' | 'json'>,
    Texts<'out' | 'name' | 'document' | 'config'>,
    Lists<'only'> {
  readonly tanstack?: 'react' | 'preact' | 'vue' | 'svelte' | 'solid' | 'angular' | 'core' | undefined;
  readonly failOn?: 'breaking' | 'risky' | 'any' | undefined;
}

export interface InitFlags extends Switches<'ci' | 'yes'>, Texts<'site' | 'out'> {}

export interface ReconcileFlags
  extends DiscoveryFlags, Switches<'fresh' | 'json'>,
    Texts<'out' | 'name' | 'config'>,
    Lists<'sample'> {
  readonly maxRequests: number;
}

export interface ServeFlags
  extends Switches<'passthrough' | 'mcp'>,
    Texts<'config' | 'host' | 'rediscover' | 'mode' | 'state' | 'cache' | 'document' | 'discovery'> {
  readonly site: readonly string[];
  readonly port?: number | undefined;
}

export interface CheckFlags extends Switches<'offline' | 'json'> {}

export interface DiffFlags extends DiscoveryFlags, Switches<'json'> {
  readonly failOn: 'breaking' | 'risky';
}

export interface MockFlags {
  readonly document: string;
  readonly port: number;
  readonly host: string;
}

export interface WhyFlags extends Switches<'json'>, Texts<'gateway'> {}

export interface PurgeFlags extends Switches<'all' | 'soft' | 'json'>, Texts<'site'>, Lists<'url' | 'tag'> {}

export interface StatusFlags extends Switches<'json'> {}

export interface McpFlags
  extends DiscoveryFlags, Switches<'unasked'>,
    Texts<'document' | 'files' | 'log' | 'state'>,
    Lists<'writes' | 'reads' | 'abilities'> {}

export interface PluginFlags extends Texts<'site' | 'home'> {
  readonly config: string;
}

export interface ExampleFlags {
  readonly port: number;
  readonly host: string;
}

export interface HealthFlags extends Switches<'ready'> {}

type Switches<Names extends string> = { readonly [Name in Names]?: boolean | undefined };
type Texts<Names extends string> = { readonly [Name in Names]?: string | undefined };
type Lists<Names extends string> = { readonly [Name in Names]?: readonly string[] | undefined };

/** An IP address or a network: the version, and the bits that its addresses begin with, such as `4:00001010`. */
export interface Network {
  readonly prefix: string;
}

/** Requests of a network in so many milliseconds; `null` for no limit. */
export type Rate = { readonly ofNetwork: number; readonly window: number } | null;

/** Settings as they were read: those of `Present` have a value, `Amounts` are numbers, `Changed` others. */
type Read<Stated, Present extends keyof Stated, Amounts, Changed = {}> = Changed & {
  readonly [Name in keyof Stated as Exclude<Name, Present | keyof Changed>]: Name extends Amounts
    ? number | Exclude<Stated[Name], string>
    : Stated[Name];
} & { readonly [Name in Present]-?: Name extends Amounts ? number : Exclude<Stated[Name], undefined> };

export type Config = Read<
  GatewaySettings,
  'port' | 'host' | 'hosts' | 'logLevel' | 'shutdownDelay' | 'shutdownGrace' | 'notify',
  'shutdownDelay' | 'shutdownGrace',
  {
    readonly trust: readonly Network[];
    readonly admin: AdminConfig;
    readonly cache: CacheConfig;
    readonly sites: readonly SiteConfig[];
  }
>;

export type AdminConfig = Read<AdminSettings, 'host', never, { readonly alerts: AlertConfig }>;

export type AlertConfig = Read<
  AlertSettings, 'errors' | 'slow', 'slow',
  { readonly clients: readonly Network[] }
>;

export type CacheConfig = Read<CacheSettings, 'store' | 'maxBytes', 'maxBytes'>;

export type SiteConfig = Read<
  SiteSettings,
  | 'extend' | 'discovery' | 'passthrough' | 'include' | 'exclude' | 'namespaces' | 'options'
  | 'timeout' | 'concurrency' | 'mcp',
  'rediscover' | 'timeout',
  {
    readonly upstream: UpstreamConfig;
    readonly validation: ValidationOptions;
    readonly cache: SiteCacheOptions;
    readonly limits: SiteLimitOptions;
    readonly access: AccessOptions;
  }
>;

export type UpstreamConfig = Read<UpstreamSettings, 'headers' | 'insecure', never>;

export type ValidationOptions = Read<ValidationSettings, never, 'bodyLimit'>;

export type SiteCacheOptions = Read<
  SiteCacheSettings, never, 'pages' | 'tagged',
  {
    readonly rules?: readonly RouteCacheRule[] | undefined;
    readonly purgers?: readonly Network[] | undefined;
  }
>;

export type RouteCacheRule = Read<RouteCacheRuleSettings, never, 'ttl' | 'swr' | 'sie'>;

export type SiteLimitOptions = Read<
  SiteLimitSettings, never, never,
  { readonly client?: Rate | undefined; readonly rules?: readonly LimitRule[] | undefined }
>;

export type LimitRule = Read<LimitRuleSettings, never, never, { readonly client: Rate }>;

export type AccessOptions = Read<
  AccessSettings, never, never,
  {
    readonly allow?: readonly Network[] | undefined;
    readonly deny?: readonly Network[] | undefined;
    readonly admin?: readonly Network[] | undefined;
  }
>;
