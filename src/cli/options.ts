import { InvalidArgumentError, Option } from 'commander';

/** Options of commands, and those of `serve`, which the configuration reads, too. */

export class CommandOption extends Option {
  /** The setting of `serve` that the flag states, such as `sites.upstream.host`. */
  setting?: string;
  isRepeatable = false;

  /** @param unset meaning of an absent flag, e.g. `all` */
  repeatable(unset?: string): this {
    this.isRepeatable = true;
    this.description += ' (repeatable)';
    if (unset !== undefined) this.default([], unset);
    return this.argParser((value, previous: readonly string[] = []) => [...previous, value]);
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

function stating(flags: string, setting: string, text: string): CommandOption {
  return Object.assign(new CommandOption(flags, text), { setting });
}

export const listServeOptions = (): readonly CommandOption[] => [
  option('--config <file>', 'configuration file: YAML, JSON or TypeScript; flags override it'),
  option('--site <[name=]url>', 'a site, mounted at /<name>, or at / without a name').repeatable(
    'those of the configuration',
  ),
  stating('--port <port>', 'port', 'port to listen on; 0 picks a free one (8080)').integer(65_535),
  stating('--host <host>', 'host', 'address to listen on (127.0.0.1)'),
  stating('--rediscover <interval>', 'sites.rediscover', 'interval of discovery, such as 5m'),
  stating('--passthrough', 'sites.passthrough', 'forward everything but /-/ to the site, pages too'),
  stating('--mode <mode>', 'sites.validation.mode', 'off, observe, enforce or strict validation (enforce)'),
  stating('--state <folder>', 'state', 'folder for state that outlives a restart'),
  stating('--cache <store>', 'cache.store', 'off, memory or a URL of Redis (memory); or WAYGATE_CACHE'),
  stating('--document <file>', 'sites.document', 'document to serve, in place of a discovery'),
  stating(
    '--discovery <mode>',
    'sites.discovery',
    'auto or off: whether to read the index of the site (auto)',
  ),
  stating('--mcp', 'sites.mcp', 'tools for agents at /mcp or /-/mcp of each site (docs/agents.md)'),
];
