/** What stands on a page below "Comments", one after the other. */
export const storyIn = (html: string): string[] =>
  [
    ...(html.split('>Comments</h2>')[1] ?? '').matchAll(
      /<(article|(?:p|div) class="change")[^>]*>([^]*?)(?:<\/article>|<\/small><\/(?:p|div)>)/g,
    ),
  ].map(([, kind, inner = '']) => {
    const words = inner
      .replaceAll(/<span[^>]* aria-hidden="true">[^<]*<\/span>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(' ,', ',')
      .trim();
    return kind === 'article' ? 'a comment' : words.replace(/ · .*$/, '');
  });
