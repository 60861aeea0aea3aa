import { Command, InvalidArgumentError, Option } from 'commander';
import { type ExpandedSetting, expandSetting, type StatedSetting } from '../config/setting-notation.ts';
import { findSetting, NOUNS, parseDuration, parseSize } from '../config/settings.ts';
import { mapMembers } from '../json.ts';
import OPTIONS from '../options.json' with { type: 'json' };

export interface CommandOption extends ExpandedSetting {
  /** `--out <dir>` */
  readonly flag: string;
  readonly mandatory?: boolean;
  /** Value of an option that is given without one. */
  readonly preset?: string;
  /** How the help shows the default. */
  readonly defaultText?: string;
  /** Names of the options that it excludes. */
  readonly conflicts?: readonly string[];
  /** What `--help` says, if the description is longer than a line. */
  readonly brief?: string;
}

/** Options by their flags, in the order of the help. `...name` stands for those of a group. */
type StatedOptions = Readonly<Record<string, StatedSetting | boolean>>;

interface CommandDeclaration {
  readonly description: string;
  readonly argument?: readonly string[];
  readonly options: StatedOptions;
}

export const GROUPS: Readonly<Record<string, readonly CommandOption[]>> = mapMembers<
  StatedOptions,
  readonly CommandOption[]
>(OPTIONS.groups, (_, options) => readOptions(options));

function readOptions(stated: StatedOptions): readonly CommandOption[] {
  return Object.entries(stated).flatMap(([flag, option]) =>
    typeof option === 'boolean' ? (GROUPS[flag.slice(3)] ?? []) : [{ flag, ...expandSetting(option) }],
  );
}

export function listOptionGroups(name: CommandName): readonly string[] {
  return Object.keys(COMMANDS[name].options).flatMap((key) => (key.startsWith('...') ? [key.slice(3)] : []));
}

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<CommandName, CommandDeclaration>> = OPTIONS.commands;

export type CommandName = keyof typeof OPTIONS.commands;

export const COMMAND_NAMES: readonly CommandName[] = Object.keys(COMMANDS).filter(isCommand);

/** Lists the options of a command, with those of its groups. A later option replaces an earlier one. */
export function listOptions(name: CommandName): readonly CommandOption[] {
  const options = readOptions(COMMANDS[name].options).map(withSetting);
  return [...new Map(options.map((option) => [option.flag, option])).values()];
}

/** An option with what its setting states. Its own members have precedence. */
export function withSetting({ setting, ...own }: CommandOption): CommandOption {
  if (setting === undefined) return own;
  const { default: preset, required: _, ...stated } = findSetting(setting);
  const shown = preset === false || preset === undefined ? {} : { unset: String(preset) };
  return { ...stated, ...shown, ...own, setting };
}

const HEADINGS: Readonly<Record<string, string>> = { discovery: 'Reading the site:' };

export function createCommand(name: CommandName): Command {
  const { argument = [], description } = COMMANDS[name];
  const command = new Command(name).description(description);
  for (let at = 0; at < argument.length; at += 2) command.argument(argument[at] ?? '', argument[at + 1]);
  const headings = new Map(
    listOptionGroups(name).flatMap((group) =>
      (GROUPS[group] ?? []).map(({ flag }) => [flag, HEADINGS[group] ?? '']),
    ),
  );
  for (const declared of listOptions(name)) {
    command.addOption(createOption(declared).helpGroup(headings.get(declared.flag) ?? 'Options:'));
  }
  return command;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** Leaves the advanced options out of the help of a command, shortens the others, and says where the rest is. */
export function shortenHelp(command: Command, name: CommandName): void {
  const options = new Map(listOptions(name).map((option) => [option.flag, option]));
  const advanced = command.options.filter(({ flags }) => options.get(flags)?.advanced === true);
  for (const option of advanced) option.hideHelp();
  const help = command.createHelp();
  command.configureHelp({
    optionDescription: (option) => options.get(option.flags)?.brief ?? help.optionDescription(option),
  });
  if (advanced.length === 0) return;
  command.addHelpText('after', `\nwaygate ${name} --help --all lists ${advanced.length} more options.`);
}

/** The name of an option among the parsed ones: `maxBytes` for `--max-bytes <size>`. */
export function nameOption({ flag }: CommandOption): string {
  return new Option(flag).attributeName();
}

function createOption(declared: CommandOption): Option {
  const { conflicts, enum: choices, flag, mandatory = false, preset, repeatable = false } = declared;
  const option = new Option(flag, describeOption(declared)).makeOptionMandatory(mandatory);
  const parse = findParser(declared);
  if (repeatable) option.argParser(appendValue);
  else if (parse !== undefined) option.argParser(parse);
  if (choices !== undefined) option.choices(choices);
  if (preset !== undefined) option.preset(preset);
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  const { default: value, defaultText, unset } = declared;
  if (value !== undefined) option.default(value, defaultText);
  else if (repeatable && unset !== undefined) option.default([], unset);
  return option;
}

/** The first sentence of its description, as a phrase, and what an absent option means. */
function describeOption({ default: value, description = '', env, repeatable, unset }: CommandOption): string {
  const [sentence = ''] = description.split(/\.(?: (?=[A-Z])|$)/, 1);
  const isWord = /^[A-Z][a-z]*[ ,]/.test(sentence);
  const phrase = isWord ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
  const isShown = value === undefined && repeatable !== true && !/^(?:none|false|)$/.test(unset ?? '');
  return [
    phrase,
    repeatable === true ? ' (repeatable)' : '',
    isShown ? ` (${unset})` : '',
    env === undefined ? '' : `; or ${env}`,
  ].join('');
}

function findParser({ maximum, setting, type, unit }: CommandOption): ((text: string) => number) | undefined {
  const kind = unit ?? type ?? '';
  const parse = PARSERS[kind];
  // The configuration parses the texts of its settings.
  if (parse === undefined || (setting !== undefined && unit !== undefined)) return undefined;
  return (text) => {
    const value = parse(text);
    if (value !== undefined && value <= (maximum ?? value)) return value;
    const bound = maximum === undefined ? '' : ` of at most ${maximum}`;
    throw new InvalidArgumentError(`It must be ${NOUNS[kind]}${bound}.`);
  };
}

const PARSERS: Readonly<Record<string, (text: string) => number | undefined>> = {
  ms: parseDuration,
  bytes: parseSize,
  integer: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  rate: (text) => (/^\d{1,6}(?:\.\d{1,3})?(?:\/s)?$/.test(text) && Number.parseFloat(text)) || undefined,
};

function appendValue(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
