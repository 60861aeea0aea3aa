import { shorten } from '../ui/text.ts';
import { readOperationDetails } from './operation-details.ts';
import type { ReferencePage } from './reference.ts';
import type { RequestField, RequestForm } from './request-form.ts';
import { isWritingMethod } from './sample-request.ts';
import type { SchemaSource } from './schema-tree.ts';

const MAX_FIELDS = 100;

/** Creates the forms of the operations of a page as JSON text, by anchor. */
export function createRequestForms(page: ReferencePage, source: SchemaSource): string {
  const forms = page.operations.map((operation): [string, RequestForm] => {
    const { access, bodies, commonParameters, parameters, upload } = readOperationDetails(operation, source);
    const fields = [...parameters, ...commonParameters].slice(0, MAX_FIELDS).flatMap((row): RequestField[] =>
      row.in === 'path' || row.in === 'query'
        ? [
            {
              name: shorten(row.name, 120),
              in: row.in,
              type: row.type,
              isRequired: row.isRequired,
              isCommon: commonParameters.includes(row),
              allowed: row.type === 'boolean' ? ['true', 'false'] : row.allowed,
              isList: row.isList,
              default: row.default,
              value: row.isInExample ? row.example : undefined,
              mayContainSlashes: row.mayContainSlashes,
              valueTypes: row.valueTypes,
            },
          ]
        : [],
    );
    const ranked = fields
      .map((field) => ({
        field,
        rank: field.isCommon ? 2 : field.isRequired || field.value !== undefined ? 0 : 1,
      }))
      .sort((one, other) => one.rank - other.rank);
    const isReading = operation.method === 'GET' || operation.method === 'HEAD';
    return [
      operation.anchor,
      {
        method: shorten(operation.method, 20),
        path: shorten(operation.path, 500),
        fields: ranked.map(({ field }) => field),
        body: isReading ? undefined : bodies.find(({ example }) => example !== undefined)?.example,
        upload: isReading ? undefined : upload,
        needsCredentials: isWritingMethod(operation.method) || access?.isRequired === true,
      },
    ];
  });
  return JSON.stringify(Object.fromEntries(forms));
}
