import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { WaygateError } from '../errors.ts';
import { type CommandIo, type ExitCode, withEscapedOutput } from './io.ts';

/** Creates a command. The command passes its exit code to `done`. */
type CommandFactory = (io: CommandIo, done: (code: ExitCode) => void) => Command;

interface CommandEntry {
  readonly description: string;
  readonly load: () => Promise<CommandFactory>;
}

/** Every command with its one-line description. The program loads only the command that runs. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  generate: {
    description: 'Write the OpenAPI document (JSON and YAML), TypeScript types and a report of a site.',
    load: async () => (await import('./generate/command.ts')).createGenerateCommand,
  },
  init: {
    description: 'Write waygate.config.ts, and a CI workflow that checks the types against the site.',
    load: async () => (await import('./init/command.ts')).createInitCommand,
  },
  reconcile: {
    description:
      "Compare a site's responses with its document and write the corrections as an OpenAPI Overlay.",
    load: async () => (await import('./reconcile/command.ts')).createReconcileCommand,
  },
  calibrate: {
    description:
      "Find out which rules of a site's arguments hold, so that serve --mode enforce refuses by them.",
    load: async () => (await import('./calibrate/command.ts')).createCalibrateCommand,
  },
  serve: {
    description: 'Run the gateway in front of one or more sites.',
    load: async () => (await import('./serve/command.ts')).createServeCommand,
  },
  mock: {
    description: 'Serve a document with examples, for tests without a site.',
    load: async () => (await import('./mock/command.ts')).createMockCommand,
  },
  report: {
    description: 'Show the evidence of a running gateway about validation and dependencies.',
    load: async () => (await import('./report/command.ts')).createReportCommand,
  },
  example: {
    description: 'Run both example sites behind one gateway.',
    load: async () => (await import('./example/command.ts')).createExampleCommand,
  },
};

/**
 * Runs one command line.
 *
 * @param args the arguments without the program's name
 * @param rawIo receives text without control characters, except tabs, newlines and the progress line
 * @returns the exit code, also for errors of the user or the site
 * @throws any error that is not a `WaygateError`: a defect of waygate
 */
export async function runProgram(args: readonly string[], rawIo: CommandIo): Promise<ExitCode> {
  const io = withEscapedOutput(rawIo);
  let exitCode: ExitCode = 0;
  const done = (code: ExitCode): void => {
    exitCode = code;
  };
  const program = new Command('waygate')
    .description(
      'Learns the REST interface of a WordPress-style site: OpenAPI document, TypeScript types and a gateway.',
    )
    .version(packageVersion());
  const [name = ''] = args;
  for (const command of await commandsFor(name, io, done)) program.addCommand(command);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: io.writeOut, writeErr: io.writeErr })
      .showHelpAfterError();
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message. After help and version output it throws this error with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WaygateError)) throw error;
    io.writeErr(`waygate: ${error.message}\n`);
    return error.exitCode;
  }
}

/** Loads the named command. If no command has the name, lists all commands, for the help text and for suggestions. */
async function commandsFor(
  name: string,
  io: CommandIo,
  done: (code: ExitCode) => void,
): Promise<readonly Command[]> {
  const entries = Object.entries(COMMANDS);
  const entry = entries.find(([known]) => known === name);
  if (entry !== undefined) {
    const createCommand = await entry[1].load();
    return [createCommand(io, done).description(entry[1].description)];
  }
  // `waygate help serve` shows the whole help of a command.
  if (name === 'help') {
    return Promise.all(
      entries.map(async ([, { description, load }]) => (await load())(io, done).description(description)),
    );
  }
  return entries.map(([known, { description }]) => new Command(known).description(description));
}

/** Reads the version from package.json, which lies two folders above this file in `src` and in `dist`. */
function packageVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
