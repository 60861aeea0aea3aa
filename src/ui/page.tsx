import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The HTML document of every page: it loads the files of the page, and links to the element with the id `content`. */
export function PageShell(props: {
  /** The parts of the page's title, the narrowest first. */
  readonly titles: readonly string[];
  /** URL of the folder of the page's files, relative to the page, with a slash at its end. */
  readonly assetFolder: string;
  /** File names of the style sheets. */
  readonly styles: readonly string[];
  /** `undefined` for a page without a script. */
  readonly script?: { readonly name: string; readonly integrity: string };
  /** File name of the licences of what the script contains. */
  readonly licences?: string;
  /** URL of the page as Markdown. */
  readonly markdown?: string;
  /** `data-` attributes of the body, which the script reads. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: Child;
}): Html {
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

/** Renders the root element of a page with the document type. */
export async function toDocumentText(root: Html): Promise<string> {
  return `<!doctype html>\n${(await root).toString()}\n`;
}

/** Returns the path from a page to the root of its links, relative. @param path what follows the root in the page's address */
export function toRoot(path: string): string {
  const slashes = path.split('/').length - 1;
  return slashes === 0 ? './' : '../'.repeat(slashes);
}

/**
 * Creates the response headers of a page of the documentation, with names in lower case. Texts of the document come from the site,
 * which is not trusted: only the one script with this hash runs, and no other origin is contacted. `'self'` would allow more scripts:
 * with `passthrough` the site's uploads and its JSONP responses (`/wp-json/?_jsonp=…`) have the same origin.
 *
 * @param scriptIntegrity `sha256-…`
 */
export function createDocsPageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'",
    // Only the one script can start a worker, and it starts the one that searches.
    `form-action 'none'; frame-ancestors 'self'; worker-src 'self'; script-src '${scriptIntegrity}'`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    // The document can change at any time, and revalidation is cheap.
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
