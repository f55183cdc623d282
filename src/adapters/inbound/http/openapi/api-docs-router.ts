import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { Router } from 'express';
import helmet from 'helmet';
import { exchangeOf } from '../server/exchange.js';
import { showOperations } from './api-docs-page.js';
import type { OpenApiDocument } from './openapi-document.js';

const API_DOCS_PATH = '/api/docs';

const TEMPLATES = fileURLToPath(new URL('../pages/templates', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../pages/assets/api-docs.js', import.meta.url));

// The one script is ours, and asks nobody but this service.
const security = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
});

/** A page to read the API on, and, where scripts run, to try it. Rendered when it is first asked for. */
export const createApiDocs = (document: () => OpenApiDocument): Router => {
  const router = Router({ caseSensitive: true });
  let page: string | undefined;

  router.get(API_DOCS_PATH, security, (request, response) => {
    exchangeOf(request).route = API_DOCS_PATH;
    page ??= new Eta({ views: TEMPLATES, autoEscape: true }).render('./api-docs', { tags: showOperations(document()) });
    response.type('text/html').send(page);
  });
  router.get(`${API_DOCS_PATH}/try.js`, (request, response) => {
    exchangeOf(request).route = `${API_DOCS_PATH}/try.js`;
    response.sendFile(SCRIPT, { maxAge: '1h' });
  });
  return router;
};
