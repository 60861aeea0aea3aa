import type { DiagnosticReporter } from '../diagnostics.ts';
import { type JsonObject, toPointerSegment } from '../json.ts';

/** The name of the only authentication scheme of WordPress itself. OpenAPI expresses it as HTTP Basic. */
export const APPLICATION_PASSWORD_SCHEME = 'application-passwords';

/** Reports authentication schemes of the index that the document does not express (OAuth 1, schemes of plugins). */
export function reportUnsupportedAuthentication(
  authentication: JsonObject,
  report: DiagnosticReporter,
): void {
  for (const name of Object.keys(authentication)) {
    if (name === APPLICATION_PASSWORD_SCHEME) continue;
    report({
      rule: 'authentication-unsaid',
      severity: 'info',
      pointer: `/authentication${toPointerSegment(name)}`,
      message: `The site offers the authentication "${name}".`,
      action: 'Left it out of the document; requests that use it are forwarded.',
    });
  }
}
