import type { Report } from '../diagnostics.ts';
import { type JsonObject, pointerToken } from '../json.ts';

/** The only authentication scheme of WordPress itself. OpenAPI expresses it as HTTP Basic. */
export const APPLICATION_PASSWORDS = 'application-passwords';

/** Reports authentication schemes of the index that the document does not express (OAuth 1, schemes of plugins). */
export function reportUnsupportedAuthentication(authentication: JsonObject, report: Report): void {
  for (const name of Object.keys(authentication)) {
    if (name === APPLICATION_PASSWORDS) continue;
    report({
      rule: 'authentication-unsaid',
      severity: 'info',
      pointer: `/authentication${pointerToken(name)}`,
      message: `The site offers the authentication "${name}".`,
      action: 'Left it out of the document; requests that use it are forwarded.',
    });
  }
}
