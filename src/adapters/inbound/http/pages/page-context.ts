import type { Request, Response } from 'express';
import type { TokenCaller } from '../authentication/identify-by-token.js';
import type { Places } from './frame/places.js';
import type { Browser } from './page-session.js';

export interface PageContext {
  readonly browser: Browser;
  /** Who asks by a token, where it is asked for a file: then nobody uses the browser. */
  readonly caller?: TokenCaller;
  readonly request: Request;
  readonly response: Response;
  /** Makes the frames of projects and groups. */
  readonly places: Places;
}
