import { expect } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';

/** The outcome of a command. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a command runs in this process. */
export interface RunOptions {
  readonly cwd?: string | undefined;
  readonly isInteractive?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** What a person replies, `null` for the preset; without it there is no terminal. */
  readonly replies?: readonly (string | boolean | readonly string[] | null)[];
  /** Called with each text that the command writes. */
  readonly onOutput?: (text: string) => void;
}

export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { cwd, env = {}, isInteractive = false, onOutput, replies } = options;
  const left = [...(replies ?? [])];
  let [out, err] = ['', ''];
  const reply = async <T>(question: string, preset: T): Promise<T> => {
    err += `${question}\n`;
    const given = left.shift();
    if (given === undefined) throw new Error(`No reply is left for: ${question}`);
    return given === null ? preset : (given as T);
  };
  const code = await runProgram(args, {
    env,
    cwd,
    isInteractive,
    writeOut: (text) => {
      out += text;
      onOutput?.(text);
    },
    writeErr: (text) => {
      err += text;
      onOutput?.(text);
    },
    prompts:
      replies === undefined
        ? undefined
        : {
            async askText(question, preset, check) {
              const text = await reply(question, preset ?? '');
              check?.(text);
              return text;
            },
            askYesNo: reply,
          },
  });
  return { code, out, err };
}

/** Matches the outcome of a command that exits with 2, with a message that contains a text. */
export const refused = (message: string): object => ({ code: 2, err: expect.stringContaining(message) });
