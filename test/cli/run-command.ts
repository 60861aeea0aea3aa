import { runProgram } from '../../src/cli/program.ts';

/** The outcome of a command. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a command runs in this process. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The lines that a person types; without them there is no terminal. */
  readonly replies?: readonly string[];
  /** Called with each text that the command writes. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a command in this process, in a folder. */
export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { cwd, env = {}, onOutput, replies } = options;
  const lines = [...(replies ?? [])];
  let [out, err] = ['', ''];
  const code = await runProgram(args, {
    env,
    cwd,
    isInteractive: false,
    writeOut: (text) => {
      out += text;
      onOutput?.(text);
    },
    writeErr: (text) => {
      err += text;
      onOutput?.(text);
    },
    ask:
      replies === undefined
        ? undefined
        : async (question) => {
            err += question;
            const line = lines.shift();
            if (line === undefined) throw new Error(`No reply is left for: ${question}`);
            return line;
          },
  });
  return { code, out, err };
}
