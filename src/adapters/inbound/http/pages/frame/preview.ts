import { field } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import type { MarkdownText, ProjectMarkdown } from '../project-markdown.js';

/** Whether a text is only to be shown, and nothing is to be saved. */
export const isPreview = ({ request }: PageContext): boolean => field(request, 'preview') === 'true';

/** What the template of a form needs to show its text as readers will see it; nothing where nobody asked for it. */
export const previewOf = async (
  { markdown }: { readonly markdown: ProjectMarkdown },
  context: PageContext,
  place: Parameters<ProjectMarkdown['render']>[2],
  text: string,
): Promise<{ readonly preview?: MarkdownText }> =>
  isPreview(context) ? { preview: await markdown.render({ text, cut: false }, context.browser, place) } : {};
