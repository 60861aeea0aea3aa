import type { ConsoleClient } from '../console-page.ts';

/** Why a form is refused that another site may have sent. */
export interface ForeignOrigin {
  /** The origin of the page with the form, as the browser names it. */
  readonly origin: string;
}

/**
 * Checks that a page of the same origin sent a form. Browsers state it in `Sec-Fetch-Site` over https and on the local
 * machine, and in `Origin` always. A client without either is no browser.
 *
 * @returns `null` if the form may be used
 */
export function findForeignOrigin({ headers }: Request, { host }: ConsoleClient): ForeignOrigin | null {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  // `none`: the user started the request, such as by a reload.
  if (site === 'same-origin' || site === 'none') return null;
  if (site === null && (origin === null || hostOf(origin) === host.toLowerCase())) return null;
  return { origin: origin ?? 'another site' };
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
