import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { MailRenderer } from '../../../application/shared/ports/mailer.js';

const VIEWS = fileURLToPath(new URL('./templates', import.meta.url));

/** Each mail has two templates: one of text, which is taken as it is, and one of HTML, in which everything is escaped. */
export const createEtaMailRenderer = (): MailRenderer => {
  const text = new Eta({ views: VIEWS, cache: true, autoEscape: false, autoTrim: false });
  const html = new Eta({ views: VIEWS, cache: true, autoEscape: true });
  return {
    render: (template, data) => ({
      text: text.render(`./${template}.text.eta`, data),
      html: html.render(`./${template}.html.eta`, data),
    }),
  };
};
