import { InvalidArgumentError, Option } from 'commander';

/** An option of a command, e.g. `option('--tag <tag>', 'purge responses with this tag').repeatable()`. */
export class CommandOption extends Option {
  setting?: string;
  isRepeatable = false;

  /** @param unset meaning of an absent flag, e.g. `all` */
  repeatable(unset?: string): this {
    this.isRepeatable = true;
    this.description += ' (repeatable)';
    if (unset !== undefined) this.default([], unset);
    return this.argParser((value, previous: readonly string[] = []) => [...previous, value]);
  }

  /** @param setting of the configuration, such as `sites.validation.mode` */
  states(setting: string): this {
    this.setting = setting;
    return this;
  }

  integer(most = 999_999_999): this {
    return this.argParser((text) => {
      if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
      throw new InvalidArgumentError(`It must be a whole number of at most ${most}.`);
    });
  }
}

export function option(flags: string, text: string): CommandOption {
  return new CommandOption(flags, text);
}

/* What several commands take. */

export const listen = (): readonly CommandOption[] => [
  option('--port <port>', 'port to listen on; 0 picks a free one').integer(65_535).default(8080),
  option('--host <host>', 'address to listen on').default('127.0.0.1'),
];

export const json = (): CommandOption => option('--json', 'print JSON instead of text');

export const discovery = (): readonly CommandOption[] =>
  [
    option('--include <namespace>', 'namespace or glob of routes to keep').repeatable('all'),
    option('--exclude <namespace>', 'namespace or glob to leave out').repeatable('none'),
    option('--namespaces <namespace>', 'namespace that the index hides, to read too').repeatable('none'),
    option('--no-options', 'do not ask each resource for the fields of plugins'),
    option('--auth <user:app-password>', 'user of the index; better WAYGATE_AUTH'),
    option("--header <'Name: value'>", 'field of the requests that read the index').repeatable('none'),
  ].map((each) => each.helpGroup('Reading the site:'));

/** The flags of `serve`, which the configuration reads, too. */
export const listServeOptions = (): readonly CommandOption[] => [
  option('--config <file>', 'configuration file: YAML, JSON or TypeScript; flags override it'),
  option('--site <[name=]url>', 'a site, mounted at /<name>, or at / without a name').repeatable(
    'those of the configuration',
  ),
  option('--port <port>', 'port to listen on; 0 picks a free one (8080)').integer(65_535).states('port'),
  option('--host <host>', 'address to listen on (127.0.0.1)').states('host'),
  option('--rediscover <interval>', 'interval of discovery, such as 5m').states('sites.rediscover'),
  option('--passthrough', 'forward everything but /-/ to the site, pages too').states('sites.passthrough'),
  option('--mode <mode>', 'off, observe, enforce or strict validation (enforce)').states(
    'sites.validation.mode',
  ),
  option('--state <folder>', 'folder for state that outlives a restart').states('state'),
  option('--cache <store>', 'off, memory or a URL of Redis (memory); or WAYGATE_CACHE').states('cache.store'),
  option('--document <file>', 'document to serve, in place of a discovery').states('sites.document'),
  option('--discovery <mode>', 'auto or off: whether to read the index of the site (auto)').states(
    'sites.discovery',
  ),
  option('--mcp', 'tools for agents at /mcp or /-/mcp of each site (docs/agents.md)').states('sites.mcp'),
];
