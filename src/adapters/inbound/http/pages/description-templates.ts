import type {
  DescribedKind,
  DescriptionTemplate,
  DescriptionTemplates,
} from '../../../../application/repositories/browse/description-templates.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import { begunText } from './begun-text.js';
import { field } from './form-fields.js';
import type { PageContext } from './page-context.js';
import { actorFor, queryText } from './page-request.js';
import { unlessRefused } from '../kit/unless-refused.js';

export interface DescriptionTemplateParts {
  readonly access: WorkspaceAccess;
  readonly descriptionTemplates: DescriptionTemplates;
}

/** What descriptions begin with where nobody chooses. */
const DEFAULT = 'default';

/** Whether a template was asked for, and nothing is to be saved yet. */
export const usesTemplate = ({ request }: PageContext): boolean => field(request, 'use_template') === 'true';

/** The text of one of them; empty for none. */
const textOf = async (templates: readonly DescriptionTemplate[], name: string): Promise<string> =>
  (await templates.find((template) => template.name === name)?.read()) ?? '';

/** The one that the address names, as in `?template=Bug`, or the default one. */
const firstOf = ({ name }: DescriptionTemplate, context: PageContext): boolean => {
  const asked = queryText(context, 'template') || DEFAULT;
  return name.toLowerCase() === asked.toLowerCase();
};

/**
 * The templates that a form offers for a description, as far as whoever writes may read the code that has them, and the description
 * that stands in it.
 * @param description what was typed, or what there would be without a template.
 */
export const describedBy = async (
  { access, descriptionTemplates }: DescriptionTemplateParts,
  context: PageContext,
  { id }: Pick<Project, 'id'>,
  { kind, description }: { readonly kind: DescribedKind; readonly description: string },
) => {
  const { request, browser } = context;
  const code = await unlessRefused(access.project(actorFor(browser), String(id), 'read_code'));
  const templates = code === undefined ? [] : await descriptionTemplates.of(code, kind);
  const wasSent = request.method === 'POST';
  const before = wasSent ? field(request, 'begun_with') : '';
  const chosen = wasSent
    ? field(request, 'template')
    : (templates.find((template) => firstOf(template, context))?.name ?? '');
  const shown = { names: templates.map(({ name }) => name), chosen };
  if (wasSent && !usesTemplate(context)) return { description, templates: { ...shown, begunWith: before } };
  const [text, untouched] = [await textOf(templates, chosen), await textOf(templates, before)];
  const typed = description.replaceAll('\r\n', '\n');
  return { description: begunText(text, untouched, typed), templates: { ...shown, begunWith: chosen } };
};
