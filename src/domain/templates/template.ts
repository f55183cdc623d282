/** The kinds of files that there are templates for, beside licenses. */
export const TEMPLATE_KINDS = ['gitignores', 'gitlab_ci_ymls', 'dockerfiles'] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

export interface Template {
  /** What it is called in addresses, and by people. */
  readonly key: string;
  readonly content: string;
}
