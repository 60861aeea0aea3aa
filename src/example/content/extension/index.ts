import type { NamespaceDeclaration } from '../../site/declarations.ts';
import { MODEL_STEP_ROUTE } from '../chat/model-step.ts';
import { SESSION_ROUTES } from '../chat/session-routes.ts';
import { CONSENT_ROUTE, MODELS_ROUTE, STATUS_ROUTE } from '../chat/status-routes.ts';
import { APPROVALS_ROUTE, EXECUTE_ROUTE, TOOLS_ROUTE } from '../chat/tool-routes.ts';
import type { ContentState } from '../model/state.ts';
import { ABILITY_ROUTES } from './abilities.ts';
import { ADMIN_ACCESS_ROUTES } from './admin-access.ts';
import { SAFE_TOOL_ROUTES } from './safe-tools.ts';
import { UPLOAD_ROUTES } from './uploads.ts';

/** The extension: uploads, one-time access links, abilities, tools and a chat assistant. */
export const EXTENSION_NAMESPACE: NamespaceDeclaration<ContentState> = {
  namespace: 'ext-a/v1',
  routes: [
    ...UPLOAD_ROUTES,
    ...ADMIN_ACCESS_ROUTES,
    ...ABILITY_ROUTES,
    ...SAFE_TOOL_ROUTES,
    STATUS_ROUTE,
    ...SESSION_ROUTES,
    MODEL_STEP_ROUTE,
    TOOLS_ROUTE,
    MODELS_ROUTE,
    CONSENT_ROUTE,
    EXECUTE_ROUTE,
    APPROVALS_ROUTE,
  ],
};
