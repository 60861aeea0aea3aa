import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { groupBy } from '../../group-by.ts';
import type { JsonObject } from '../../json.ts';
import { splitWords, toPascalCase } from '../../model/naming/words.ts';
import {
  getSchemaComponentKey,
  type JsonLocation,
  resolveReference,
  toSchemaReference,
} from '../../openapi/document-references.ts';
import { listRouteOperations, type OpenApiDocument, type Operation } from '../../openapi/index.ts';
import { keyOfFinding } from '../../validation/response/finding.ts';
import type { ResponseValidationReport } from '../../validation/response/validator.ts';
import { findingsLabel, getDefaultContext } from '../document-operations.ts';
import { createInferenceAction, type OverlayAction } from '../overlay-action.ts';
import { ComponentNames } from './components.ts';

/** Gives a context with findings of its own a component, so that contexts that share one aren't widened. */
export function separateContexts(
  document: OpenApiDocument,
  report: ResponseValidationReport,
): readonly OverlayAction[] {
  const names = new ComponentNames(document);
  const byLabel = new Map(report.operations.map(({ findings, operation }) => [operation, findings]));
  const operations = listRouteOperations(document);
  const findingsIn = (operation: Operation, context: string, reference: string): readonly string[] =>
    (byLabel.get(findingsLabel(operation, context === getDefaultContext(operation) ? null : context)) ?? [])
      .filter(({ kind, schema }) => kind !== 'extra' && `#${schema}/`.startsWith(`${reference}/`))
      .map(keyOfFinding);
  const shared = operations.flatMap((operation) =>
    [...(operation.contextReferences ?? [])].map(([context, reference]) => ({
      operation,
      context,
      reference,
    })),
  );
  return [...groupBy(shared, ({ context, reference }) => `${reference} ${context}`).values()].flatMap(
    (uses) => {
      const [{ context, reference }] = uses;
      const others = shared.filter((use) => use.reference === reference && use.context !== context);
      const isDefault = uses.some(({ operation }) => getDefaultContext(operation) === context);
      const known = new Set(others.flatMap((use) => findingsIn(use.operation, use.context, reference)));
      const own = uses.flatMap((use) => findingsIn(use.operation, context, reference));
      const key = getSchemaComponentKey(reference);
      const schema = resolveReference(document, reference);
      if (isDefault || others.length === 0 || own.every((finding) => known.has(finding))) return [];
      if (key === undefined || schema === undefined) return [];
      const name = names.claim(key + toPascalCase(splitWords(context)));
      const evidence = {
        kind: 'inferred',
        responses: own.length,
        operations: uses.map(({ operation }) => operation.id),
      } as const;
      const add = (at: JsonLocation, change: JsonObject): OverlayAction =>
        createInferenceAction(at, change, `What only the context ${context} sends: ${name}.`, evidence);
      return [
        add(['components', 'schemas'], { [name]: schema }),
        ...uses.map(({ operation }) =>
          add([...operation.location, EXTENSION_NAMES.contexts], {
            [context]: { $ref: toSchemaReference(name) },
          }),
        ),
      ];
    },
  );
}
