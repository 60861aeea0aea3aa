import { getEvidence } from '../document-extensions.ts';
import { ConfigurationError } from '../errors.ts';
import { isJsonObject, type Json } from '../json.ts';

/** The supported fields of an overlay's Action Object. A field with a value of the wrong type is treated as absent. */
export interface ParsedOverlayAction {
  readonly target: string;
  readonly description: string | undefined;
  readonly remove: boolean;
  readonly update: Json | undefined;
  readonly copy: string | undefined;
  readonly evidence: Json | undefined;
}

/** The effect of one action of an overlay. */
export interface OverlayChange {
  /** JSONPath query (RFC 9535). */
  readonly target: string;
  readonly description?: string;
  readonly change: 'update' | 'remove' | 'copy';
  /** Number of places that changed. */
  readonly places: number;
  /** The observations that justify the action, with the number of responses that showed them and the number examined. */
  readonly evidence?: Json;
}

/**
 * Checks that a value is an overlay. Its actions are not compared with a document.
 *
 * @throws {ConfigurationError} when the value is not an overlay
 */
export function checkOverlay(overlay: unknown): void {
  parseOverlayActions(overlay);
}

/** @throws {ConfigurationError} when the value is not an overlay */
export function parseOverlayActions(overlay: unknown): readonly ParsedOverlayAction[] {
  if (!isJsonObject(overlay)) throw overlayError('is not a JSON object');
  const { actions, overlay: version } = overlay;
  if (typeof version !== 'string' || !/^1\.\d+/.test(version)) {
    throw overlayError(
      `has "overlay": ${JSON.stringify(version) ?? 'nothing'}; versions 1.0 and 1.1 are supported`,
    );
  }
  if (!Array.isArray(actions)) throw overlayError('has no list of "actions"');
  return actions.map((action: Json, index) => {
    const target = isJsonObject(action) ? action['target'] : undefined;
    if (!isJsonObject(action) || typeof target !== 'string') {
      throw overlayError(`has no "target" in /actions/${index}`);
    }
    const { description, remove, update, copy } = action;
    return {
      target,
      description: typeof description === 'string' ? description : undefined,
      remove: remove === true,
      update,
      copy: typeof copy === 'string' ? copy : undefined,
      evidence: getEvidence(action),
    };
  });
}

function overlayError(found: string): ConfigurationError {
  return new ConfigurationError(`The overlay ${found}.`);
}
