import { type ConsoleAddress, formatAddress } from './console-address.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { ConsoleAction, ConsoleClient, ConsoleView } from './console-page.ts';
import { respondWithPage } from './console-response.ts';
import { createEventStreams } from './events/event-streams.ts';
import { ConfirmationContent } from './pages/confirmation-page.tsx';
import type { MessagePage } from './pages/message-page.tsx';
import { createPageLookup } from './routes.ts';
import { NOTICE_PARAMETER, NOTICE_SIGNATURE_PARAMETER, readNotice, runAction } from './run-action.ts';
import { createSecretCheck } from './session/secrets.ts';
import type { Session, Sessions } from './session/sessions.ts';
import type { ConsoleAssets, ConsoleLayoutProps } from './shell/console-layout.tsx';
import { CONFIRMED_FIELD, CSRF_FIELD } from './shell/forms.tsx';
import { renderSectionContent, renderView } from './shell/render-view.tsx';

/** A client that has signed in, at an address. */
export interface ConsoleVisit {
  readonly session: Session;
  readonly client: ConsoleClient;
  readonly address: ConsoleAddress;
}

/** The pages and actions of the console, for clients that have signed in. */
export interface ConsolePages {
  /** Responds with a page; `null` if there is none at the address. */
  show(assets: ConsoleAssets, visit: ConsoleVisit): Promise<Response | null>;
  /** Responds with a message in the frame of the console. */
  refuse(assets: ConsoleAssets, visit: ConsoleVisit, message: MessagePage): Promise<Response>;
  /** Runs an action, or asks first; `null` if there is none of this name. */
  act(
    assets: ConsoleAssets,
    name: string,
    form: URLSearchParams,
    by: Omit<ConsoleVisit, 'address'>,
  ): Promise<Response | null>;
  /** Whether a form was made for the session. */
  isFormOf(session: Session, form: URLSearchParams): Promise<boolean>;
  /** Opens the stream that refreshes the page at an address. */
  stream(visit: ConsoleVisit): Response;
  /** Ends all streams, and opens no more. */
  closeStreams(): void;
}

export function createConsolePages(
  { actions, clock, listSites, log, pages }: ConsoleOptions,
  sessions: Sessions,
): ConsolePages {
  const findPage = createPageLookup(pages);
  const actionsByName = new Map<string, ConsoleAction>(actions.map((action) => [action.name, action]));
  const streams = createEventStreams(clock);

  const createView = async ({ address, client, session }: ConsoleVisit): Promise<ConsoleView | null> => {
    const { path, query, root } = address;
    const match = findPage(path);
    return match === undefined
      ? null
      : match.page.render({ params: match.params, query, root, csrf: session.csrf, client });
  };
  const createFrame = (
    assets: ConsoleAssets,
    { csrf }: Session,
    address: ConsoleAddress,
  ): Omit<ConsoleLayoutProps, 'view' | 'children'> => ({
    assets,
    root: address.root,
    address: formatAddress(address),
    isLive: false,
    csrf,
    sites: listSites(),
  });

  async function ask(
    assets: ConsoleAssets,
    action: ConsoleAction,
    form: URLSearchParams,
    session: Session,
  ): Promise<Response | null> {
    if (form.get(CONFIRMED_FIELD) === 'yes') return null;
    const confirmation = (await action.confirm?.(form)) ?? null;
    if (confirmation === null) return null;
    const address: ConsoleAddress = { root: './', path: confirmation.page, query: new URLSearchParams() };
    const request = { root: address.root, csrf: session.csrf };
    const content = (): ReturnType<typeof ConfirmationContent> => (
      <ConfirmationContent action={action.name} confirmation={confirmation} form={form} request={request} />
    );
    const { site, tab, title } = confirmation;
    const view: ConsoleView = {
      title,
      ...(site === undefined ? {} : { site }),
      ...(tab === undefined ? {} : { tab }),
      sections: [{ id: 'confirmation', content }],
    };
    return respondWithPage(assets, await renderView(view, createFrame(assets, session, address)));
  }

  return {
    async show(assets, visit) {
      const { address, session } = visit;
      const view = await createView(visit);
      if (view === null) return null;
      const notice = await readNotice(address.query, session, sessions);
      const query = new URLSearchParams(address.query);
      query.delete(NOTICE_PARAMETER);
      query.delete(NOTICE_SIGNATURE_PARAMETER);
      const frame = {
        ...createFrame(assets, session, { ...address, query }),
        notice,
        isLive: view.sections.some((section) => section.isLive === true),
      };
      return respondWithPage(assets, await renderView(view, frame));
    },

    async refuse(assets, { address, session }, { content, headers, status, title }) {
      const view: ConsoleView = { title, sections: [{ id: 'message', content: () => <>{content}</> }] };
      const html = await renderView(view, createFrame(assets, session, address));
      return respondWithPage(assets, html, status, headers);
    },

    async act(assets, name, form, { client, session }) {
      const action = actionsByName.get(name);
      if (action === undefined) return null;
      const question = await ask(assets, action, form, session);
      return question ?? runAction(action, form, { session, sessions, client, log });
    },

    isFormOf: ({ csrf }, form) => createSecretCheck(csrf)(form.get(CSRF_FIELD) ?? ''),

    stream(visit) {
      const { session } = visit;
      const stream = streams.open({
        owner: session.id,
        isAllowed: () => sessions.isOpen(session),
        async render() {
          const view = await createView(visit);
          return view === null ? null : renderLiveSections(view);
        },
      });
      return stream ?? new Response(null, { status: 503, headers: { 'cache-control': 'no-store' } });
    },

    closeStreams: streams.close,
  };
}

async function renderLiveSections({ sections }: ConsoleView): Promise<ReadonlyMap<string, string>> {
  const html = new Map<string, string>();
  for (const section of sections) {
    if (section.isLive === true) html.set(section.id, await renderSectionContent(section));
  }
  return html;
}
