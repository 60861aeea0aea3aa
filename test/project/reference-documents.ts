import WORDS from '../../src/base/http/cache-reasons.json' with { type: 'json' };
import { SETTINGS, type Setting } from '../../src/cli/config/settings.ts';
import { PROBLEMS, WEBHOOK_FAULTS } from '../../src/gateway/exchange/problem.ts';
import METRICS from '../../src/gateway/report/metrics.json' with { type: 'json' };
import REMARKS from '../../src/gateway/report/remarks.json' with { type: 'json' };
import { TARGET_REFUSALS } from '../../src/gateway/router/target.ts';
import { FAILURE_RESPONSES } from '../../src/gateway/upstream/failures.ts';
import { HEADER_REFUSAL_RESPONSES } from '../../src/gateway/upstream/request-headers.ts';

/** Fills documents of `docs/reference` by name: the text before the mark is written by hand, the tables after it are not. */
export const REFERENCE_DOCUMENTS = {
  settings: (page: string) => withTables(page, listSections(SETTINGS.serve, '', new Set()).join('\n')),
  metrics: (page: string) => withTables(page, createTable(['metric', 'meaning'], metricRows())),
  'cache-status': (page: string) =>
    withTables(page, createTable(['detail', 'meaning', 'remedy'], cacheDetailRows())),
  remarks: (page: string) => withTables(page, createTable(['remark', 'state', 'meaning'], remarkRows())),
  errors: (page: string) => withTables(page, createTable(['code', 'status', 'meaning'], errorRows())),
};

/** Replaces everything after the mark. */
const withTables = (page: string, tables: string): string => `${page.split(MARK, 1)}${MARK}\n\n${tables}`;

const MARK = '<!-- `npm run options` writes the rest. -->';

/** A table in Markdown. */
function createTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [toRow(columns), `|${columns.map(() => '---|').join('')}\n`, ...rows.map(toRow)].join('');
}

/** A row of a table in Markdown. */
export function toRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** The sections of an object of settings and of all objects below it, each with its place as the title. */
function listSections(setting: Setting, place: string, listed: Set<string>): readonly string[] {
  const { properties = {}, required = [], title = '' } = setting;
  if (listed.has(title)) return [];
  listed.add(title);
  const items = Object.entries(properties).map(([name, member]) => {
    const preset = required.includes(name) ? 'required' : describeDefault(member);
    // A default that is a value shows the type of a number, a text or a Boolean. The members of a section follow.
    const isShown =
      member.properties !== undefined ||
      (preset.startsWith('default `') && member.enum === undefined && !member.anyOf);
    const facts = [...(isShown ? [] : [describeType(member)]), ...(preset === '' ? [] : [preset])].join('; ');
    const meaning = (member.description ?? '').replace(/ ?\bUnset: .*?\.(?= [A-Z]|$)/, '');
    return `- \`${name}\`${facts === '' ? '' : ` (${facts})`}${meaning === '' ? '' : `: ${escapeText(meaning)}`}\n`;
  });
  const head = place === '' ? '' : `## \`${place}\`\n\n`;
  const below = Object.entries(properties).flatMap(([name, member]) =>
    listBelow(member, place === '' ? name : `${place}.${name}`, listed),
  );
  return [`${head}${items.join('')}`, ...below];
}

function listBelow(setting: Setting, place: string, listed: Set<string>): readonly string[] {
  return [setting, ...(setting.anyOf ?? [])].flatMap((type) => {
    const { additionalProperties, items, properties } = type;
    if (properties !== undefined) return listSections(type, place, listed);
    if (items !== undefined) return listBelow(items, `${place}[]`, listed);
    return additionalProperties ? listBelow(additionalProperties, `${place}.<name>`, listed) : [];
  });
}

/** The value that a setting takes, in a few words. */
function describeType(setting: Setting): string {
  const { anyOf, const: constant, enum: choices, format = '', type = '' } = setting;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (choices !== undefined) return choices.map((each) => `\`${each}\``).join(', ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => describeType(each)))].join(' or ');
  const { additionalProperties, items, properties } = setting;
  if (items !== undefined) return 'list';
  if (properties !== undefined || additionalProperties) return 'section';
  return FORMATS[format] ?? TYPES[type] ?? type;
}

const FORMATS: Readonly<Record<string, string>> = {
  duration: 'duration',
  seconds: 'duration',
  size: 'size',
  path: 'path',
  uri: 'URL',
};

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  string: 'text',
  object: 'section',
};

/** The default of a setting; in its words if it is no value. */
function describeDefault({ default: preset, description = '' }: Setting): string {
  const [, unset] = /\bUnset: (.*?)\.(?= [A-Z]|$)/.exec(description) ?? [];
  if (unset !== undefined) return `default: ${escapeText(unset)}`;
  if (preset === undefined || (typeof preset === 'object' && Object.keys(preset ?? {}).length === 0))
    return '';
  return `default \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;
}

function remarkRows(): readonly (readonly string[])[] {
  return Object.entries(REMARKS).map(([name, { meaning, state }]) => [`\`${name}\``, state, meaning]);
}

function metricRows(): readonly (readonly string[])[] {
  return Object.entries(METRICS).map(([name, text]) => {
    const [, type = '', meaning = ''] = /^(\w+): (.*)$/.exec(text) ?? [];

    const kind = type === 'histogram' ? ' Histogram.' : '';
    return [`\`${name}\``, `${escapeText(meaning)}${kind}`];
  });
}

/** How `cache-words.json` describes a reason. */
interface ReasonWords {
  readonly means: string;
  readonly failures?: Readonly<Record<string, string>>;
  readonly remedy?: string;
}

function cacheDetailRows(): readonly (readonly string[])[] {
  const reasons: Readonly<Record<string, ReasonWords>> = WORDS.reasons;
  const rows = Object.entries(reasons).flatMap(([kind, { failures = {}, means, remedy = '' }]) => {
    // Clients are not told the names of cookies.
    const isNamed = (means.includes('…') && !kind.endsWith('cookie')) || Object.keys(failures).length > 0;
    const known = Object.entries(failures).map(([failure, words]) => [`${kind} ${failure}`, words, '']);
    return [...known, [isNamed ? `${kind} …` : kind, means, remedy]];
  });
  return rows
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
    .map(([detail, ...cells]) => [`\`${detail}\``, ...cells]);
}

/** The errors of the gateway itself, sorted by code, with the first sentence of their messages. */
function errorRows(): readonly (readonly string[])[] {
  const tables = [PROBLEMS, WEBHOOK_FAULTS, FAILURE_RESPONSES, HEADER_REFUSAL_RESPONSES, TARGET_REFUSALS];
  return tables
    .flatMap((table) => Object.values(table))
    .map(({ code, message, status }) => [
      `\`${code}\``,
      String(status),
      escapeText(message.split('. ')[0] ?? ''),
    ])
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
}

/** A `<` would begin an HTML element outside of code. */
export function escapeText(text: string): string {
  return text.replaceAll('<', '\\<');
}
