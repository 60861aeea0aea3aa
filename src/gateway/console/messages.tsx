import type { Child } from 'hono/jsx';
import { type ConsoleAssets, ConsoleDocument, respondWithPage } from './layout.tsx';

/** A page that says one thing. */
export interface MessagePage {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly title: string;
  readonly content: Child;
  /** Whether the page leads to the overview. @default true */
  readonly hasLink?: boolean;
}

/** Responds with a page without navigation: for a client without session, and for refusals. */
export function respondWithMessage(
  assets: ConsoleAssets,
  root: string,
  { content, hasLink = true, headers, status, title }: MessagePage,
): Promise<Response> {
  const page = (
    <ConsoleDocument assets={assets} root={root} titles={[title]}>
      <main class="narrow" id="content" tabindex={-1}>
        <h1>{title}</h1>
        {content}
        {hasLink ? (
          <p>
            <a href={root}>To the overview</a>
          </p>
        ) : null}
      </main>
    </ConsoleDocument>
  );
  return respondWithPage(assets, page, status, headers);
}

/** What the console shows if no admin token is configured. */
export const CLOSED: MessagePage = {
  status: 403,
  hasLink: false,
  title: 'The console is closed',
  content: (
    <>
      <p>No admin token is configured. Choose a long random text as the token, such as the output of</p>
      <pre>
        <code>openssl rand -base64 32</code>
      </pre>
      <p>
        and start the gateway with it in <code>WAYGATE_ADMIN_TOKEN</code>:
      </p>
      <pre>
        <code>WAYGATE_ADMIN_TOKEN=… waygate serve</code>
      </pre>
      <p>
        or set <code>admin.token</code> in the configuration file, or{' '}
        <code>{'createGateway({ admin: { token } })'}</code> in a program.
      </p>
    </>
  ),
};

/** The refusal of a form without the session's token. */
export const STALE_FORM: MessagePage = {
  status: 403,
  title: 'This form is no longer valid',
  content: (
    <p>
      The form belongs to another session, or to none. Nothing was changed. Open the page again and repeat the
      action.
    </p>
  ),
};

/** The refusal of a form of another origin. */
export function createForeignOriginPage(origin: string, host: string): MessagePage {
  return {
    status: 403,
    title: 'This form comes from another site',
    content: (
      <>
        <p>
          The browser says that a page of <code>{origin}</code> sent the form. The gateway is at{' '}
          <code>{host}</code>. Nothing was changed.
        </p>
        <p>
          If both are this gateway, a proxy in front of it replaces the host. Let the proxy keep{' '}
          <code>Host</code>, name the proxy in <code>trust</code>, or set <code>publicUrl</code>.
        </p>
      </>
    ),
  };
}

/** The response where the console has no page or action. */
export const NOT_FOUND: MessagePage = {
  status: 404,
  title: 'There is no such page',
  content: <p>The site may have another name now, or none.</p>,
};

export const WRONG_METHOD: MessagePage = {
  status: 405,
  headers: { allow: 'GET, HEAD, POST' },
  title: 'Wrong method',
  content: <p>This address allows GET, HEAD and POST only.</p>,
};

export const NO_FORM: MessagePage = {
  status: 415,
  title: 'This is no form',
  content: (
    <p>
      Actions are sent as <code>application/x-www-form-urlencoded</code>. Nothing was changed. Programs use
      the operations below <code>/-/</code> with the bearer token.
    </p>
  ),
};

export const TOO_LONG: MessagePage = {
  status: 413,
  title: 'The form is too long',
  content: <p>Nothing was changed. Send less at once.</p>,
};
