import { InvalidArgumentError, Option } from 'commander';
import { A_DURATION, A_SIZE, parseDuration, parseSize } from '../config/amounts.ts';

/** An option of a command, in the words of `--help`. */
export class CommandOption extends Option {
  /** The setting of `serve` that it states, such as `sites.upstream.host`. */
  setting?: string;
  isRepeatable = false;
  /** Whether the help leaves it out, so that this fits a screen. `--help --all` and docs/commands.md have it. */
  isAdvanced = false;

  /** @param unset what no value means */
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

  duration(): this {
    return this.#amount(parseDuration, A_DURATION);
  }

  size(): this {
    return this.#amount(parseSize, A_SIZE);
  }

  #amount(parse: (text: string) => number | undefined, noun: string): this {
    return this.argParser((text) => {
      const value = parse(text);
      if (value === undefined) throw new InvalidArgumentError(`It must be ${noun}.`);
      return value;
    });
  }
}

export function option(flags: string, text: string): CommandOption {
  return new CommandOption(flags, text);
}

/** An option that states a setting of `serve`. */
export function stating(flags: string, setting: string, text: string): CommandOption {
  return Object.assign(new CommandOption(flags, text), { setting });
}

export function advanced(options: readonly CommandOption[]): readonly CommandOption[] {
  for (const each of options) each.isAdvanced = true;
  return options;
}
