import { requireHttpUrl, toShellWord } from './flags.ts';
import type { CommandIo, Prompts } from './io.ts';

const TASKS: Readonly<Record<string, (url: string) => readonly string[]>> = {
  'Generate types and a client': (url) => ['generate', url, '--client'],
  'Run a gateway in front of a site': (url) => ['serve', '--site', url],
  'Read the API of a site, at http://127.0.0.1:8080/docs': (url) => [
    'serve',
    '--site',
    url,
    '--cache',
    'off',
  ],
  'Connect an assistant, at http://127.0.0.1:8080/mcp': (url) => ['serve', '--site', url, '--mcp'],
};

/** Prints the command line, so that a person can repeat it. @returns the arguments of the command */
export async function askCommand(
  { writeErr }: Pick<CommandIo, 'writeErr'>,
  prompts: Prompts,
): Promise<readonly string[]> {
  const task = await prompts.askChoice('What do you want to do?', Object.keys(TASKS));
  const url = await prompts.askText('URL of the site', undefined, requireHttpUrl);
  const args = TASKS[task]?.(url) ?? [];
  writeErr(`\nnpx waygate ${args.map((arg) => toShellWord(arg)).join(' ')}\n\n`);
  return args;
}
