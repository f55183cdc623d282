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

/** The name of the one that was asked for; empty for none. */
const chosenOf = (templates: readonly DescriptionTemplate[], context: PageContext): string => {
  if (context.request.method === 'POST') return field(context.request, 'template');
  return templates.find((template) => firstOf(template, context))?.name ?? '';
};

/**
 * The templates that a form offers for a description, as far as whoever writes may read the code that has them, and the description
 * that stands in it.
 * @param description what was typed, or what there would be without a template.
 * @param untouched whether nobody has changed the description that the form proposed: it is made from `description` again.
 */
export const describedBy = async (
  { access, descriptionTemplates }: DescriptionTemplateParts,
  context: PageContext,
  { id }: Pick<Project, 'id'>,
  {
    kind,
    description,
    untouched = false,
  }: { readonly kind: DescribedKind; readonly description: string; readonly untouched?: boolean },
) => {
  const { request, browser } = context;
  const code = await unlessRefused(access.project(actorFor(browser), String(id), 'read_code'));
  const templates = code === undefined ? [] : await descriptionTemplates.of(code, kind);
  const wasSent = request.method === 'POST';
  const before = wasSent ? field(request, 'begun_with') : '';
  const begins = !wasSent || usesTemplate(context);
  const chosen = untouched && !begins ? before : chosenOf(templates, context);
  const shown = { names: templates.map(({ name }) => name), chosen };
  if (!begins && !untouched) return { description, templates: { ...shown, begunWith: before } };
  const [text, template] = [await textOf(templates, chosen), untouched ? '' : await textOf(templates, before)];
  const typed = description.replaceAll('\r\n', '\n');
  return { description: begunText(text, template, typed), templates: { ...shown, begunWith: chosen } };
};
