import type { Response } from 'express';

/**
 * Sends JSON as `application/json`, exactly: some clients compare the header as a whole, so it carries no charset
 * (RFC 8259 §11 defines none). As bytes, because Express would add one to text.
 */
export const sendJsonText = (response: Response, text: string): void => {
  response.setHeader('Content-Type', 'application/json');
  response.send(Buffer.from(text));
};

export const sendJson = (response: Response, body: unknown): void => sendJsonText(response, JSON.stringify(body));
