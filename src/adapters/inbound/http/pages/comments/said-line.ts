import type { SaidPosition } from '../../../../../application/collaboration/ports/subject-ports.js';
import { field, fieldNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';

/** Where a form of a line says that it is. */
export const saidIn = ({ request }: PageContext): SaidPosition => ({
  baseSha: field(request, 'base_sha'),
  startSha: field(request, 'start_sha'),
  headSha: field(request, 'head_sha'),
  oldPath: field(request, 'old_path') || null,
  newPath: field(request, 'new_path') || null,
  oldLine: fieldNumber(request, 'old_line') || null,
  newLine: fieldNumber(request, 'new_line') || null,
  first: null,
});

/** As much of the query of the page that a form was on. */
export const queryOf = ({ request }: PageContext, names: readonly string[]): string => {
  const kept = names.flatMap((name) => {
    const value = request.query[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as [string, string]] : [];
  });
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`;
};
