import type { Request } from 'express';
import { isStorable } from '../validation/storable-text.js';

/** The id in a text; what no id can be is that of nothing. */
export const idIn = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

/** The id in the path of a form; what no id can be is that of nothing. */
export const pathNumber = ({ params }: Request, name = 'id'): number => idIn(String(params[name]));

/** A text field of a form; absent, or not to be kept, is empty. */
export const field = (request: Request, name: string): string => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && isStorable(value) ? value : '';
};

/** The id in a field of a form; what no id can be is that of nothing. */
export const fieldNumber = (request: Request, name: string): number => idIn(field(request, name));

/** A field that may be given several times, as checkboxes are. */
export const fields = (request: Request, name: string): readonly string[] => {
  const value = (request.body as Record<string, unknown> | undefined)?.[name];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === 'string' && isStorable(each));
};
