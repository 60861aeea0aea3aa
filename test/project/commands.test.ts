import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createCalibrateCommand } from '../../src/cli/calibrate/command.ts';
import { createExampleCommand } from '../../src/cli/example/command.ts';
import { createGenerateCommand } from '../../src/cli/generate/command.ts';
import { createInitCommand } from '../../src/cli/init/command.ts';
import type { CommandIo } from '../../src/cli/io.ts';
import { createMockCommand } from '../../src/cli/mock/command.ts';
import { runProgram } from '../../src/cli/program.ts';
import { createReconcileCommand } from '../../src/cli/reconcile/command.ts';
import { createReportCommand } from '../../src/cli/report/command.ts';
import { createServeCommand } from '../../src/cli/serve/command.ts';
import { ROOT } from './source-files.ts';

const texts: string[] = [];
const io: CommandIo = {
  env: {},
  isInteractive: false,
  writeOut: (text) => void texts.push(text),
  writeErr: (text) => void texts.push(text),
};

const COMMANDS: readonly Command[] = [
  createGenerateCommand,
  createInitCommand,
  createReconcileCommand,
  createMockCommand,
  createServeCommand,
  createCalibrateCommand,
  createReportCommand,
  createExampleCommand,
].map((create) => create(io, () => {}));

const document = readFileSync(join(ROOT, 'docs/commands.md'), 'utf8');

/** The section of a command: from its heading to the next. */
function sectionOf(name: string): string {
  const [, section = ''] =
    new RegExp(`^## waygate ${name}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(document) ?? [];
  return section;
}

/** The rows of the table of options that the documentation must have: what `--help` prints. */
function rowsOf(command: Command): readonly string[] {
  const help = command.createHelp();
  /** A `<` would begin an HTML element outside of code. */
  const escapeCell = (text: string): string => text.replaceAll('|', '\\|');
  const describeOption = (text: string): string => escapeCell(text).replaceAll('<', '\\<');
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map(
      (option) =>
        `| \`${escapeCell(help.optionTerm(option))}\` | ${describeOption(help.optionDescription(option))} |`,
    );
}

describe.each(COMMANDS.map((command) => [command.name(), command] as const))(
  'docs/commands.md',
  (name, command) => {
    test(`has every option of waygate ${name} as --help prints it, and no other`, () => {
      const rows = sectionOf(name).match(/^\| `.*\|$/gm) ?? [];
      expect(rows).toEqual(rowsOf(command));
    });

    test(`has the usage of waygate ${name}`, () => {
      expect(sectionOf(name)).toContain(`\nwaygate ${name} ${command.usage()}\n`);
    });
  },
);

test('docs/commands.md has every command', async () => {
  await runProgram(['--help'], io);
  const listed = [...texts.join('').matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name);
  const names = COMMANDS.map((command) => command.name());
  expect(listed.filter((name) => name !== 'help').sort()).toEqual(names.sort());
});
