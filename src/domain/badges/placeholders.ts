/** What an address of a badge may name of the project that it is shown for, as `%{project_path}`. */
const PLACEHOLDERS = [
  'project_path',
  'project_title',
  'project_name',
  'project_id',
  'project_namespace',
  'group_name',
  'gitlab_server',
  'default_branch',
  'commit_sha',
  'latest_tag',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** In one address: each may become as long as a path is. */
export const MOST_PLACEHOLDERS = 10;

/** Browsers and clients write the braces as `%7B` and `%7D`. */
const WRITTEN = /%(?:\{|%7B)([a-z_]{1,32})(?:\}|%7D)/gi;

const isPlaceholder = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name);

/** Those that an address has, each as often as it is there. */
export const placeholdersOf = (url: string): readonly Placeholder[] =>
  [...url.matchAll(WRITTEN)].map(([, name = '']) => name.toLowerCase()).filter(isPlaceholder);

/** An address in which each placeholder that has a value is replaced; others stay as they were written. */
export const fillPlaceholders = (url: string, valueOf: (placeholder: Placeholder) => string | undefined): string =>
  url.replace(WRITTEN, (written, name: string) => {
    const placeholder = name.toLowerCase();
    return (isPlaceholder(placeholder) ? valueOf(placeholder) : undefined) ?? written;
  });

/** A value as a part of an address: its slashes stay, and it ends nothing that stands around it. */
export const inAddress = (value: string): string => value.toWellFormed().split('/').map(encodeURIComponent).join('/');
