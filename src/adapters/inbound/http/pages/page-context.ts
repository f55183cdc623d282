import type { Request, Response } from 'express';
import type { Places } from './frame/places.js';
import type { Browser } from './page-session.js';

export interface PageContext {
  readonly browser: Browser;
  readonly request: Request;
  readonly response: Response;
  /** Makes the frames of projects and groups. */
  readonly places: Places;
}
