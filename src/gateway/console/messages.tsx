import type { Html } from '../../ui/page.tsx';
import { DescriptionText } from '../../ui/parts.tsx';
import { shorten } from '../../ui/text.ts';
import { type ConsoleAssets, ConsoleDocument, respondWithPage } from './layout.tsx';
import WORDS from './words.json' with { type: 'json' };

/** A page that says one thing. */
export interface MessagePage {
  readonly status: number;
  readonly title: string;
  /** Paragraphs. What stands between backticks is code; one that begins with `$ ` is a command. */
  readonly content: readonly string[];
  /** Whether the page leads to the overview. @default true */
  readonly hasLink?: boolean;
  /** The methods that the address allows. */
  readonly allow?: string;
}

export const MESSAGES: Readonly<Record<keyof typeof WORDS.messages, MessagePage>> = WORDS.messages;

/** Responds with a page without navigation: for a client without session, and for refusals. */
export function respondWithMessage(
  assets: ConsoleAssets,
  root: string,
  { allow, content, hasLink = true, status, title }: MessagePage,
): Promise<Response> {
  const page = (
    <ConsoleDocument assets={assets} root={root} titles={[title]}>
      <main class="narrow" id="content" tabindex={-1}>
        <h1>{title}</h1>
        {messageContent(content)}
        {hasLink ? (
          <p>
            <a href={root}>To the overview</a>
          </p>
        ) : null}
      </main>
    </ConsoleDocument>
  );
  return respondWithPage(assets, page, status, allow === undefined ? {} : { allow });
}

/** The paragraphs of a message. */
export function messageContent(content: readonly string[]): Html {
  return (
    <>
      {content.map((text) =>
        text.startsWith('$ ') ? (
          <pre>
            <code>{text.slice(2)}</code>
          </pre>
        ) : (
          <p>
            <DescriptionText text={text} />
          </p>
        ),
      )}
    </>
  );
}

/** The refusal of a form of another origin. */
export function createForeignOriginPage(origin: string, host: string): MessagePage {
  const { foreignOrigin } = MESSAGES;
  const content = foreignOrigin.content.map((text) =>
    text.replace('{origin}', () => toCode(origin)).replace('{host}', () => toCode(host)),
  );
  return { ...foreignOrigin, content };
}

/** Prepares a text of the client for its place between backticks. */
function toCode(text: string): string {
  return shorten(text.replaceAll('`', "'"), 190);
}
