import type { Request, Response } from 'express';

const DISCARD_MS = 2_000;

/**
 * Ends the connection with the answer that is about to be sent. What is left of the body is read and thrown away, so that its
 * sender sees the answer; but not for long.
 */
export const discardBody = (request: Request, response: Response): void => {
  response.set('Connection', 'close');
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), DISCARD_MS).unref();
  request.once('close', () => clearTimeout(timer));
};
