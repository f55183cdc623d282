/** What a project says of itself before anybody has written more. */
export const firstReadme = ({ name, description }: { readonly name: string; readonly description: string | null }) =>
  description === null || description.trim() === '' ? `# ${name}\n` : `# ${name}\n\n${description}\n`;
