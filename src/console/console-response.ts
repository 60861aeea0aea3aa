import { createConsolePageHeaders } from '../docs/page-headers.ts';
import type { ConsoleAssets } from './shell/console-layout.tsx';

/** Creates the response with a page of the console. */
export function respondWithPage(
  assets: ConsoleAssets,
  html: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(html, {
    status,
    headers: { ...createConsolePageHeaders(assets.consoleScriptIntegrity), ...headers },
  });
}

/** Leads a browser to another page with `GET` (RFC 9110 §15.4.4). @param url relative to the request */
export function redirectTo(url: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: url, 'cache-control': 'no-store', ...headers },
  });
}
