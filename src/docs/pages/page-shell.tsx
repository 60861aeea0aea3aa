import type { Child } from 'hono/jsx';
import type { Html } from './html.ts';

/** Properties of {@link PageShell}. */
export interface PageShellProps {
  /** The parts of the page's title, the narrowest first. */
  readonly titles: readonly string[];
  /** URL of the folder of the page's files, relative to the page, with a slash at its end. */
  readonly assetFolder: string;
  /** File names of the style sheets. */
  readonly styles: readonly string[];
  /** `undefined` for a page without a script. */
  readonly script?: { readonly name: string; readonly integrity: string } | undefined;
  /** File name of the licences of what the script contains. */
  readonly licences?: string | undefined;
  /** URL of the page as Markdown. */
  readonly markdown?: string | undefined;
  /** `data-` attributes of the body, which the script reads. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: Child;
}

/** The document that every page of the gateway is: its files, and the link to the element with the id `content`. */
export function PageShell(props: PageShellProps): Html {
  const { assetFolder, children, data = {}, licences, markdown, script, styles, titles } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{titles.join(' · ')}</title>
        <link rel="icon" href="data:," />
        {styles.map((name) => (
          <link rel="stylesheet" href={assetFolder + name} />
        ))}
        {markdown === undefined ? null : <link rel="alternate" type="text/markdown" href={markdown} />}
        {licences === undefined ? null : <link rel="license" href={assetFolder + licences} />}
        {script === undefined ? null : (
          <script type="module" src={assetFolder + script.name} integrity={script.integrity}></script>
        )}
      </head>
      <body {...data}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}
