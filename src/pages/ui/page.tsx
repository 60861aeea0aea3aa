import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { PackagedFile } from './packaged-assets.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function PageShell(props: {
  readonly titles: readonly string[];
  readonly assetFolder: string;
  readonly icon?: string | undefined;
  readonly styles: readonly string[];
  readonly script?: Pick<PackagedFile, 'file' | 'integrity'>;
  readonly licences?: string;
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  readonly children: Child;
}): Html {
  const { assetFolder, children, data = {}, icon = 'data:,', licences, script, styles, titles } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{titles.join(' · ')}</title>
        <link rel="icon" href={icon} />
        {styles.map((name) => (
          <link rel="stylesheet" href={assetFolder + name} />
        ))}
        {licences === undefined ? null : <link rel="license" href={assetFolder + licences} />}
        {script === undefined ? null : (
          <script type="module" src={assetFolder + script.file} integrity={script.integrity}></script>
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

export function Frame(props: {
  readonly header: Child;
  /** Accessible name of the navigation, which also folds it on a small screen. */
  readonly label: string;
  readonly navigation: Child;
  readonly children: Child;
}): Html {
  const { children, header, label, navigation } = props;
  return (
    <>
      <header class="top">{header}</header>
      <div class="frame">
        <nav class="tree" aria-label={label}>
          <details open class="tree-fold">
            <summary>{label}</summary>
            {navigation}
          </details>
        </nav>
        <main id="content" tabindex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

export async function toDocumentText(root: Html): Promise<string> {
  return `<!doctype html>\n${(await root).toString()}\n`;
}

/** The relative path from a page to its root. @param path of the page below the root */
export function toRoot(path: string): string {
  const slashes = path.split('/').length - 1;
  return slashes === 0 ? './' : '../'.repeat(slashes);
}

/**
 * Response headers of a page. Only the script with this hash runs: `'self'` would allow the site's uploads and JSONP responses,
 * which have the same origin with `passthrough`. @param scriptIntegrity `sha256-…`
 */
export function createDocsPageHeaders(scriptIntegrity: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'",
    `form-action 'none'; frame-ancestors 'self'; worker-src 'self'; script-src '${scriptIntegrity}'`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
