import type { Request, Response } from 'express';
import type { Browser } from './page-session.js';

export interface PageContext {
  readonly browser: Browser;
  readonly request: Request;
  readonly response: Response;
}
