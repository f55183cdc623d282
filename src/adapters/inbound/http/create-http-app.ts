import express, { type Express, type Router } from 'express';
import type { Logger } from '../../../application/shared/ports/logger.js';
import { onOccasion } from '../../occasions/current-occasion.js';
import { foldArtifactAddress } from './api-v4/pipelines/artifact-addresses.js';
import { foldReleaseAddress } from './api-v4/releases/release-addresses.js';
import { answerApiV3, REMOVED_API_PREFIX } from './api-v3/answer-api-v3.js';
import { parseFields } from './body/parse-fields.js';
import { HttpError } from './http-error.js';
import { answerErrors } from './middleware/answer-errors.js';
import { apiHeaders } from './middleware/api-headers.js';
import { occasionOf } from './occasion-of-request.js';
import { mountRoutes, type RouteServices } from './mount-routes.js';
import { API_PREFIX, type Route } from './route.js';

export interface HttpAppParts {
  readonly routes: readonly Route[];
  readonly services: RouteServices;
  /** Health, metrics, documentation: what is no part of the API. */
  readonly operations: Router;
  /** The server-rendered pages, asked last. */
  readonly pages: Router;
  readonly logger: Logger;
  /** As Express's "trust proxy". */
  readonly trustProxy: false | number | string;
}

const QUERY = Symbol('query');

interface WithQuery {
  readonly url: string;
  [QUERY]?: Record<string, unknown>;
}

/** Express would parse the query each time that somebody looks at it. */
const parseQueryOnce = (app: Express): void =>
  void Object.defineProperty(app.request, 'query', {
    get(this: WithQuery) {
      const known = this[QUERY];
      if (known !== undefined) return known;
      const mark = this.url.indexOf('?');
      const query = mark < 0 ? {} : parseFields(this.url.slice(mark + 1));
      this[QUERY] = query;
      return query;
    },
  });

export const createHttpApp = ({ routes, services, operations, pages, logger, trustProxy }: HttpAppParts): Express => {
  const app = express();
  app.disable('x-powered-by');
  parseQueryOnce(app);
  app.set('trust proxy', trustProxy);
  app.use((request, _response, next) => onOccasion(occasionOf(request), next));
  app.use(API_PREFIX, (request, _response, next) => {
    request.url = foldReleaseAddress(foldArtifactAddress(request.url));
    next();
  });
  app.use(API_PREFIX, apiHeaders, mountRoutes(API_PREFIX, routes, services));
  app.use(REMOVED_API_PREFIX, ...answerApiV3(services.baseUrl));
  app.use(operations);
  // Its documentation is a page.
  app.use(/^\/api(?!\/docs(?:\/|$))/, apiHeaders, () => {
    throw new HttpError(404, '404 Not Found');
  });
  app.use(/^\/api(?!\/docs(?:\/|$))/, answerErrors(logger));
  app.use(pages);
  app.use(answerErrors(logger));
  return app;
};
