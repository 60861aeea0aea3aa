import { ConfigurationError } from '../../errors.ts';
import type { CommandIo } from '../io.ts';
import { requireHttpUrl } from '../option-parsers.ts';

/** Asks a person, or takes the default. */
export interface Questions {
  /** Whether nobody is asked. */
  readonly isSilent: boolean;
  /** Asks for a line; an empty line is the default. */
  readonly askText: (question: string, preset: string) => Promise<string>;
  /** Asks for yes or no; an empty line is the default. */
  readonly askYesNo: (question: string, preset: boolean) => Promise<boolean>;
  /** Asks for the URL of the site, again after a text that is not a URL. */
  readonly askUrl: () => Promise<string>;
}

/** Number of texts that are not a URL, after which the command ends. */
const MAX_TRIES = 3;

/**
 * @param acceptsDefaults whether `--yes` is given: nobody is asked
 * @throws {ConfigurationError} when a person must be asked, and there is no terminal
 */
export function createQuestions(
  acceptsDefaults: boolean,
  { ask, writeErr }: Pick<CommandIo, 'ask' | 'writeErr'>,
): Questions {
  const isSilent = acceptsDefaults || ask === undefined;
  const askLine = async (question: string): Promise<string> =>
    ask === undefined ? '' : (await ask(question)).trim();
  return {
    isSilent,
    async askText(question, preset) {
      return isSilent ? preset : (await askLine(`${question} [${preset}] `)) || preset;
    },
    async askYesNo(question, preset) {
      if (isSilent) return preset;
      const reply = await askLine(`${question} [${preset ? 'Y/n' : 'y/N'}] `);
      return reply === '' ? preset : /^y(?:es)?$/i.test(reply);
    },
    async askUrl() {
      if (isSilent) {
        throw new ConfigurationError(
          'no site is named: give --url https://example.com (there is nobody to ask)',
        );
      }
      for (let tries = 1; ; tries += 1) {
        const reply = await askLine('URL of the site: ');
        try {
          return requireHttpUrl(reply);
        } catch (error) {
          if (!(error instanceof ConfigurationError) || tries >= MAX_TRIES) throw error;
          writeErr(`${error.message}\n`);
        }
      }
    },
  };
}
