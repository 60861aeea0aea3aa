import { COMMAND_NAMES, createCommand, listOptions } from '../../src/cli/commands.ts';
import { SETTINGS, type Setting } from '../../src/cli/config/settings.ts';
import type { CommandOption } from '../../src/cli/options.ts';
import { escapeText, toRow } from './reference-documents.ts';

/** Creates `src/base/option-types.ts`: the types of configurations and of parsed options. The build adds the texts. */
export function createOptionTypes(): string {
  const declared = new Map<string, string>();
  for (const setting of Object.values(SETTINGS)) toType(setting, declared);
  const read = new Map<string, string>();
  toReadType(SETTINGS.serve, read);
  declareFlags('discovery', listShared(), declared);
  for (const name of COMMAND_NAMES) declareFlags(name, listOptions(name), declared);
  const head =
    '// npm run options makes this file from src/cli/config/schema.ts and src/cli/commands.ts. The build adds the texts of settings.';
  return `${[head, ...declared.values(), FLAG_KINDS, READ, ...read.values()].join('\n\n')}\n`;
}

/** The TypeScript type of a setting's value, as a person states it. Those with a title are declared. */
function toType(setting: Setting, declared: Map<string, string>): string {
  const {
    additionalProperties = {},
    anyOf,
    const: constant,
    enum: choices,
    items,
    properties,
    title = '',
    type,
  } = setting;
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === 'integer') return 'number';
  if (choices !== undefined && title !== '') {
    declared.set(title, `export type ${title} = ${choices.map((each) => `'${each}'`).join(' | ')};`);
    return title;
  }
  if (choices !== undefined) return choices.map((each) => `'${each}'`).join(' | ');
  if (items !== undefined) return toListType(toType(items, declared));
  if (properties !== undefined) return declareObject(setting, declared);
  if (additionalProperties !== false && Object.keys(additionalProperties).length > 0)
    return `Readonly<Record<string, ${toType(additionalProperties, declared)}>>`;
  return type ?? (anyOf ?? []).map((each) => toType(each, declared)).join(' | ');
}

const toListType = (item: string): string => `readonly ${item.includes('|') ? `(${item})` : item}[]`;

const isAmount = ({ format = '' }: Setting): boolean => /^(?:duration|seconds|size)$/.test(format);

/** Types of texts that were parsed, by format. */
const PARSED: Readonly<Record<string, string>> = { network: 'Network', rate: 'Rate' };

/** Whether a configuration that was read has the members that a person states. */
function isAlike(setting: Setting): boolean {
  const { additionalProperties, anyOf = [], format = '', items, properties = {}, title = '' } = setting;
  const inner = [...Object.values(properties), ...anyOf, additionalProperties || undefined, items];
  const isPreset = isFilled(title) && Object.values(properties).some((each) => each.default !== undefined);
  return (
    !isPreset &&
    !isAmount(setting) &&
    !PARSED[format] &&
    inner.every((each) => each === undefined || isAlike(each))
  );
}

/** Whether members with a default are present in a configuration that was read. */
const isFilled = (title: string): boolean => title.endsWith('Config') && title !== 'WaygateConfig';

/** The name of the type as a person states it. The name of the schema is that of the type that was read. */
function statedName(setting: Setting): string {
  const { title = '' } = setting;
  return isAlike(setting) ? title : `${title.replace(/(?:Config|Options)$/, '') || 'Gateway'}Settings`;
}

function declareObject(setting: Setting, declared: Map<string, string>): string {
  const { properties = {}, required = [] } = setting;
  const name = statedName(setting);
  // Members come before the types that they mention.
  declared.set(name, '');
  const lines = Object.entries(properties).map(([member, each]) =>
    toLine(member, toType(each, declared), required.includes(member)),
  );
  declared.set(name, [`export interface ${name} {`, ...lines, '}'].join('\n'));
  return name;
}

const READ = `/** An IP address or a network: the version, and the bits that its addresses begin with, such as \`4:00001010\`. */
export interface Network {
  readonly prefix: string;
}

/** Requests of a network in so many milliseconds; \`null\` for no limit. */
export type Rate = { readonly ofNetwork: number; readonly window: number } | null;

/** Settings as they were read: those of \`Present\` have a value, \`Amounts\` are numbers, \`Changed\` others. */
type Read<Stated, Present extends keyof Stated, Amounts, Changed = {}> = Changed & {
  readonly [Name in keyof Stated as Exclude<Name, Present | keyof Changed>]: Name extends Amounts
    ? number | Exclude<Stated[Name], string>
    : Stated[Name];
} & { readonly [Name in Present]-?: Name extends Amounts ? number : Exclude<Stated[Name], undefined> };`;

/** As it was read: with numbers for amounts, and with its defaults. */
function toReadType(setting: Setting, declared: Map<string, string>): string {
  const { anyOf = [], format = '', items, properties, title = '' } = setting;
  if (isAlike(setting)) return toType(setting, new Map());
  if (isAmount(setting)) return 'number';
  if (PARSED[format] !== undefined) return PARSED[format];
  if (items !== undefined) return toListType(toReadType(items, declared));
  if (properties === undefined) return anyOf.map((each) => toReadType(each, declared)).join(' | ');
  declared.set(title, '');
  const { required = [] } = setting;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    member,
    isPresent: required.includes(name) || (isFilled(title) && member.default !== undefined),
  }));
  const union = (of: typeof members): string => of.map(({ name }) => `'${name}'`).join(' | ') || 'never';
  const isKept = ({ member }: (typeof members)[number]): boolean => isAlike(member) || isAmount(member);
  const present = members.filter((each) => each.isPresent && isKept(each) && !required.includes(each.name));
  const names = union(present);
  const amounts = union(members.filter(({ member }) => isAmount(member)));
  const changed = members
    .filter((each) => !isKept(each))
    .map(({ isPresent, member, name }) => toLine(name, toReadType(member, declared), isPresent));
  const short = changed.map((line) => line.trim().slice(0, -1)).join('; ');
  const last = short && `, { ${short} }`;
  const line = `export type ${title} = Read<${statedName(setting)}, ${names}, ${amounts}${last}>;`;
  const comma = changed.length === 0 ? '' : ',';
  const heads = [`  ${statedName(setting)},`, `  ${names},`, `  ${amounts}${comma}`];
  const parts = [
    ...fitLine(heads, heads.map((part) => part.trim()).join(' ')),
    ...(changed.length === 0
      ? []
      : fitLine(['  {', ...changed.map((each) => `  ${each}`), '  }'], `{ ${short} }`)),
  ];
  const lines = [`export type ${title} = Read<`, ...parts.map(breakUnion), '>;'];
  declared.set(title, line.length <= WIDTH ? line : lines.join('\n'));
  return title;
}

const fitLine = (lines: readonly string[], line: string): readonly string[] =>
  line.length + 2 <= WIDTH ? [`  ${line}`] : lines;

/** Several lines if one is too long because of a union. */
const breakUnion = (line: string): string =>
  line.length <= WIDTH ? line : line.replace(/^ {2}/, '  | ').replace(/(.{60,100}) \| /g, '$1\n  | ');

function toLine(name: string, type: string, isPresent: boolean): string {
  return `  readonly ${name}${isPresent ? '' : '?'}: ${type}${isPresent ? '' : ' | undefined'};`;
}

const WIDTH = 110;

/** Options of commands that read a site. */
const listShared = (): readonly CommandOption[] =>
  listOptions('generate').filter((one) =>
    listOptions('diff').some(
      ({ description, flags }) => flags === one.flags && description === one.description,
    ),
  );

/** Options that can be absent are named by their kind, others one by one. */
function declareFlags(name: string, options: readonly CommandOption[], declared: Map<string, string>): void {
  // `reload` has those of `status`.
  if (options.length === 0 || name === 'reload') return;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}Flags`;
  const shared = title === 'DiscoveryFlags' ? [] : listShared().map(toFlag);
  const all = options.map(toFlag);
  const inherits = shared.length > 0 && shared.every((line) => all.includes(line));
  const own = all.filter((line) => !inherits || !shared.includes(line));
  const bases = KINDS.flatMap(([kind, type]) => {
    const names = own.flatMap((line) => /^ {2}readonly (\w+)\?: (.*) \| undefined;$/.exec(line) ?? []);
    const ofKind = names.filter((_, at) => at % 3 === 1 && names[at + 1] === type);
    return ofKind.length === 0 ? [] : [`${kind}<${ofKind.map((each) => `'${each}'`).join(' | ')}>`];
  });
  const lines = own.filter((line) => !KINDS.some(([, type]) => line.endsWith(`?: ${type} | undefined;`)));
  const parents = [...(inherits ? ['DiscoveryFlags'] : []), ...bases];
  const head = `export interface ${title}${parents.length === 0 ? '' : ` extends ${parents.join(', ')}`} {`;
  const wrapped =
    head.length <= WIDTH ? head : head.replace(' extends ', '\n  extends ').replaceAll('>, ', '>,\n    ');
  declared.set(title, [wrapped, ...lines].join('\n') + (lines.length === 0 ? '}' : '\n}'));
}

const KINDS = [
  ['Switches', 'boolean'],
  ['Texts', 'string'],
  ['Lists', 'readonly string[]'],
] as const;

const FLAG_KINDS = KINDS.map(
  ([kind, type]) =>
    `type ${kind}<Names extends string> = { readonly [Name in Names]?: ${type} | undefined };`,
).join('\n');

function toFlag(option: CommandOption): string {
  const isPresent = option.defaultValue !== undefined || option.mandatory;
  return toLine(option.attributeName(), toFlagType(option), isPresent);
}

function toFlagType(option: CommandOption): string {
  const { argChoices, isRepeatable, parseArg } = option;
  if (isRepeatable) return 'readonly string[]';
  if (option.isBoolean() || option.negate) return 'boolean';
  if (argChoices !== undefined) return argChoices.map((each) => `'${each}'`).join(' | ');
  return parseArg === undefined ? 'string' : 'number';
}

/**
 * Fills `docs/reference/commands.md` with the usage and the options of each command as `--help` prints them.
 *
 * @throws if a command has no place in the page, or a place has no command
 */
export function createCommandsDocument(page: string): string {
  const fills = listFills();
  const [head = '', ...sections] = page.split(/^## /m);
  const titles = sections.map((section) => section.slice(0, section.indexOf('\n')));
  const missing = [...fills.keys()].filter((title) => !titles.includes(title));
  const stale = titles.filter((title, at) => !fills.has(title) || titles.indexOf(title) !== at);
  if (missing.length > 0) throw new Error(`The page needs a section "## ${missing[0]}"`);
  if (stale.length > 0) throw new Error(`The page has a section too many: "## ${stale[0]}"`);
  return [head, ...sections.map((section, at) => fills.get(titles[at] ?? '')?.(section) ?? section)].join(
    '## ',
  );
}

/** What the code states of each section of the page, by its title. */
function listFills(): ReadonlyMap<string, (section: string) => string> {
  const all = COMMAND_NAMES.map((name) => ({ name, rows: listRows(name) }));
  const [one, other] = [listRows('generate'), listRows('diff')];
  const shared = one.filter((row) => other.includes(row));
  const fills = all.map(({ name, rows }) => {
    const usage = `waygate ${name} ${createCommand(name).usage()}`;
    const own = rows.filter((row) => !shared.includes(row));
    const fill = (section: string): string =>
      fillTable(replaceOnly(section, new RegExp(`(?<=^\`\`\`text\\n)waygate ${name} .*$`, 'm'), usage), own);
    return [`waygate ${name}`, fill] as const;
  });
  const sharing = all.filter(({ rows }) => rows.some((row) => shared.includes(row)));
  const names = sharing
    .map(({ name }) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
  const fillShared = (section: string): string =>
    fillTable(replaceOnly(section, /^.* also take these\.$/m, `${names} also take these.`), shared);
  return new Map([...fills, ['Options that read a site', fillShared]]);
}

/** The options of a command as rows of a table. */
function listRows(name: string): readonly string[] {
  const command = createCommand(name);
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => toRow([`\`${help.optionTerm(option)}\``, escapeText(help.optionDescription(option))]));
}

const TABLE = /(?<=^\| option \| meaning \|\n\|---\|---\|\n)(?:\|.*\n?)*/m;

/** Replaces the table of options in a section. A command without options of its own has none. */
function fillTable(section: string, rows: readonly string[]): string {
  if (rows.length > 0) return replaceOnly(section, TABLE, rows.join(''));
  if (TABLE.test(section)) throw new Error(`A table without options: ${section}`);
  return section;
}

/** Replaces the only place of a section that matches a pattern. */
function replaceOnly(section: string, pattern: RegExp, text: string): string {
  const places = section.match(new RegExp(pattern, `${pattern.flags}g`)) ?? [];
  if (places.length !== 1) throw new Error(`A section has no place, or two, for "${text}": ${section}`);
  return section.replace(pattern, () => text);
}
