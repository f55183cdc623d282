/** A template and what was typed, of which nothing is lost: a template that was not touched gives way to another. */
export const begunText = (template: string, before: string, typed: string): string => {
  if (typed.trim() === '' || typed === before) return template;
  if (typed.includes(template)) return typed;
  return template.endsWith('\n') ? `${template}\n${typed}` : `${template}\n\n${typed}`;
};
