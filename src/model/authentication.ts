import type { Report } from '../diagnostics.ts';
import { type JsonObject, pointerToken } from '../json.ts';

/** The one scheme that WordPress itself states, and that a document can say: HTTP basic. */
export const APPLICATION_PASSWORDS = 'application-passwords';

/** Reports the ways to authenticate that the index offers and a document cannot state (OAuth 1, a plugin's own). */
export function unsaidAuthentication(authentication: JsonObject, report: Report): void {
  for (const name of Object.keys(authentication)) {
    if (name === APPLICATION_PASSWORDS) continue;
    report({
      rule: 'authentication-unsaid',
      severity: 'info',
      pointer: `/authentication${pointerToken(name)}`,
      message: `The site offers the authentication "${name}".`,
      action: 'It is not in the document; requests that use it are passed on all the same.',
    });
  }
}
