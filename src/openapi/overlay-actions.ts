import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type Json } from '../json.ts';

/** One Action Object of an overlay, as far as it is acted upon. */
export interface ParsedOverlayAction {
  readonly target: string;
  readonly description: string | undefined;
  readonly remove: boolean;
  readonly update: Json | undefined;
  readonly copy: string | undefined;
  readonly evidence: Json | undefined;
}

/**
 * Whether it is an overlay at all: what it changes is for a document to say.
 *
 * @throws ConfigurationError where it is none
 */
export function checkOverlay(overlay: unknown): void {
  parseOverlayActions(overlay);
}

/** @throws ConfigurationError where it is no overlay */
export function parseOverlayActions(overlay: unknown): readonly ParsedOverlayAction[] {
  const refuse = (what: string): ConfigurationError => new ConfigurationError(`The overlay ${what}.`);
  if (!isJsonObject(overlay)) throw refuse('is not a JSON object');
  const { actions, overlay: version } = overlay;
  if (typeof version !== 'string' || !/^1\.\d+/.test(version)) {
    throw refuse(
      `says of itself "overlay": ${JSON.stringify(version) ?? 'nothing'}; versions 1.0 and 1.1 are read`,
    );
  }
  if (!Array.isArray(actions)) throw refuse('has no list of "actions"');
  return actions.map((action: Json, index) => {
    if (!isJsonObject(action) || typeof action['target'] !== 'string') {
      throw refuse(`has no "target" in /actions/${index}`);
    }
    const { target, description, remove, update, copy } = action;
    return {
      target: String(target),
      description: typeof description === 'string' ? description : undefined,
      remove: remove === true,
      update,
      copy: typeof copy === 'string' ? copy : undefined,
      evidence: action['x-waygate-evidence'],
    };
  });
}
